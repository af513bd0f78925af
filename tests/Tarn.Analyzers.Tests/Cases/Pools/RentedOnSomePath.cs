using System;
using System.Buffers;
using System.IO;

internal static class RentedOnSomePath
{
    internal static byte[] Grown(Stream source)
    {
        byte[] buffer = new byte[512];
        try
        {
            int count = 0;
            while (true)
            {
                if (count == buffer.Length)
                {
                    byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
                    buffer.CopyTo(larger, 0);
                    buffer = larger;
                }

                int read = source.Read(buffer, count, buffer.Length - count);
                if (read == 0)
                {
                    return buffer.AsSpan(0, count).ToArray();
                }

                count += read;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
        }
    }

    internal static byte Larger(int length)
    {
        byte[] buffer = new byte[512];
        if (length > 512)
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
        }

        byte first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
        return first;
    }

    internal static byte LargerReturned(int length)
    {
        byte[] buffer = new byte[512];
        if (length > 512)
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
        }

        byte first = buffer[0];
        if (length > 512)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return first;
    }

    internal static byte Flagged(int length)
    {
        bool isRented = length > 512;
        byte[] buffer = isRented ? ArrayPool<byte>.Shared.Rent(length) : new byte[length];
        try
        {
            return buffer[0];
        }
        finally
        {
            if (isRented)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    internal static byte Replaced(int length)
    {
        byte[] buffer = new byte[16];
        byte first = buffer[0];
        buffer = ArrayPool<byte>.Shared.Rent(length);
        first += buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static byte Empty(int length)
    {
        byte[] buffer = new byte[0];
        byte[] none = Array.Empty<byte>();
        if (length > 0)
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
            none = ArrayPool<byte>.Shared.Rent(length);
        }

        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(none);
        return 0;
    }

    internal static byte OnlyLarge(int length)
    {
        byte[]? rented = null;
        byte[] buffer = length <= 512 ? new byte[512] : (rented = ArrayPool<byte>.Shared.Rent(length));
        byte first = buffer[0];
        if (rented != null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return first;
    }
}
