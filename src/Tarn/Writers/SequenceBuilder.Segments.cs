using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>The list of segments.</content>
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

    /// <summary>Makes contiguous room at the offset.</summary>
    /// <param name="sizeHint">The elements that must fit; 0 for one.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ThrowIfDisposed();
        int least = Math.Max(sizeHint, 1);
        if (_room < least && !TryGoOn(least))
        {
            Begin(RentNode(least));
        }
    }

    /// <summary>
    /// Writes what there is room for, once there is memory for the rest. Returns the rest, for which there is room then.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<T> WriteFirst(ReadOnlySpan<T> source)
    {
        ThrowIfDisposed();
        if (_room == 0)
        {
            TryGoOn(1);
        }

        int room = _room;
        if (source.Length > room)
        {
            BuilderNode<T> next = RentNode(source.Length - room);
            source[..room].CopyTo(new Span<T>(_array, _offset, room));
            Advance(room);
            source = source[room..];
            Begin(next);
        }

        return source;
    }

    /// <summary>
    /// Goes on in the array after memory of others was appended behind its segment: with a new segment, which owns the array from then on.
    /// </summary>
    private bool TryGoOn(int least)
    {
        if (_array is not { } array || _last == _owning || array.Length - _offset < least)
        {
            return false;
        }

        BuilderNode<T> rest = TakeNode();
        rest.TakeArray(_owning!);
        Begin(rest, _offset);
        return true;
    }

    /// <summary>Takes a segment with an array of its own that is not in the list yet.</summary>
    private BuilderNode<T> RentNode(int least)
    {
        BuilderNode<T> node = TakeNode();
        try
        {
            node.Array = _pool.Rent((int)Math.Max(least, Math.Clamp(Length, LeastLength, GreatestLength)));
        }
        catch
        {
            Keep(node);
            throw;
        }

        return node;
    }

    /// <summary>Goes on in a segment that owns its array, from an index of the array on.</summary>
    private void Begin(BuilderNode<T> node, int offset = 0)
    {
        T[] array = node.Array!;
        Link(node, array.AsMemory(offset));
        _array = array;
        _owning = node;
        _start = offset;
        _offset = offset;
        _room = array.Length - offset;
    }

    /// <summary>Adds a segment of memory that is not the builder's array.</summary>
    private BuilderNode<T> Add(ReadOnlyMemory<T> memory)
    {
        BuilderNode<T> node = TakeNode();
        Link(node, memory);
        _room = 0;
        return node;
    }

    /// <summary>Puts a segment behind the last one, which ends with what was written to it.</summary>
    private void Link(BuilderNode<T> node, ReadOnlyMemory<T> memory)
    {
        if (_last is { } last)
        {
            last.EndAt(LastLength);
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

    /// <summary>Gives up the segments before <paramref name="kept"/>, whose elements begin at an index then; all if it is null.</summary>
    private void DropBefore(BuilderNode<T>? kept, int index)
    {
        BuilderNode<T>? first = _first;
        if (kept is null)
        {
            Forget();
        }
        else
        {
            _first = kept;
            _firstIndex = index;
        }

        try
        {
            SegmentList.GiveBack(_pool, first, kept);
        }
        finally
        {
            if (_owning is { Array: null })
            {
                _array = null;
                _owning = null;
                _offset = 0;
            }

            while (first != kept)
            {
                BuilderNode<T> dropped = first!;
                first = dropped.Following;
                Keep(dropped);
            }
        }
    }

    /// <summary>Drops the list; its new owner gives the memory back.</summary>
    private void Forget()
    {
        _first = null;
        _last = null;
        _firstIndex = 0;
        _array = null;
        _owning = null;
        _offset = 0;
        _start = 0;
        _room = 0;
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
