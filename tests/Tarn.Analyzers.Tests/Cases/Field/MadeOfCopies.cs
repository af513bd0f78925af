using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Numerics;

// Most of what is made of a buffer copies what it needs; streams and pairs keep it.
internal static class MadeOfCopies
{
    internal static string Text(int count, Func<char[], int> fill)
    {
        char[] characters = ArrayPool<char>.Shared.Rent(count);
        string text = new(characters, 0, fill(characters));
        ArrayPool<char>.Shared.Return(characters);
        return text;
    }

    internal static BigInteger Number(ReadOnlySequence<byte> bytes)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent((int)bytes.Length);
        try
        {
            bytes.CopyTo(buffer);
            return new BigInteger(buffer.AsSpan(0, (int)bytes.Length));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static PriorityQueue<int, int> Queue(int count, Action<(int, int)[]> fill)
    {
        (int, int)[] items = ArrayPool<(int, int)>.Shared.Rent(count);
        fill(items);
        PriorityQueue<int, int> queue = new(new ArraySegment<(int, int)>(items, 0, count));
        ArrayPool<(int, int)>.Shared.Return(items);
        return queue;
    }

    internal static IPAddress Address(ReadOnlySpan<byte> bytes)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(16);
        bytes.CopyTo(buffer);
        IPAddress address = new(buffer.AsSpan(0, 16));
        ArrayPool<byte>.Shared.Return(buffer);
        return address;
    }

    internal static int StreamGoesOn(int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        using MemoryStream stream = new(buffer, 0, count);
        ArrayPool<byte>.Shared.Return(buffer);
        return stream.ReadByte(); // expect TARN002
    }

    internal static StreamReader ReaderOfStream(int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            return new StreamReader(new MemoryStream(buffer, 0, count)); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static KeyValuePair<int, byte[]> Pair(int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            return new KeyValuePair<int, byte[]>(count, buffer); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
