using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// Holds the bytes of a stream in segments: reads, writes and clears them at any position, grows, and returns the memory.
/// </summary>
/// <remarks>
/// <para>It is a field of the <see cref="PooledMemoryStream"/> or <see cref="DetachedBytes"/> that owns the bytes, so that a small stream
/// is one object. Never copy it: <see cref="TakeOver"/> moves the bytes.</para>
/// <para>An only segment that need not be cleared is <see cref="CurrentArray"/> or <see cref="CurrentPointer"/>. Several segments, and
/// segments to be cleared, are in <see cref="Table"/>. One segment is the current one: a stream's cursor reaches its bytes without
/// reading the table. A method that changes the segments does not change the current one; the stream then calls
/// <see cref="Select"/>.</para>
/// <para>Invariants: <c>0 ≤ Length ≤ Room ≤ MaxCapacity</c>; without a table the current segment is the only one and begins at 0, unless
/// the most recently selected position is past <see cref="Room"/>. Not safe for concurrent use.</para>
/// </remarks>
internal unsafe partial struct SegmentedBytes
{
    /// <summary>Set once, by the owner. A constructor would copy the whole struct into the owner.</summary>
    internal PooledMemoryStreamOptions Options;

    /// <summary>The segments; null while there is none, or only an array or a block that need not be cleared.</summary>
    internal SegmentTable? Table;

    /// <summary>The array of the current segment; null in a native one.</summary>
    internal byte[]? CurrentArray;

    /// <summary>The memory of the current segment, if it is native.</summary>
    internal byte* CurrentPointer;

    /// <summary>The position of the current segment's first byte; without memory, the selected position.</summary>
    internal long CurrentStart;

    internal long Length;

    /// <summary>The size of the current segment; without a table that of the only segment, wherever the selected position is.</summary>
    internal int CurrentSize;

    /// <summary>The selected position, relative to the current segment's first byte.</summary>
    internal int Offset;

    /// <summary>Whether all memory is plain arrays from the shared pool: the common case, for which there are shortcuts.</summary>
    internal readonly bool IsDefault => ReferenceEquals(Options, PooledMemoryStreamOptions.Default);

    /// <summary>
    /// Whether <see cref="TakeOnly"/> may take the first memory: there is none yet, the position is 0, and no option but the heap matters.
    /// </summary>
    internal readonly bool IsFresh => CurrentSize == 0 && Table is null && CurrentStart == 0 && (IsDefault || Options.IsPlainNative);

    /// <summary>The bytes that there is memory for.</summary>
    internal readonly long Room => Table is { } table ? table.Capacity : CurrentSize;

    /// <summary>Ends the waits for the budget with the stream; null without a budget, and for detached bytes.</summary>
    internal readonly BudgetHolder? Holder => Options.Holder;

    /// <summary>The bytes of the budget that the memory here has, as <see cref="BudgetedSegments"/> took them.</summary>
    internal readonly long Held
    {
        get
        {
            long held = Holder?.HeldBeside ?? 0;
            if (Table is not { } table)
            {
                return held + (CurrentArray?.Length ?? (CurrentPointer is null ? 0 : CurrentSize));
            }

            foreach (ref Segment segment in table.Segments)
            {
                held += segment.Array?.Length ?? segment.BlockSize;
            }

            return held + (table.Pending?.Length ?? 0);
        }
    }

    /// <summary>Whether one more byte needs more memory.</summary>
    internal readonly bool IsFull => Length == Room;

    /// <summary>
    /// Makes the segment that contains <paramref name="position"/> the current one; at the end of the segments, the last one.
    /// </summary>
    /// <returns>The segment's size; 0 when there is no memory at the position.</returns>
    internal int Select(long position)
    {
        if (Table is { } table)
        {
            if (position > table.Capacity || table.Count == 0)
            {
                CurrentStart = position;
                Offset = 0;
                return 0;
            }

            table.Current = table.Find(position);
            ref Segment segment = ref table[table.Current];
            CurrentArray = segment.Array;
            CurrentPointer = segment.Block;
            CurrentStart = segment.Start;
            CurrentSize = segment.Size;
            Offset = (int)(position - segment.Start);
            return segment.Size;
        }

        int size = position > CurrentSize ? 0 : CurrentSize;
        CurrentStart = size == 0 ? position : 0;
        Offset = (int)(position - CurrentStart);
        return size;
    }

    /// <summary>A part of the current segment as memory.</summary>
    internal Memory<byte> GetCurrentMemory(int offset, int length) => GetTableUnlessArray() is { } table
        ? table[table.Current].GetMemory(Options.Heap, offset, length)
        : new Memory<byte>(CurrentArray, offset, length);

    /// <summary>A part of the current segment as a span, which does not keep it.</summary>
    internal readonly Span<byte> GetCurrentSpan(int offset, int length) =>
        CurrentPointer is null ? CurrentArray.AsSpan(offset, length) : new Span<byte>(CurrentPointer + offset, length);

    /// <summary>The table, with an only block in it; null while there is no memory, or only an array.</summary>
    internal SegmentTable? GetTableUnlessArray() => Table is null && CurrentPointer is not null ? GetTable() : Table;

    /// <summary>Copies bytes from <paramref name="position"/> on to <paramref name="target"/>, and returns their number.</summary>
    /// <param name="position">The position of the first byte.</param>
    /// <param name="target">Receives the bytes.</param>
    /// <param name="isParallel">Whether to use several cores if the options allow it.</param>
    internal readonly int Read(long position, Span<byte> target, bool isParallel = false) =>
        Read(Table, Table is null ? GetOnly(0, CurrentSize) : default, Length, position, target, isParallel);

    /// <summary>Reads from a table, or without one from the only segment, that were loaded before they may have been given up.</summary>
    internal readonly int Read(
        SegmentTable? loaded, ReadOnlySpan<byte> only, long length, long position, Span<byte> target, bool isParallel)
    {
        int count = (int)Math.Min(target.Length, Math.Max(0, length - position));
        target = target[..count];
        isParallel &= IsParallel(count);
        if (count == 0)
        {
            return 0;
        }

        if (loaded is not null)
        {
            loaded.Read(position, target, isParallel);
        }
        else
        {
            BufferCopy.CopyPart(only.Slice((int)position, count), target, count, isParallel);
        }

        return count;
    }

    /// <summary>
    /// Copies bytes to <paramref name="position"/>, where there must be room, and extends the length if they end past it.
    /// </summary>
    internal void Write(long position, ReadOnlySpan<byte> source)
    {
        if (Table is { } table)
        {
            table.Write(position, source, IsParallel(source.Length));
        }
        else
        {
            BufferCopy.CopyPart(source, GetOnly((int)position, source.Length), source.Length, IsParallel(source.Length));
        }

        Length = Math.Max(Length, position + source.Length);
    }

    /// <summary>Returns the contents as a sequence, without copying them.</summary>
    internal ReadOnlySequence<byte> GetSequence()
    {
        if (Length == 0)
        {
            return ReadOnlySequence<byte>.Empty;
        }

        return GetTableUnlessArray() is { } table ? table.GetSequence(Length) : new ReadOnlySequence<byte>(CurrentArray!, 0, (int)Length);
    }

    /// <summary>
    /// Whether <paramref name="source"/> overlaps the bytes that writing it at <paramref name="position"/> would replace.
    /// </summary>
    internal bool Overlaps(in ReadOnlySequence<byte> source, long position)
    {
        if (position >= Length || source.IsSingleSegment)
        {
            return false;
        }

        ReadOnlySequence<byte> own = GetSequence().Slice(position, Math.Min(source.Length, Length - position));
        foreach (ReadOnlyMemory<byte> target in own)
        {
            foreach (ReadOnlyMemory<byte> part in source)
            {
                if (part.Span.Overlaps(target.Span))
                {
                    return true;
                }
            }
        }

        return false;
    }

    /// <summary>Joins several segments in one array.</summary>
    /// <returns>
    /// The segments that the array replaced, for <see cref="SegmentReturn.GiveBack(SegmentTable, PooledMemoryStreamOptions)"/>.
    /// </returns>
    internal SegmentTable? Join()
    {
        if (Table is not { Count: > 1 } table)
        {
            return null;
        }

        DropPending();
        byte[] array = Rent((int)Math.Min(table.Capacity, Array.MaxLength));
        Read(0, array.AsSpan(0, (int)Length));
        table.NoteExposed(Length);
        Table = null;
        CurrentArray = array;
        CurrentSize = (int)Math.Min(array.Length, Options.MaxCapacity);
        if (AlwaysHasTable)
        {
            GetTable().NoteExposed(Length);
        }

        return table;
    }

    /// <summary>Returns all memory, and has no bytes then, also where a pool with checks refuses a part of the memory.</summary>
    internal void Empty()
    {
        try
        {
            GiveUp();
        }
        finally
        {
            Forget();
        }
    }

    /// <summary>The array of the only segment, for a caller that may write anywhere in it.</summary>
    internal readonly byte[] ExposeOnly()
    {
        if (Table is { } single)
        {
            single.NoteExposed(single.Capacity);
            return single.Count == 0 ? [] : single.Last.Array!;
        }

        return CurrentArray ?? [];
    }

    /// <summary>
    /// Makes room up to <paramref name="room"/>, with zeros from the length to <paramref name="end"/>; returns what <see cref="Reserve"/>
    /// does.
    /// </summary>
    internal byte[]? Extend(long end, long room)
    {
        long before = Room;
        byte[]? replaced = Reserve(room, isZeroed: true);

        // Fresh native memory is zero, and writing zeros would make the system back it.
        Clear(Length, Options.Heap is null ? end : Math.Min(end, before));
        return replaced;
    }

    /// <summary>Notes that the bytes before <paramref name="end"/> may be written from now on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void NoteExposed(long end) => Table?.NoteExposed(end);

    private readonly bool IsParallel(int count) => Options.ParallelCopyThreshold > 0 && count >= Options.ParallelCopyThreshold;

    private readonly void Clear(long position, long end)
    {
        if (Table is { } table)
        {
            table.Clear(position, end);
        }
        else
        {
            BufferCopy.Clear(GetOnly((int)position, (int)(end - position)));
        }
    }

    /// <summary>A part of the only segment, without a table.</summary>
    private readonly Span<byte> GetOnly(int position, int count) =>
        CurrentPointer is null ? CurrentArray.AsSpan(position, count) : new Span<byte>(CurrentPointer, CurrentSize).Slice(position, count);

    /// <summary>
    /// Moves the bytes of <paramref name="other"/> here, where there are none, and leaves <paramref name="other"/> empty.
    /// </summary>
    internal void TakeOver(ref SegmentedBytes other)
    {
        PooledMemoryStreamOptions options =
            other.Holder is null ? other.Options : new PooledMemoryStreamOptions(other.Options) { Holder = null };
        this = other;
        Options = options;
        other.Forget();
    }
}
