using System.Runtime.ExceptionServices;

namespace Tarn;

/// <content>Taking memory and giving it back.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>The first segment has at least this many bytes, as a plain memory stream's.</summary>
    private const int LeastSegment = 256;

    /// <summary>An only segment of at most this many bytes is replaced, and copied, instead of followed by another.</summary>
    private const int LargestReplaced = 4 << 10;

    /// <summary>How much larger the array is that replaces it.</summary>
    private const int Replacement = 4;

    /// <summary>Up to this many bytes a new segment doubles the room; later it adds a quarter.</summary>
    private const int LargestDoubling = 1 << 20;

    /// <summary>No segment is larger unless it is known that so much is to be written.</summary>
    private const int LargestGrowth = 256 << 20;

    /// <summary>No segment is larger: as a pool's arrays.</summary>
    private const int LargestSegment = 1 << 30;

    /// <summary>No process has more addresses; native memory that is not touched takes nothing else.</summary>
    private const long LargestAddressSpace = 1L << 47;

    /// <summary>Where the first table is made there are two segments at once.</summary>
    private const int FirstRoom = 4;

    /// <summary>Nothing but a plain array from the shared pool: the common case, which is made short.</summary>
    private bool IsDefault => ReferenceEquals(_options, PooledMemoryStreamOptions.Default);

    /// <summary>Whether even one segment needs the table: native memory, and what is to be cleared.</summary>
    private bool AlwaysHasTable => _options.Heap is not null || _options.Zeroing != StreamZeroing.None;

    /// <summary>Gives the memory back, once, whoever calls and however often.</summary>
    public override void Close()
    {
        if (Interlocked.Exchange(ref _isOpen, 0) == 0)
        {
            return;
        }

        long length = _length;
        _limit = Closed;
        if (IsDefault && _table is null)
        {
            byte[]? only = _array;
            Forget();
            if (only is not null)
            {
                BufferPool<byte>.Shared.Return(only);
            }
        }
        else if (_options.KeepContentsOnDispose)
        {
            DropPending();
        }
        else
        {
            GiveUp();
        }

        // Last: a listener may throw.
        StreamCounters.OnDisposed(this, length);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Close();
        base.Dispose(disposing);
    }

    /// <summary>
    /// Makes room up to <paramref name="end"/>, or throws and changes nothing. The cursor must be moved afterwards. The only array was replaced if
    /// one is returned: it is to be given back when nobody reads it any more.
    /// </summary>
    private byte[]? Reserve(long end, bool isZeroed = false)
    {
        long room = Room;
        if (end <= room)
        {
            return null;
        }

        if (end > _options.MaxCapacity)
        {
            StreamThrow.TooLong(_options.MaxCapacity);
        }

        if (_table is null && !AlwaysHasTable && end <= LargestSegment && room <= LargestReplaced)
        {
            return ReplaceOnly((int)end, (int)room);
        }

        AddSegments(end - room, room, isZeroed);
        return null;
    }

    /// <summary>Memory for a stream without options that has none yet.</summary>
    private byte[] TakeOnly(int size)
    {
        byte[] array = BufferPool<byte>.Shared.Rent(Math.Max(size, LeastSegment));
        _array = array;
        _limit = array.Length;
        return array;
    }

    private byte[]? ReplaceOnly(int end, int room)
    {
        byte[]? replaced = _array;
        long wanted = Math.Max(end, replaced is null ? LeastSegment : room * Replacement);
        byte[] array = Rent((int)Math.Min(wanted, _options.MaxCapacity));
        replaced.AsSpan(0, (int)Math.Min(_length, room)).CopyTo(array);
        _array = array;
        return replaced;
    }

    private void AddSegments(long missing, long room, bool isZeroed)
    {
        // Segment by segment, the machine would be out of memory before anybody said no.
        if (missing > (_options.Heap is null ? MemoryPressure.AvailableBytes : LargestAddressSpace))
        {
            StreamThrow.OutOfMemory(missing);
        }

        SegmentTable table = GetTable();
        int before = table.Count;
        long wanted = SizeOfNext(missing, room);
        try
        {
            while (table.Capacity - room < missing)
            {
                long size = Math.Min(wanted - (table.Capacity - room), LargestSegment);
                table.Add(Take((int)size, _options.MaxCapacity - table.Capacity, isZeroed));
            }
        }
        catch
        {
            while (table.Count > before)
            {
                GiveBack(table.RemoveLast(), dirty: 0);
            }

            throw;
        }
    }

    /// <summary>How many bytes to add to <paramref name="room"/> when <paramref name="missing"/> are needed.</summary>
    private long SizeOfNext(long missing, long room)
    {
        long next = room <= LargestDoubling ? Math.Max(room, LeastSegment) : Math.Clamp(room / 4, LargestDoubling, LargestGrowth);
        return Math.Min(Math.Max(missing, next), _options.MaxCapacity - room);
    }

    /// <summary>Memory for a segment of at least <paramref name="size"/> bytes and no more than <paramref name="most"/>.</summary>
    private Segment Take(int size, long most, bool isZeroed)
    {
        if (_options.Heap is not { } heap)
        {
            byte[] array = Rent(size);
            return new Segment { Array = array, Size = (int)Math.Min(array.Length, most) };
        }

        long whole = Math.Min(Math.Min((long)NativeHeap.GetBlockSize((nuint)size), int.MaxValue), most);
        unsafe
        {
            void* block = isZeroed ? heap.AllocateZeroed((nuint)whole) : heap.Allocate((nuint)whole);
            return new Segment { Block = (byte*)block, BlockSize = (int)whole, Size = (int)whole };
        }
    }

    private byte[] Rent(int size)
    {
        _options.BeforeRent?.Invoke(size);
        return _options.Pool is { } pool ? pool.Rent(size) : BufferPool<byte>.Shared.Rent(size);
    }

    /// <summary>The table, with the only array in it if there is one.</summary>
    private SegmentTable GetTable()
    {
        if (_table is not { } table)
        {
            table = new SegmentTable(AlwaysHasTable ? 1 : FirstRoom, _options.Heap);
            if (_array is { } only)
            {
                table.Add(new Segment { Array = only, Size = SizeOfOnly });
            }

            _table = table;
        }

        return table;
    }

    /// <summary>Sets how much there is room for, at least.</summary>
    private void ChangeRoom(long capacity)
    {
        long position = _start + _offset;
        GiveBack(Reserve(capacity));
        if (capacity == 0)
        {
            GiveUp();
        }
        else if (_table is { } table)
        {
            while (table.Last.Start >= capacity)
            {
                Segment last = table.RemoveLast();
                GiveBack(last, table.ExposedTo - last.Start);
            }
        }

        MoveTo(position);
    }

    /// <summary>Gives all memory back: the stream is empty, and none of its own.</summary>
    private void GiveUp()
    {
        byte[]? only = _table is null ? _array : null;
        SegmentTable? table = _table;
        long dirty = table is null ? 0 : Math.Max(_length, table.ExposedTo);
        Forget();
        GiveBack(only);
        if (table is not null)
        {
            GiveBack(table, dirty, _options);
        }
    }

    /// <summary>Returns an array that nothing is to be cleared in.</summary>
    private void GiveBack(byte[]? array)
    {
        if (array is null)
        {
            return;
        }

        if (_options.Pool is { } pool)
        {
            pool.Return(array);
        }
        else
        {
            BufferPool<byte>.Shared.Return(array);
        }
    }

    private void GiveBack(in Segment segment, long dirty) => SegmentReturn.GiveBack(segment, dirty, _options);

    /// <summary>
    /// Returns all segments of a table, of which <paramref name="dirty"/> bytes were written. One that a pool with checks refuses, as someone had
    /// returned it already, keeps none of the others.
    /// </summary>
    internal static void GiveBack(SegmentTable table, long dirty, PooledMemoryStreamOptions options)
    {
        ExceptionDispatchInfo? refusal = null;
        if (table.Pending is { } pending)
        {
            SegmentReturn.GiveBack(new Segment { Array = pending, Size = pending.Length }, pending.Length, options);
        }

        foreach (ref Segment segment in table.Segments)
        {
            try
            {
                SegmentReturn.GiveBack(segment, dirty - segment.Start, options);
            }
            catch (InvalidOperationException e)
            {
                refusal ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        refusal?.Throw();
    }
}
