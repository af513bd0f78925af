using System;
using System.Buffers;
using System.IO;
using System.Linq;

/// <summary>Searches of whole buffers, and lengths that methods hand back as counts.</summary>
internal static class Searched
{
    internal static int Written(Stream target, byte[] data, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            Array.Copy(data, buffer, count);
            target.Write(buffer, 0, count);
            return buffer.Length; // expect TARN007
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static long WrittenLater(Stream target, byte[] data, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Array.Copy(data, buffer, count);
        target.Write(buffer, 0, count);
        long length = buffer.Length;
        ArrayPool<byte>.Shared.Return(buffer);
        return length; // expect TARN007
    }

    internal static int Counted(Stream target, byte[] data, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Array.Copy(data, buffer, count);
        target.Write(buffer, 0, count);
        ArrayPool<byte>.Shared.Return(buffer);
        return count;
    }

    internal static int Room(int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        int length = buffer.Length;
        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    internal static int HandedOut(byte[] data, out byte[] buffer)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(data.Length);
        data.CopyTo(rented, 0);
        buffer = rented;
        return rented.Length;
    }

    internal static bool Contained(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        Span<byte> part = buffer.AsSpan();
        bool isFound = part.Contains((byte)0); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return isFound;
    }

    internal static bool ContainedInPart(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        Span<byte> part = buffer.AsSpan(0, count);
        bool isFound = part.Contains((byte)0) || part.IndexOf((byte)1) >= 0 || part.EndsWith(stackalloc byte[] { 1 });
        ArrayPool<byte>.Shared.Return(buffer);
        return isFound;
    }

    internal static bool NotFound(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        bool isMissing = buffer.AsSpan().IndexOf((byte)0) < 0; // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return isMissing;
    }

    internal static bool NotFoundInArray(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        bool isMissing = Array.IndexOf(buffer, (byte)0) == -1; // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return isMissing;
    }

    internal static string Terminated(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        int end = buffer.AsSpan().IndexOf((byte)0);
        string text = System.Text.Encoding.ASCII.GetString(buffer, 0, end < 0 ? count : end);
        ArrayPool<byte>.Shared.Return(buffer);
        return text;
    }

    internal static bool Begun(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(3);
        source.ReadExactly(buffer, 0, 3);
        bool isBegun = buffer.AsSpan().StartsWith(stackalloc byte[] { 1, 2, 3 });
        ArrayPool<byte>.Shared.Return(buffer);
        return isBegun;
    }

    internal static bool Ended(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        bool isEnded = buffer.AsSpan().EndsWith(stackalloc byte[] { 1, 2, 3 }); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
        return isEnded;
    }

    internal static bool Looped(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            source.ReadExactly(buffer, 0, count);
            Span<byte> part = buffer;
            for (int i = 0; i < part.Length; i++) // expect TARN007
            {
                if (part[i] == 0)
                {
                    return true;
                }
            }

            return false;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int LoopedToEnd(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            source.ReadExactly(buffer, 0, count);
            for (int i = 0; i < buffer.Length; i++)
            {
                if (buffer[i] == 0)
                {
                    return i;
                }
            }

            return count;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static bool LoopedOverCleared(int[] taken, int count)
    {
        int[] buffer = ArrayPool<int>.Shared.Rent(count);
        Array.Clear(buffer);
        foreach (int one in taken)
        {
            buffer[one] = 1;
        }

        bool isTaken = buffer.AsSpan().Contains(1);
        ArrayPool<int>.Shared.Return(buffer);
        return isTaken;
    }

    internal static bool LoopedByHelper(Stream source, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        source.ReadExactly(buffer, 0, count);
        bool isFound = HasZero(buffer) // expect TARN007
            && HasZero(buffer.AsSpan(0, count));
        ArrayPool<byte>.Shared.Return(buffer);
        return isFound;
    }

    private static bool HasZero(ReadOnlySpan<byte> part)
    {
        for (int i = 0; i < part.Length; i++)
        {
            if (part[i] == 0)
            {
                return true;
            }
        }

        return false;
    }
}
