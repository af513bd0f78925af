using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>The list of segments, and room. What is here runs inside calls that entered.</content>
public sealed partial class SequenceBuilder<T>
{
    /// <summary>The least length of an array, and the greatest that nobody asked for.</summary>
    private const int LeastLength = 256;
    private const int GreatestLength = 1 << 18;

    /// <summary>The most segments to keep for another use.</summary>
    private const int MaxSpares = 32;

    /// <summary>Segments that were given up, each before the one that was given up earlier.</summary>
    private BuilderNode<T>? _spares;
    private int _spareCount;

    /// <summary>
    /// The room that was handed out last, if it is not behind the elements of the last segment: a segment that is in the list as soon as
    /// something is written to it. It has an array of its own, or goes on in that of <see cref="_owning"/>. While there is one, no hit
    /// writes elsewhere, and no segment of the list is empty.
    /// </summary>
    private BuilderNode<T>? _unwritten;

    /// <summary>Where that room begins in its array.</summary>
    private int _unwrittenStart;

    /// <summary>Whether the next elements may follow those of the last segment in its array.</summary>
    private bool IsOpen => _last is not null && _last == _owning;

    /// <summary>The room to write to next: what was handed out, or that of the last segment.</summary>
    private Memory<T> Room => _unwritten is { } unwritten ? (unwritten.Array ?? _owning!.Array!).AsMemory(_unwrittenStart)
        : IsOpen ? new Memory<T>(_owning!.Array, _offset, _room) : default;

    /// <summary>The elements of the last segment.</summary>
    private int LengthOfLast(BuilderNode<T>? last) => last is null ? 0 : last == _owning ? _offset - _start : last.Memory.Length;

    private long CountElements() =>
        _first is { } first && _last is { } last ? last.RunningIndex + LengthOfLast(last) - first.RunningIndex - _firstIndex : 0;

    /// <summary>Enters a call that changes the segments: until it leaves, a Dispose gives no memory back.</summary>
    /// <exception cref="ObjectDisposedException">The builder was disposed.</exception>
    private Inside Enter()
    {
        if (!_calls.TryPin())
        {
            WriterThrow.Disposed(nameof(SequenceBuilder<>));
        }

        return new Inside(this);
    }

    /// <summary>Ends a call. The last one inside a disposed builder gives the memory back, and its slice too if that fails.</summary>
    private void Leave(CountedSlice<T> slice = default)
    {
        if (!_calls.Unpin())
        {
            return;
        }

        try
        {
            GiveUp();
        }
        catch when (!slice.IsDefault)
        {
            slice.Dispose();
            throw;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Memory<T> GetMemorySlow(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        using Inside inside = Enter();
        int least = Math.Max(sizeHint, 1);
        if (Room.Length < least)
        {
            UnlinkEmpty();
            TakeRoom(least);
        }

        return Room;
    }

    /// <summary>An advance over nothing, one over room that is not in the list yet, or one to refuse.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AdvanceSlow(int count)
    {
        using Inside inside = Enter();
        int room = Room.Length;
        if ((uint)count > (uint)room)
        {
            WriterThrow.PastRoom(count, room);
        }

        if (count > 0)
        {
            AddWritten(count);
        }
    }

    /// <summary>Writes what there is room for, once there is memory for the rest, and then the rest.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ReadOnlySpan<T> source)
    {
        using Inside inside = Enter();
        if (Room.IsEmpty && !source.IsEmpty)
        {
            TryGoOn(1);
        }

        Memory<T> room = Room;
        BuilderNode<T>? next = source.Length > room.Length ? RentNode(source.Length - room.Length) : null;
        int first = Math.Min(source.Length, room.Length);
        if (first > 0)
        {
            source[..first].CopyTo(room.Span);
            AddWritten(first);
        }

        if (next is not null)
        {
            Begin(next, 0);
            source[first..].CopyTo(next.Array);
            AddWritten(source.Length - first);
        }
    }

    /// <summary>Takes room outside the last segment, in place of what was handed out before.</summary>
    private void TakeRoom(int least)
    {
        if (_unwritten is null && TryGoOn(least))
        {
            return;
        }

        BuilderNode<T> taken = RentNode(least);
        BuilderNode<T>? unused = _unwritten;
        _unwritten = taken;
        _unwrittenStart = 0;
        _array = null;
        GiveBack(unused);
    }

    /// <summary>Goes on in the array after memory of others was appended behind its segment.</summary>
    private bool TryGoOn(int least)
    {
        if (IsOpen || _owning is not { Array: { } array } || array.Length - _offset < least)
        {
            return false;
        }

        _unwritten = TakeNode();
        _unwrittenStart = _offset;
        return true;
    }

    /// <summary>Takes a segment with an array of its own that is not in the list yet.</summary>
    private BuilderNode<T> RentNode(int least)
    {
        BuilderNode<T> node = TakeNode();
        try
        {
            int wanted = (int)Math.Max(least, Math.Clamp(CountElements(), LeastLength, GreatestLength));
            node.Array = _budgeted is null ? _pool.Rent(wanted) : _budgeted.Rent(least, wanted);
        }
        catch
        {
            Keep(node);
            throw;
        }

        return node;
    }

    /// <summary>Adds elements that were written to the room.</summary>
    private void AddWritten(int count)
    {
        if (_unwritten is { } written)
        {
            _unwritten = null;
            if (written.Array is null)
            {
                written.TakeArray(_owning!);
            }

            Begin(written, _unwrittenStart);
        }

        _offset += count;
        _room -= count;
    }

    /// <summary>Goes on in a segment that owns its array, from an index of the array on.</summary>
    private void Begin(BuilderNode<T> node, int offset)
    {
        T[] array = node.Array!;
        Link(node, array.AsMemory(offset));
        _owning = node;
        _start = offset;
        _offset = offset;
        _room = array.Length - offset;
        _array = array;
    }

    /// <summary>Adds a segment of memory that is not the builder's array.</summary>
    private BuilderNode<T> Add(ReadOnlyMemory<T> memory)
    {
        UnlinkEmpty();
        BuilderNode<T> node = TakeNode();
        AddLast(node, memory);
        return node;
    }

    private void AddLast(BuilderNode<T> node, ReadOnlyMemory<T> memory)
    {
        Link(node, memory);
        _array = null;
        _room = 0;
    }

    /// <summary>Puts a segment behind the last one, which ends with what was written to it.</summary>
    private void Link(BuilderNode<T> node, ReadOnlyMemory<T> memory)
    {
        if (_last is { } last)
        {
            last.EndAt(LengthOfLast(last));
            node.Begin(memory, last.End);
            last.Append(node);
        }
        else
        {
            node.Begin(memory, runningIndex: 0);
            _first = node;
        }

        _last = node;
    }

    /// <summary>Takes an only segment whose elements were all consumed out of the list: none may follow it. Its room remains.</summary>
    private void UnlinkEmpty()
    {
        if (_last is { } last && last == _first && LengthOfLast(last) == _firstIndex)
        {
            Forget();
            _unwritten = last;
            _unwrittenStart = _offset;
        }
    }

    /// <summary>Gives up the segments before <paramref name="kept"/>, whose elements begin at an index then; all if it is null.</summary>
    private void DropBefore(BuilderNode<T>? kept, int index)
    {
        BuilderNode<T>? first = _first;
        for (BuilderNode<T>? node = first; node != kept; node = node!.Following)
        {
            if (node == _owning)
            {
                ForgetArray();
            }
        }

        _first = kept;
        _firstIndex = index;
        _last = kept is null ? null : _last;
        GiveBack(first, kept);
    }

    /// <summary>Lets go of the array, whose segment leaves the list. Room in it that was handed out keeps it.</summary>
    private void ForgetArray()
    {
        if (_unwritten is { Array: null } unwritten)
        {
            unwritten.TakeArray(_owning!);
        }

        _array = null;
        _owning = null;
        _room = 0;
    }

    /// <summary>Drops the list; its new owner gives the memory back. Room that goes with it cannot be used any more.</summary>
    private void Forget()
    {
        if (_unwritten is { Array: null } unwritten)
        {
            _unwritten = null;
            Keep(unwritten);
        }

        _first = null;
        _last = null;
        _firstIndex = 0;
        _array = null;
        _owning = null;
        _room = 0;
    }

    /// <summary>Drops the list, and returns its segments with that of the unwritten room, for the caller to give back.</summary>
    private BuilderNode<T>? TakeAll()
    {
        BuilderNode<T>? first = _first;
        if (_unwritten is { Array: not null } unwritten)
        {
            if (_last is { } last)
            {
                last.Append(unwritten);
            }
            else
            {
                first = unwritten;
            }

            _unwritten = null;
        }

        Forget();
        return first;
    }

    /// <summary>Gives back the memory of segments that are no longer in the list, and keeps the segments for another use.</summary>
    private void GiveBack(BuilderNode<T>? first, BuilderNode<T>? end = null)
    {
        try
        {
            SegmentList.GiveBack(_pool, _budgeted, first, end);
        }
        finally
        {
            while (first != end)
            {
                BuilderNode<T> dropped = first!;
                first = dropped.Following;
                Keep(dropped);
            }
        }
    }

    private BuilderNode<T> TakeNode()
    {
        if (_spares is not { } spare)
        {
            return new BuilderNode<T>();
        }

        _spares = spare.Following;
        _spareCount--;
        spare.Forget();
        return spare;
    }

    private void Keep(BuilderNode<T> node)
    {
        node.Forget();
        if (_spareCount < MaxSpares)
        {
            if (_spares is { } next)
            {
                node.Append(next);
            }

            _spares = node;
            _spareCount++;
        }
    }
}
