using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Channels;
using System.Threading.Tasks;
using Tarn;

/// <summary>Shared buffers and their slices, which end once each.</summary>
internal sealed class Shared
{
    private readonly Dictionary<int, SharedSlice<byte>> _latest = [];
    private SharedSlice<byte> _last;
    private SharedSlice<byte> _lost;

    internal static int Lost(Stream source)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10); // expect TARN011
        source.ReadExactly(buffer.Span);
        return buffer.HolderCount;
    }

    internal static int UsedAfter(Stream source)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(BufferPool<byte>.Shared, 10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        return buffer.Span[0]; // expect TARN002
    }

    internal static void Twice(Stream source)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        buffer.Dispose(); // expect TARN001
    }

    internal static void TwiceWithUsing(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10); // expect TARN001
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
    }

    internal static int SliceLost(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        SharedSlice<byte> slice = buffer.Slice(2); // expect TARN011
        return slice.Span[0];
    }

    internal static int SliceUsedAfter(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        SharedSlice<byte> slice = buffer.Slice();
        slice.Dispose();
        return slice.Span[0]; // expect TARN002
    }

    internal static int SliceTwice(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        SharedSlice<byte> slice = buffer.Slice(1, 2);
        int first = slice.Span[0];
        slice.Dispose();
        slice.Dispose(); // expect TARN001
        return first;
    }

    internal static int SliceOfReturned(Stream source)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        buffer.Dispose();
        using SharedSlice<byte> slice = buffer.Slice(); // expect TARN002
        return slice.Length;
    }

    internal static ReadOnlyMemory<byte> Outlived(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        return buffer.Memory; // expect TARN003
    }

    internal static void Broadcast(Stream source, List<Action<SharedSlice<byte>>> receivers)
    {
        using SharedBuffer<byte> message = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(message.Span);
        foreach (Action<SharedSlice<byte>> receiver in receivers)
        {
            receiver(message.Slice());
        }
    }

    internal static async Task PostAsync(Stream source, Channel<SharedSlice<byte>> channel)
    {
        using SharedBuffer<byte> message = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(message.Span);
        SharedSlice<byte> slice = message.Slice();
        await channel.Writer.WriteAsync(slice);
    }

    internal static async Task ReceiveAsync(Channel<SharedSlice<byte>> channel, Stream target)
    {
        await foreach (SharedSlice<byte> slice in channel.Reader.ReadAllAsync())
        {
            await target.WriteAsync(slice.Memory);
            slice.Dispose();
        }
    }

    internal static int SlicesOfSlices(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        using SharedSlice<byte> head = buffer.Slice(0, 4);
        using SharedSlice<byte> first = head.Slice(0, 2);
        using SharedSlice<byte> second = head.Slice(2);
        return first.Span[0] + second.Span[0];
    }

    internal static int SliceThatOutlivesItsBuffer(Stream source)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        using SharedSlice<byte> slice = buffer.Slice();
        buffer.Dispose();
        return slice.Span[0] + buffer.Length;
    }

    internal static SharedSlice<byte> HandedOut(Stream source)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        return buffer.Slice();
    }

    internal void Kept(int key, in SharedBuffer<byte> buffer)
    {
        _latest[key] = buffer.Slice();
        _last = buffer.Slice();
    }

    internal void Drop(int key)
    {
        _last.Dispose();
        if (_latest.Remove(key, out SharedSlice<byte> slice))
        {
            slice.Dispose();
        }
    }

    internal void KeptAndLost(in SharedBuffer<byte> buffer) => _lost = buffer.Slice(); // expect TARN011

    internal static bool IsDisposedOnOnePath(Stream source, bool isSent, Queue<SharedSlice<byte>> queue)
    {
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        SharedSlice<byte> slice = buffer.Slice();
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
        using SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
        source.ReadExactly(buffer.Span);
        SharedSlice<byte>? slice = isWanted ? buffer.Slice() : null;
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
            SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
            source.ReadExactly(buffer.Span);
            buffer.Dispose();
        }
    }

    internal static void DisposedInFinally(Stream source, bool isEarly)
    {
        SharedBuffer<byte> buffer = SharedBuffer<byte>.Rent(10);
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
