// Cysharp/Ulid#96: sixteen bytes were asked for and the whole array was encoded, which is longer with some pools.
// The fix encodes the sixteen bytes.
using System;
using System.Buffers;
using System.Runtime.InteropServices;

internal readonly struct Identifier(long high, long low)
{
    public bool TryWriteBytes(Span<byte> destination)
    {
        if (destination.Length < 16)
        {
            return false;
        }

        MemoryMarshal.Write(destination, high);
        MemoryMarshal.Write(destination[8..], low);
        return true;
    }

    public string ToBase64(Base64FormattingOptions options = Base64FormattingOptions.None)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(16);
        try
        {
            TryWriteBytes(buffer);
            return Convert.ToBase64String(buffer, options); // expect TARN007
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
