using System;
using System.Buffers;
using System.Diagnostics;
using System.IO;

/// <summary>A throw statement after a look at the input is an exit that a reader sees.</summary>
internal static class WrongThrows
{
    internal static float[] Input(string text)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(text.Length); // expect TARN011
        if (!Convert.TryFromBase64String(text, bytes, out int count) || count % 4 != 0)
        {
            throw new FormatException();
        }

        float[] numbers = new float[count / 4];
        Buffer.BlockCopy(bytes, 0, numbers, 0, count);
        ArrayPool<byte>.Shared.Return(bytes);
        return numbers;
    }

    internal static int Conditional(Stream stream, int length)
    {
        byte[]? rented = length > 256 ? ArrayPool<byte>.Shared.Rent(length) : null; // expect TARN011
        Span<byte> bytes = rented ?? stackalloc byte[256];
        int first = stream.Read(bytes[..length]) > 0 ? bytes[0] : throw new EndOfStreamException();
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return first;
    }

    internal static int ThroughFinally(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        try
        {
            if (stream.Read(buffer, 0, length) != length)
            {
                throw new InvalidDataException();
            }
        }
        finally
        {
            stream.Dispose();
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    internal static long Owner(Stream stream, int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length); // expect TARN011
        if (stream.Read(owner.Memory.Span) == 0)
        {
            throw new EndOfStreamException();
        }

        long sum = owner.Memory.Span[0];
        owner.Dispose();
        return sum;
    }

    internal static int InLoop(Stream stream, int[] lengths)
    {
        int sum = 0;
        foreach (int length in lengths)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
            if (stream.Read(buffer, 0, length) == 0)
            {
                continue;
            }

            sum += buffer[0];
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return sum;
    }
}

internal static class RightThrows
{
    internal static float[] Finally(string text)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(text.Length);
        try
        {
            if (!Convert.TryFromBase64String(text, bytes, out int count) || count % 4 != 0)
            {
                throw new FormatException();
            }

            return new float[count / 4];
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    internal static int ReturnedBefore(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (stream.Read(buffer, 0, length) != length)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            throw new InvalidDataException();
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    internal static int Caught(Stream stream, int length)
    {
        byte[]? buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            if (stream.Read(buffer, 0, length) != length)
            {
                throw new InvalidDataException();
            }
        }
        catch (InvalidDataException)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return -1;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    /// <summary>Another exception came first: the buffer is left to the collector.</summary>
    internal static int Wrapped(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            stream.ReadExactly(buffer, 0, length);
        }
        catch (EndOfStreamException ended)
        {
            throw new InvalidDataException("short", ended);
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    /// <summary>Each says that the program is wrong.</summary>
    internal static int Unreachable(Stream stream, int length, DayOfWeek day)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int count = day switch
        {
            DayOfWeek.Monday => stream.Read(buffer, 0, length),
            DayOfWeek.Friday => 0,
            _ => throw new ArgumentOutOfRangeException(nameof(day)),
        };
        switch (count)
        {
            case > 0:
                break;
            default:
                throw new InvalidOperationException();
        }

        if (count > length)
        {
            throw new UnreachableException();
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return count;
    }

    /// <summary>What only the exception of a callee shows is left to the collector.</summary>
    internal static int OfCallee(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        stream.ReadExactly(buffer, 0, length);
        int first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    /// <summary>The first statement of the finally block throws on its own.</summary>
    internal static int InFinally(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            if (length == 0)
            {
                throw new InvalidDataException();
            }

            return stream.Read(buffer, 0, length);
        }
        finally
        {
            stream.Dispose();
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static byte[] HandedOut(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (length < 2)
        {
            Keep(buffer);
            throw new InvalidDataException();
        }

        stream.ReadExactly(buffer, 0, length);
        return buffer;
    }

    private static byte[]? s_kept;

    private static void Keep(byte[] buffer) => s_kept = buffer;
}
