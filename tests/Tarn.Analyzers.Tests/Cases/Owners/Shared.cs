using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Channels;
using System.Threading.Tasks;
using Tarn;

/// <summary>Shared buffers and their slices, which end once each.</summary>
internal sealed class Shared
{
    private readonly Dictionary<int, CountedSlice<byte>> _latest = [];
    private CountedSlice<byte> _last;
    private CountedSlice<byte> _lost;

    internal static int Lost(Stream source)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10); // expect TARN011
        source.ReadExactly(buffer.Span);
        return buffer.HolderCount;
    }

    internal static int UsedAfter(Stream source)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(BufferPool<byte>.Shared, 10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        return buffer.Span[0]; // expect TARN002
    }

    internal static void Twice(Stream source)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        buffer.Dispose(); // expect TARN001
    }

    internal static void TwiceWithUsing(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10); // expect TARN001
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
    }

    internal static int SliceLost(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        CountedSlice<byte> slice = buffer.Slice(2); // expect TARN011
        return slice.Span[0];
    }

    internal static int SliceUsedAfter(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        CountedSlice<byte> slice = buffer.Slice();
        slice.Dispose();
        return slice.Span[0]; // expect TARN002
    }

    internal static int SliceTwice(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        CountedSlice<byte> slice = buffer.Slice(1, 2);
        int first = slice.Span[0];
        slice.Dispose();
        slice.Dispose(); // expect TARN001
        return first;
    }

    internal static int SliceOfReturned(Stream source)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        using CountedSlice<byte> slice = buffer.Slice(); // expect TARN002
        return slice.Length;
    }

    internal static ReadOnlyMemory<byte> Outlived(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        return buffer.Memory; // expect TARN003
    }

    internal static void Broadcast(Stream source, List<Action<CountedSlice<byte>>> receivers)
    {
        using CountedBuffer<byte> message = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(message.Span);
        foreach (Action<CountedSlice<byte>> receiver in receivers)
        {
            receiver(message.Slice());
        }
    }

    internal static async Task PostAsync(Stream source, Channel<CountedSlice<byte>> channel)
    {
        using CountedBuffer<byte> message = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(message.Span);
        CountedSlice<byte> slice = message.Slice();
        await channel.Writer.WriteAsync(slice);
    }

    internal static async Task ReceiveAsync(Channel<CountedSlice<byte>> channel, Stream target)
    {
        await foreach (CountedSlice<byte> slice in channel.Reader.ReadAllAsync())
        {
            await target.WriteAsync(slice.Memory);
            slice.Dispose();
        }
    }

    internal static int SlicesOfSlices(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        using CountedSlice<byte> head = buffer.Slice(0, 4);
        using CountedSlice<byte> first = head.Slice(0, 2);
        using CountedSlice<byte> second = head.Slice(2);
        return first.Span[0] + second.Span[0];
    }

    internal static int SliceThatOutlivesItsBuffer(Stream source)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        using CountedSlice<byte> slice = buffer.Slice();
        buffer.Dispose();
        return slice.Span[0] + buffer.Length;
    }

    internal static CountedSlice<byte> HandedOut(Stream source)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        return buffer.Slice();
    }

    internal void Kept(int key, in CountedBuffer<byte> buffer)
    {
        _latest[key] = buffer.Slice();
        _last = buffer.Slice();
    }

    internal void Drop(int key)
    {
        _last.Dispose();
        if (_latest.Remove(key, out CountedSlice<byte> slice))
        {
            slice.Dispose();
        }
    }

    internal void KeptAndLost(in CountedBuffer<byte> buffer) => _lost = buffer.Slice(); // expect TARN011

    internal static bool IsDisposedOnOnePath(Stream source, bool isSent, Queue<CountedSlice<byte>> queue)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        CountedSlice<byte> slice = buffer.Slice();
        if (isSent)
        {
            queue.Enqueue(slice);
            return true;
        }

        slice.Dispose();
        return false;
    }

    internal static int MayBeNone(Stream source, bool isWanted)
    {
        using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        CountedSlice<byte>? slice = isWanted ? buffer.Slice() : null;
        try
        {
            return slice?.Length ?? 0;
        }
        finally
        {
            slice?.Dispose();
        }
    }

    internal static void InLoop(Stream source, int count)
    {
        for (int i = 0; i < count; i++)
        {
            CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
            source.ReadExactly(buffer.Span);
            buffer.Dispose();
        }
    }

    internal static void DisposedInFinally(Stream source, bool isEarly)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(10);
        bool isMine = true;
        try
        {
            source.ReadExactly(buffer.Span);
            if (isEarly)
            {
                buffer.Dispose();
                isMine = false;
            }
        }
        finally
        {
            if (isMine)
            {
                buffer.Dispose();
            }
        }
    }
}
