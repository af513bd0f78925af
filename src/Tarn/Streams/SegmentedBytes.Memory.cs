using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Taking and returning memory.</content>
/// <remarks>
/// While the first segment is small, a segment of four times its size replaces it, because copying less than an OS page is cheaper than
/// managing two segments. A size hint or the first write takes one segment.
/// </remarks>
internal unsafe partial struct SegmentedBytes
{
    /// <summary>The largest segment: as large as a pool's arrays.</summary>
    internal const int LargestSegment = 1 << 30;

    /// <summary>The least size of the first segment, as in a plain memory stream.</summary>
    private const int LeastSegment = 256;

    /// <summary>The largest only segment that is copied and replaced instead of followed by another.</summary>
    private const int LargestReplaced = 4 << 10;

    /// <summary>The factor by which a replacing array is larger.</summary>
    private const int Replacement = 4;

    /// <summary>Up to this many bytes a new segment doubles the room; later it adds a quarter.</summary>
    private const int LargestDoubling = 1 << 20;

    /// <summary>Where the segment of a disposed stream begins: behind every position, and far from an overflow.</summary>
    private const long Gone = long.MaxValue / 2;

    /// <summary>The largest segment, unless more bytes are known to be written.</summary>
    private const int LargestGrowth = 256 << 20;

    /// <summary>The room of the first table, which gets two segments at once.</summary>
    private const int FirstRoom = 4;

    /// <summary>Whether even one array needs the table, because it must be cleared.</summary>
    private readonly bool AlwaysHasTable => Options.Clearing != StreamClearing.None;

    /// <summary>Whether an only segment that is too small is replaced.</summary>
    private readonly bool IsReplaced => Table is null && !AlwaysHasTable && Options.Heap is null && CurrentSize <= LargestReplaced;

    /// <summary>
    /// Makes room up to <paramref name="end"/>, or throws and changes nothing. If it replaced the only array, it returns the old one; the
    /// caller must release that when nothing reads it any more.
    /// </summary>
    internal byte[]? Reserve(long end, bool isZeroed = false)
    {
        long room = Room;
        if (end <= room)
        {
            return null;
        }

        if (end > Options.MaxCapacity)
        {
            StreamThrow.TooLong(Options.MaxCapacity);
        }

        if (IsReplaced && end <= LargestSegment)
        {
            return ReplaceOnly((int)end, (int)room);
        }

        AddSegments(end - room, room, isZeroed);
        return null;
    }

    /// <summary>Takes the first memory of a stream that <see cref="IsFresh"/>. Returns the size of the segment, the current one.</summary>
    internal int TakeOnly(int size)
    {
        if (Options.Heap is { } heap)
        {
            size = GetBlockSize(Math.Max(size, LeastSegment), Options.MaxCapacity);
            CurrentPointer = (byte*)heap.Allocate((nuint)size);
        }
        else
        {
            CurrentArray = RentOnly(size);
            size = CurrentArray.Length;
        }

        CurrentSize = size;
        return size;
    }

    /// <summary>Rents the first array of a default stream.</summary>
    internal static byte[] RentOnly(int size) => BufferPool<byte>.Shared.Rent(Math.Max(size, LeastSegment));

    /// <summary>
    /// Makes room for <paramref name="least"/> contiguous bytes after the contents; false when existing memory there is not contiguous.
    /// The options must allow so many.
    /// </summary>
    internal bool TryExtendContiguously(int least)
    {
        if (ContiguousRoomBehindLength >= least)
        {
            return true;
        }

        if (IsReplaced && Length + least <= LargestSegment)
        {
            GiveBack(Reserve(Length + least));
            return true;
        }

        return TryAddBehindLength(least);
    }

    /// <summary>
    /// Takes a buffer of at least <paramref name="least"/> bytes, whose bytes will be copied to the contents, in place of the last one.
    /// </summary>
    internal byte[] AddPending(int least)
    {
        // The table first: if there is no memory for it, no buffer has been taken.
        SegmentTable table = GetTable();
        byte[] pending = Rent(Math.Max(least, LeastSegment));
        byte[]? unused = table.Pending;
        table.Pending = pending;
        GiveBackWritten(unused);
        return pending;
    }

    /// <summary>Returns the buffer of <see cref="AddPending"/>, if there is one.</summary>
    internal readonly void DropPending()
    {
        if (Table is { Pending: { } pending } table)
        {
            table.Pending = null;
            GiveBackWritten(pending);
        }
    }

    /// <summary>Makes room up to <paramref name="capacity"/>, at least 1, and returns the segments past it.</summary>
    internal void ChangeRoom(long capacity)
    {
        GiveBack(Reserve(capacity));
        if (Table is { } table)
        {
            while (table.Last.Start >= capacity)
            {
                Segment last = table.RemoveLast();
                GiveBack(last, table.ExposedTo - last.Start);
            }
        }
    }

    /// <summary>
    /// Returns all memory. Numbers stay as they are, because a hit on another thread may be about to compute with them;
    /// <see cref="Forget"/> sets them back.
    /// </summary>
    internal void GiveUp()
    {
        SegmentTable? table = Table;
        if (table is not null)
        {
            table.NoteExposed(Length);
            DropMemory();
            SegmentReturn.GiveBack(table, Options);
            return;
        }

        byte[]? array = CurrentArray;
        byte* block = CurrentPointer;
        int size = CurrentSize;
        DropMemory();
        if (block is null)
        {
            GiveBack(array);
        }
        else
        {
            Segment.FreeBlock(Options.Heap!, block, size);
        }
    }

    /// <summary>
    /// Returns all memory of a default stream with at most one array, as <see cref="GiveUp"/> does. The segment begins nowhere from then
    /// on, so that a read or seek misses even if a first write takes an array at this moment.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GiveUpOnly()
    {
        byte[]? only = CurrentArray;
        CurrentArray = null;
        CurrentStart = Gone;
        if (only is not null)
        {
            BufferPool<byte>.Shared.Return(only);
        }
    }

    /// <summary>Rents an array for the stream's own use. A test may refuse it.</summary>
    internal readonly byte[] Rent(int size)
    {
        Options.BeforeRent?.Invoke(size);
        if (Options.Budget is not null)
        {
            return BudgetedSegments.Rent(size, in this);
        }

        return Options.Pool is { } pool ? pool.Rent(size) : BufferPool<byte>.Shared.Rent(size);
    }

    /// <summary>Returns an array without clearing it.</summary>
    internal readonly void GiveBack(byte[]? array)
    {
        if (array is null)
        {
            return;
        }

        if (Options.Pool is { } pool)
        {
            pool.Return(array);
        }
        else
        {
            BufferPool<byte>.Shared.Return(array);
        }

        BudgetedSegments.Return(array.Length, Options);
    }

    /// <summary>
    /// Returns an array that contains bytes of the stream, or bytes to be copied to it, and clears it if the options require. Null is
    /// ignored.
    /// </summary>
    internal readonly void GiveBackWritten(byte[]? array)
    {
        if (array is not null)
        {
            GiveBack(new Segment { Array = array, Size = array.Length }, array.Length);
        }
    }

    private readonly void GiveBack(in Segment segment, long dirty) => SegmentReturn.GiveBack(segment, dirty, Options);

    private void DropMemory()
    {
        Table = null;
        CurrentArray = null;
        CurrentPointer = null;
    }

    /// <summary>Drops the bytes and the memory; their new owner returns them.</summary>
    internal void Forget()
    {
        DropMemory();
        CurrentStart = 0;
        Length = 0;
        CurrentSize = 0;
        Offset = 0;
    }

    private byte[]? ReplaceOnly(int end, int room)
    {
        byte[]? replaced = CurrentArray;
        long wanted = BudgetedSegments.Fit(in this, end, Math.Max(end, replaced is null ? LeastSegment : room * Replacement));
        byte[] array = Rent((int)Math.Min(wanted, Options.MaxCapacity));
        CachedCopy.Copy(replaced.AsSpan(0, (int)Math.Min(Length, room)), array);
        CurrentArray = array;
        CurrentSize = (int)Math.Min(array.Length, Options.MaxCapacity);
        return replaced;
    }

    private void AddSegments(long missing, long room, bool isZeroed)
    {
        // Taken segment by segment, the arrays would exhaust the machine's memory before anything failed. Untouched native memory takes
        // none.
        if (Options.Heap is null && missing > MemoryPressure.AvailableBytes)
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
                table.MakePlace();
                long size = Math.Min(wanted - (table.Capacity - room), LargestSegment);
                table.Add(Take((int)size, Options.MaxCapacity - table.Capacity, isZeroed));
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

    /// <summary>Returns the number of bytes to add to <paramref name="room"/> when <paramref name="missing"/> are needed.</summary>
    private readonly long SizeOfNext(long missing, long room)
    {
        long next = room <= LargestDoubling ? Math.Max(room, LeastSegment) : Math.Clamp(room / 4, LargestDoubling, LargestGrowth);
        return BudgetedSegments.Fit(in this, missing, Math.Min(Math.Max(missing, next), Options.MaxCapacity - room));
    }

    /// <summary>Takes memory for a segment of at least <paramref name="size"/> and at most <paramref name="most"/> bytes.</summary>
    private readonly Segment Take(int size, long most, bool isZeroed)
    {
        if (Options.Heap is not { } heap)
        {
            byte[] array = Rent(size);
            return new Segment { Array = array, Size = (int)Math.Min(array.Length, most) };
        }

        int whole = GetBlockSize(size, most);
        void* block = Options.Budget is not null ? BudgetedSegments.Allocate(whole, isZeroed, in this)
            : isZeroed ? heap.AllocateZeroed((nuint)whole) : heap.Allocate((nuint)whole);
        return new Segment { Block = (byte*)block, BlockSize = whole, Size = whole };
    }

    /// <summary>Returns the size of a block for at least <paramref name="size"/> and at most <paramref name="most"/> bytes.</summary>
    private static int GetBlockSize(int size, long most) =>
        (int)Math.Min(Math.Min((long)NativeHeap.GetBlockSize((nuint)size), int.MaxValue), most);

    /// <summary>Returns the table. If there is none, creates it and adds the only segment, if any.</summary>
    private SegmentTable GetTable()
    {
        if (Table is not { } table)
        {
            table = new SegmentTable(AlwaysHasTable ? 1 : FirstRoom, Options.Heap);
            if (CurrentSize > 0)
            {
                table.Add(new Segment { Array = CurrentArray, Block = CurrentPointer, Size = CurrentSize, BlockSize = CurrentSize });
            }

            Table = table;
        }

        return table;
    }

    /// <summary>The contiguous bytes after the contents.</summary>
    private readonly long ContiguousRoomBehindLength =>
        Table is not { } table ? CurrentSize - Length : table.Count == 0 ? 0 : table[table.Find(Length)].End - Length;

    /// <summary>Closes the last segment at the length and adds one after it; false when the length is in an earlier segment.</summary>
    private bool TryAddBehindLength(int least)
    {
        SegmentTable table = GetTable();
        if (table.Count > 0 && Length < table.Last.Start)
        {
            return false;
        }

        long size = Math.Max(least, Math.Min(SizeOfNext(least, Length), LargestSegment));
        table.MakePlace();
        Segment next = Take((int)size, Options.MaxCapacity - Length, isZeroed: false);
        if (table.Count > 0 && Length == table.Last.Start)
        {
            long exposedTo = table.ExposedTo;
            Segment unused = table.RemoveLast();
            table.ExposedTo = Math.Min(exposedTo, Length);
            table.Add(next);
            GiveBack(unused, exposedTo - unused.Start);
            return true;
        }

        if (table.Count > 0)
        {
            CloseLast(table, Length);
            table.ExposedTo = Math.Min(table.ExposedTo, Length);
        }

        table.Add(next);
        return true;
    }

    /// <summary>
    /// Ends the last segment at <paramref name="position"/>. Clears the bytes written past it now, because nothing would clear them later.
    /// </summary>
    private readonly void CloseLast(SegmentTable table, long position)
    {
        Segment last = table.Last;
        int size = (int)(position - last.Start);
        int exposed = (int)Math.Clamp(table.ExposedTo - last.Start, size, last.Size);
        if (Options.Clearing != StreamClearing.None)
        {
            last.GetSpan(size, exposed - size).Clear();
        }

        table.CloseLast(size);
    }
}
