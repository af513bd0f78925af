// Azure/azure-sdk-for-net#54461 (the checksum of a transfer; the thread tells the bug, the shape is reduced from it).
// The checksum was computed into a rented array, and all of that array was compared with the checksum expected: when
// the pool gave a longer one, equal checksums were told unequal. The fix takes the rented memory in the length needed.
using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

internal interface IChecksum : IDisposable
{
    int Size { get; }

    Task AppendAsync(Stream stream, CancellationToken cancellation);

    int GetFinal(Span<byte> destination);
}

internal static class TransferCheck
{
    internal static async Task AssertAsync(Stream content, ReadOnlyMemory<byte> expected, IChecksum checksum, CancellationToken cancellation)
    {
        await checksum.AppendAsync(content, cancellation).ConfigureAwait(false);

        byte[] computed = ArrayPool<byte>.Shared.Rent(checksum.Size);
        try
        {
            checksum.GetFinal(computed);
            if (!computed.AsSpan().SequenceEqual(expected.Span)) // expect TARN007
            {
                throw new CryptographicException("The checksums differ.");
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(computed);
        }
    }
}
