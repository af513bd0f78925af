using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

internal static class Overwritten
{
    internal static byte[] ReadAll(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16); // expect TARN011
        int count = 0;
        int read;
        while ((read = source.Read(buffer, count, buffer.Length - count)) > 0)
        {
            count += read;
            if (count == buffer.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
                Array.Copy(buffer, larger, count);
                buffer = larger;
            }
        }

        byte[] all = buffer.AsSpan(0, count).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return all;
    }

    internal static byte[] ReadAllAndReturn(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        int count = 0;
        int read;
        while ((read = source.Read(buffer, count, buffer.Length - count)) > 0)
        {
            count += read;
            if (count == buffer.Length)
            {
                byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
                Array.Copy(buffer, larger, count);
                ArrayPool<byte>.Shared.Return(buffer);
                buffer = larger;
            }
        }

        byte[] all = buffer.AsSpan(0, count).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return all;
    }

    internal static byte[] ReadAllAndReturnLater(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        int count = 0;
        int read;
        while ((read = source.Read(buffer, count, buffer.Length - count)) > 0)
        {
            count += read;
            if (count == buffer.Length)
            {
                byte[] old = buffer;
                buffer = ArrayPool<byte>.Shared.Rent(old.Length * 2);
                Array.Copy(old, buffer, count);
                ArrayPool<byte>.Shared.Return(old);
            }
        }

        byte[] all = buffer.AsSpan(0, count).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return all;
    }

    internal static int Again(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(10); // expect TARN011
        source.ReadExactly(buffer, 0, 10);
        if (buffer[0] > 10)
        {
            int length = buffer[0];
            buffer = ArrayPool<byte>.Shared.Rent(length);
            source.ReadExactly(buffer, 0, length);
        }

        int last = buffer[9];
        ArrayPool<byte>.Shared.Return(buffer);
        return last;
    }

    internal static int OwnerAgain(Stream source)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(10); // expect TARN011
        source.ReadExactly(owner.Memory.Span[..10]);
        int length = owner.Memory.Span[0];
        if (length > 10)
        {
            owner = MemoryPool<byte>.Shared.Rent(length);
            source.ReadExactly(owner.Memory.Span[..length]);
        }

        int last = owner.Memory.Span[9];
        owner.Dispose();
        return last;
    }

    internal static int Kept(Stream source, List<byte[]> all)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(10);
        all.Add(buffer);
        source.ReadExactly(buffer, 0, 10);
        buffer = ArrayPool<byte>.Shared.Rent(20);
        all.Add(buffer);
        source.ReadExactly(buffer, 0, 20);
        return buffer[19];
    }

    internal static int Swapped(Stream source, int turns)
    {
        byte[] front = ArrayPool<byte>.Shared.Rent(10);
        byte[] back = ArrayPool<byte>.Shared.Rent(10);
        for (int i = 0; i < turns; i++)
        {
            source.ReadExactly(back, 0, 10);
            byte[] other = front;
            front = back;
            back = other;
        }

        int first = front[0];
        ArrayPool<byte>.Shared.Return(front);
        ArrayPool<byte>.Shared.Return(back);
        return first;
    }

    internal static int SwappedByTuple(Stream source, int turns)
    {
        byte[] front = ArrayPool<byte>.Shared.Rent(10);
        byte[] back = ArrayPool<byte>.Shared.Rent(10);
        for (int i = 0; i < turns; i++)
        {
            source.ReadExactly(back, 0, 10);
            (front, back) = (back, front);
        }

        int first = front[0];
        ArrayPool<byte>.Shared.Return(front);
        ArrayPool<byte>.Shared.Return(back);
        return first;
    }

    internal static int RentedWhenNeeded(Stream source, int[] lengths)
    {
        byte[]? buffer = null;
        int sum = 0;
        foreach (int length in lengths)
        {
            if (buffer is null || buffer.Length < length)
            {
                if (buffer is not null)
                {
                    ArrayPool<byte>.Shared.Return(buffer);
                }

                buffer = ArrayPool<byte>.Shared.Rent(length);
            }

            source.ReadExactly(buffer, 0, length);
            sum += buffer[0];
        }

        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return sum;
    }

    internal static int PooledOrNot(Stream source, byte[] given, bool isPooled, int length)
    {
        byte[] buffer = isPooled ? ArrayPool<byte>.Shared.Rent(10) : given;
        source.ReadExactly(buffer, 0, 10);
        if (length > 10)
        {
            if (isPooled)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }

            isPooled = true;
            buffer = ArrayPool<byte>.Shared.Rent(length);
            source.ReadExactly(buffer, 0, length);
        }

        int first = buffer[0];
        if (isPooled)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return first;
    }
}
