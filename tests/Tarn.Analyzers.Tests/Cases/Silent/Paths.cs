using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

/// <summary>Correct ways to write loops, flags, guards, switches and iterators: the analyzers say nothing.</summary>
internal sealed class Paths
{
    private byte[]? _buffer;
    private int _count;

    internal static int GrowthLoop(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        int total = 0;
        while (true)
        {
            int read = source.Read(buffer, total, buffer.Length - total);
            if (read == 0)
            {
                break;
            }

            total += read;
            if (total == buffer.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
                buffer.AsSpan(0, total).CopyTo(larger);
                ArrayPool<byte>.Shared.Return(buffer);
                buffer = larger;
            }
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return total;
    }

    internal static int TryUntilItFits(int value)
    {
        int size = 16;
        while (true)
        {
            char[] buffer = ArrayPool<char>.Shared.Rent(size);
            bool isWritten = value.TryFormat(buffer, out int written);
            ArrayPool<char>.Shared.Return(buffer);
            if (isWritten)
            {
                return written;
            }

            size *= 2;
        }
    }

    internal static int SmallOnStack(ReadOnlySpan<char> text)
    {
        char[]? rented = null;
        Span<char> buffer = text.Length <= 64 ? stackalloc char[64] : (rented = ArrayPool<char>.Shared.Rent(text.Length));
        text.CopyTo(buffer);
        int first = buffer[0];
        if (rented is not null)
        {
            ArrayPool<char>.Shared.Return(rented);
        }

        return first;
    }

    internal static int OwnedFlag(byte[]? given, int length)
    {
        bool isOwned = given is null;
        byte[] buffer = given ?? ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return buffer[0];
        }
        finally
        {
            if (isOwned)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    internal static int NullAsFlag(int length)
    {
        byte[]? buffer = null;
        try
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
            return buffer[0];
        }
        finally
        {
            if (buffer != null)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    internal static int ReturnedInEachCase(int kind)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(8);
        switch (kind)
        {
            case 0:
                ArrayPool<byte>.Shared.Return(buffer);
                return 0;
            case 1:
                int first = buffer[0];
                ArrayPool<byte>.Shared.Return(buffer);
                return first;
            default:
                ArrayPool<byte>.Shared.Return(buffer);
                throw new ArgumentOutOfRangeException(nameof(kind));
        }
    }

    internal static int BySwitchExpression(object size)
    {
        byte[] buffer = size switch
        {
            int small and < 100 => ArrayPool<byte>.Shared.Rent(small),
            int => ArrayPool<byte>.Shared.Rent(100),
            string { Length: var length } => ArrayPool<byte>.Shared.Rent(length),
            _ => ArrayPool<byte>.Shared.Rent(1),
        };
        int first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static int GuardBeforeRent(Stream? source, int length)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static IEnumerable<int> Iterator(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64);
        try
        {
            int read;
            while ((read = source.Read(buffer, 0, 64)) > 0)
            {
                for (int i = 0; i < read; i++)
                {
                    yield return buffer[i];
                }
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static IEnumerable<int> EachWithItsOwn(int count)
    {
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(i + 1);
            int first = buffer[0];
            ArrayPool<byte>.Shared.Return(buffer);
            yield return first;
        }
    }

    internal static void ByReferenceLocal(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ref byte first = ref buffer[0];
        first = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static unsafe int Pinned(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int first;
        fixed (byte* start = buffer)
        {
            *start = 1;
            first = start[0];
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static void Swapped(int length)
    {
        byte[] current = ArrayPool<byte>.Shared.Rent(length);
        byte[] next = ArrayPool<byte>.Shared.Rent(length);
        for (int i = 0; i < 3; i++)
        {
            next[0] = current[0];
            (current, next) = (next, current);
        }

        ArrayPool<byte>.Shared.Return(current);
        ArrayPool<byte>.Shared.Return(next);
    }

    internal static int ByPattern(int length)
    {
        byte[]? rented = length > 0 ? ArrayPool<byte>.Shared.Rent(length) : null;
        int first = rented is { Length: > 0 } ? rented[0] : 0;
        if (rented is { } array)
        {
            ArrayPool<byte>.Shared.Return(array);
        }

        return first;
    }

    internal static void GoneOnError(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            target.Write(buffer, 0, length);
        }
        catch (IOException)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            throw;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static bool Retried(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool isDone = false;
        for (int i = 0; i < 3 && !isDone; i++)
        {
            try
            {
                isDone = source.Read(buffer, 0, length) == length;
            }
            catch (IOException) when (i < 2)
            {
                continue;
            }
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return isDone;
    }

    internal static int OnlyALength(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        return buffer.Length;
    }

    internal static void RentedAnew(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = ArrayPool<byte>.Shared.Rent(length * 2);
        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void Append(byte value)
    {
        byte[] buffer = _buffer ??= ArrayPool<byte>.Shared.Rent(16);
        if (_count == buffer.Length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(_count * 2);
            Array.Copy(buffer, larger, _count);
            _buffer = larger;
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = larger;
        }

        buffer[_count++] = value;
    }

    internal void Clear()
    {
        if (_buffer is { } buffer)
        {
            _buffer = null;
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
