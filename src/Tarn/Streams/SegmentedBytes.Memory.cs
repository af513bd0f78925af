using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Taking memory and giving it back.</content>
/// <remarks>
/// The first segment is replaced by one of four times its size while it is small, because copying less than an OS page is cheaper than
/// keeping book of two segments. A size hint, or a first write, gives one segment.
/// </remarks>
internal unsafe partial struct SegmentedBytes
{
    /// <summary>No segment is larger: as a pool's arrays.</summary>
    internal const int LargestSegment = 1 << 30;

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

    /// <summary>Where the first table is made there are two segments at once.</summary>
    private const int FirstRoom = 4;

    /// <summary>Whether even one segment needs the table: native memory, and what is to be cleared.</summary>
    private readonly bool AlwaysHasTable => Options.Heap is not null || Options.Zeroing != StreamZeroing.None;

    /// <summary>
    /// Makes room up to <paramref name="end"/>, or throws and changes nothing. It returns the only array if it replaced that: the caller
    /// gives it back when nobody reads it any more.
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

        if (Table is null && !AlwaysHasTable && end <= LargestSegment && room <= LargestReplaced)
        {
            return ReplaceOnly((int)end, (int)room);
        }

        AddSegments(end - room, room, isZeroed);
        return null;
    }

    /// <summary>Takes the first array of a default stream that has no memory yet.</summary>
    internal byte[] TakeOnly(int size)
    {
        byte[] array = BufferPool<byte>.Shared.Rent(Math.Max(size, LeastSegment));
        CurrentArray = array;
        return array;
    }

    /// <summary>
    /// Makes room for <paramref name="least"/> bytes in one piece behind the contents; false when there is memory already that is not
    /// contiguous.
    /// </summary>
    internal bool TryExtendContiguously(int least)
    {
        if (least > Options.MaxCapacity - Length)
        {
            StreamThrow.TooLong(Options.MaxCapacity);
        }

        if (ContiguousRoomBehindLength >= least)
        {
            return true;
        }

        if (Table is null && !AlwaysHasTable && Room <= LargestReplaced && Length + least <= LargestSegment)
        {
            GiveBack(Reserve(Length + least));
            return true;
        }

        return TryAddBehindLength(least);
    }

    /// <summary>
    /// Takes memory of at least <paramref name="least"/> bytes, to write in place what is to be copied into the contents.
    /// </summary>
    internal byte[] AddPending(int least)
    {
        byte[] pending = Rent(Math.Max(least, LeastSegment));
        GetTable().Pending = pending;
        return pending;
    }

    /// <summary>Gives the memory of <see cref="AddPending"/> back, if there is some.</summary>
    internal readonly void DropPending()
    {
        if (Table is { Pending: { } pending } table)
        {
            table.Pending = null;
            GiveBackWritten(pending);
        }
    }

    /// <summary>Makes room up to <paramref name="capacity"/>, more than 0, and gives back the segments that lie behind it.</summary>
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

    /// <summary>Moves the bytes here, where there are none, and leaves <paramref name="other"/> without any.</summary>
    internal void TakeOver(ref SegmentedBytes other)
    {
        this = other;
        other.Forget();
    }

    /// <summary>Gives all memory back; there are no bytes then.</summary>
    internal void GiveUp()
    {
        byte[]? only = Table is null ? CurrentArray : null;
        SegmentTable? table = Table;
        table?.NoteExposed(Length);
        Forget();
        GiveBack(only);
        if (table is not null)
        {
            SegmentReturn.GiveBack(table, Options);
        }
    }

    /// <summary>Gives all memory back, which is at most one array from the shared pool.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GiveUpOnly()
    {
        byte[]? only = CurrentArray;
        Forget();
        if (only is not null)
        {
            BufferPool<byte>.Shared.Return(only);
        }
    }

    /// <summary>Rents an array for the stream's own use; a test may refuse it.</summary>
    internal readonly byte[] Rent(int size)
    {
        Options.BeforeRent?.Invoke(size);
        return Options.Pool is { } pool ? pool.Rent(size) : BufferPool<byte>.Shared.Rent(size);
    }

    /// <summary>Returns an array that nothing is to be cleared in.</summary>
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
    }

    /// <summary>Returns an array that bytes of the stream, or to be of the stream, were written to; null is ignored.</summary>
    internal readonly void GiveBackWritten(byte[]? array)
    {
        if (array is not null)
        {
            GiveBack(new Segment { Array = array, Size = array.Length }, array.Length);
        }
    }

    private readonly void GiveBack(in Segment segment, long dirty) => SegmentReturn.GiveBack(segment, dirty, Options);

    /// <summary>Drops the bytes and the memory; their new owner gives them back.</summary>
    private void Forget()
    {
        Table = null;
        CurrentArray = null;
        CurrentPointer = null;
        CurrentStart = 0;
        Length = 0;
    }

    private byte[]? ReplaceOnly(int end, int room)
    {
        byte[]? replaced = CurrentArray;
        long wanted = Math.Max(end, replaced is null ? LeastSegment : room * Replacement);
        byte[] array = Rent((int)Math.Min(wanted, Options.MaxCapacity));
        replaced.AsSpan(0, (int)Math.Min(Length, room)).CopyTo(array);
        CurrentArray = array;
        return replaced;
    }

    private void AddSegments(long missing, long room, bool isZeroed)
    {
        // Segment by segment, the machine would be out of memory before anybody said no. Native memory that is not touched takes none.
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

    /// <summary>How many bytes to add to <paramref name="room"/> when <paramref name="missing"/> are needed.</summary>
    private readonly long SizeOfNext(long missing, long room)
    {
        long next = room <= LargestDoubling ? Math.Max(room, LeastSegment) : Math.Clamp(room / 4, LargestDoubling, LargestGrowth);
        return Math.Min(Math.Max(missing, next), Options.MaxCapacity - room);
    }

    /// <summary>Takes memory for a segment of at least <paramref name="size"/> bytes and no more than <paramref name="most"/>.</summary>
    private readonly Segment Take(int size, long most, bool isZeroed)
    {
        if (Options.Heap is not { } heap)
        {
            byte[] array = Rent(size);
            return new Segment { Array = array, Size = (int)Math.Min(array.Length, most) };
        }

        long whole = Math.Min(Math.Min((long)NativeHeap.GetBlockSize((nuint)size), int.MaxValue), most);
        void* block = isZeroed ? heap.AllocateZeroed((nuint)whole) : heap.Allocate((nuint)whole);
        return new Segment { Block = (byte*)block, BlockSize = (int)whole, Size = (int)whole };
    }

    /// <summary>The table, with the only array in it if there is one.</summary>
    private SegmentTable GetTable()
    {
        if (Table is not { } table)
        {
            table = new SegmentTable(AlwaysHasTable ? 1 : FirstRoom, Options.Heap);
            if (CurrentArray is { } only)
            {
                table.Add(new Segment { Array = only, Size = SizeOfOnly });
            }

            Table = table;
        }

        return table;
    }

    /// <summary>Bytes in one piece behind the contents.</summary>
    private readonly long ContiguousRoomBehindLength =>
        Table is not { } table ? SizeOfOnly - Length : table.Count == 0 ? 0 : table[table.Find(Length)].End - Length;

    /// <summary>Closes the last segment at the length and adds one behind it; false when the length lies in an earlier one.</summary>
    private bool TryAddBehindLength(int least)
    {
        SegmentTable table = GetTable();
        if (table.Count > 0 && Length < table.Last.Start)
        {
            return false;
        }

        long size = Math.Max(least, Math.Min(SizeOfNext(least, Length), LargestSegment));
        Segment next = Take((int)size, Options.MaxCapacity - Length, isZeroed: false);
        if (table.Count > 0)
        {
            if (Length == table.Last.Start)
            {
                Segment unused = table.RemoveLast();
                GiveBack(unused, table.ExposedTo - unused.Start);
            }
            else
            {
                CloseLast(table, Length);
            }

            table.ExposedTo = Math.Min(table.ExposedTo, Length);
        }

        table.Add(next);
        return true;
    }

    /// <summary>
    /// Ends the last segment at <paramref name="position"/>. What was written behind that is cleared now: nobody asks later.
    /// </summary>
    private readonly void CloseLast(SegmentTable table, long position)
    {
        Segment last = table.Last;
        int size = (int)(position - last.Start);
        int exposed = (int)Math.Clamp(table.ExposedTo - last.Start, size, last.Size);
        if (Options.Zeroing != StreamZeroing.None)
        {
            last.GetSpan(size, exposed - size).Clear();
        }

        table.CloseLast(size);
    }
}
