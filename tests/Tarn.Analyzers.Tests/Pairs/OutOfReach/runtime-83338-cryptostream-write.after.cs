// dotnet/runtime#83295, fixed by dotnet/runtime#83338 (CryptoStream.Write of a span).
// The plain text was copied to a rented array for the array overload, and the array went back to the shared pool with
// the plain text in it. The fix wipes what was copied before the array is returned.
using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;

[AttributeUsage(AttributeTargets.All)]
internal sealed class SensitiveBufferAttribute : Attribute
{
}

internal class SealingStream : MemoryStream
{
    private readonly ICryptoTransform _transform;

    internal SealingStream(ICryptoTransform transform) => _transform = transform;

    public override void Write(byte[] buffer, int offset, int count)
    {
        byte[] sealedBlock = _transform.TransformFinalBlock(buffer, offset, count);
        base.Write(sealedBlock, 0, sealedBlock.Length);
    }

    internal void WritePlain([SensitiveBuffer] ReadOnlySpan<byte> plain)
    {
        byte[] plainCopy = ArrayPool<byte>.Shared.Rent(plain.Length);
        try
        {
            plain.CopyTo(plainCopy);
            Write(plainCopy, 0, plain.Length);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plainCopy.AsSpan(0, plain.Length));
            ArrayPool<byte>.Shared.Return(plainCopy);
        }
    }
}
