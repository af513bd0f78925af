namespace Tarn;

/// <summary>
/// The shared store of one size class's magazines: those with blocks, and some without that wait to be filled again. Guarded by the lock
/// of its <see cref="BlockClass"/>.
/// </summary>
/// <remarks>
/// A few blocks are added to the topmost magazine, so a depot holds few magazines, however few blocks threads hand over at a time.
/// </remarks>
internal sealed class BlockDepot(nuint blockSize)
{
    /// <summary>
    /// More magazines with blocks are emptied into the slabs: the list of free blocks must not outgrow what it lists. Nor are more kept
    /// without.
    /// </summary>
    private const int MaxFilled = 128;

    private readonly int _capacity = BlockRoom.MaxCapacityOf(blockSize);

    /// <summary>The one that came last is at the end.</summary>
    private readonly List<BlockMagazine> _filled = [];

    private readonly Stack<BlockMagazine> _empty = new();

    /// <summary>Magazines at the bottom that were not touched since <see cref="TakeUnneeded"/> was called last.</summary>
    private int _lowWater;

    private long _blockCount;

    /// <summary>Blocks in the depot; may be read without the lock, to pass by an empty depot.</summary>
    internal long BlockCount => Volatile.Read(ref _blockCount);

    /// <summary>For tests, while no other thread uses the heap.</summary>
    internal IReadOnlyList<BlockMagazine> Filled => _filled;

    /// <summary>There is room for another magazine with blocks.</summary>
    internal bool HasRoom => _filled.Count < MaxFilled;

    /// <summary>
    /// Takes up to <paramref name="most"/> blocks: a magazine with blocks, for which <paramref name="empty"/> stays here; or
    /// <paramref name="empty"/> itself, with blocks of one that holds more. Null when there are none, or when there is no empty one.
    /// </summary>
    internal BlockMagazine? Take(BlockMagazine? empty, int most)
    {
        if (_filled.Count == 0)
        {
            return null;
        }

        BlockMagazine top = _filled[^1];
        _lowWater = Math.Min(_lowWater, _filled.Count - 1);
        if (top.Count <= most)
        {
            RemoveAt(_filled.Count - 1);
            Keep(empty);
            return top;
        }

        empty = empty?.Room >= most ? empty : TakeEmpty(most);
        if (empty is null)
        {
            return null;
        }

        top.MoveTop(most, empty);
        Volatile.Write(ref _blockCount, _blockCount - most);
        return empty;
    }

    /// <summary>A block, or 0 when there is none.</summary>
    internal nint TakeOne()
    {
        if (_filled.Count == 0)
        {
            return 0;
        }

        BlockMagazine top = _filled[^1];
        nint block = top.Stack[^1];
        top.Fill(top.Count - 1);
        Volatile.Write(ref _blockCount, _blockCount - 1);
        if (top.Count == 0)
        {
            Keep(RemoveAt(_filled.Count - 1));
        }

        _lowWater = Math.Min(_lowWater, Math.Max(0, _filled.Count - 1));
        return block;
    }

    /// <summary>
    /// Takes the blocks of a magazine of the caller's, and gives one without blocks for it, which may be the same; null when there is no
    /// memory to list them, and nothing has changed.
    /// </summary>
    internal BlockMagazine? Put(BlockMagazine magazine, TimeSpan now)
    {
        int count = magazine.Count;
        BlockMagazine? top = _filled.Count > 0 ? _filled[^1] : null;
        if (top is not null && top.Count + count <= top.Room)
        {
            magazine.MoveTop(count, top);
            top.Since = now;
            Volatile.Write(ref _blockCount, _blockCount + count);
            return magazine;
        }

        bool isFull = count * 2 >= _capacity;
        BlockMagazine? other = HasRoomInList() ? TakeEmpty(isFull ? magazine.Room : _capacity) : null;
        if (other is null)
        {
            return null;
        }

        BlockMagazine filled = isFull ? magazine : other;
        if (!isFull)
        {
            magazine.MoveTop(count, other);
        }

        filled.Since = now;
        _filled.Add(filled);
        Volatile.Write(ref _blockCount, _blockCount + count);
        return isFull ? other : magazine;
    }

    /// <summary>
    /// A magazine without blocks and with room for <paramref name="room"/>, new if there is none here; null when there is no memory for
    /// one.
    /// </summary>
    internal BlockMagazine? TakeEmpty(int room)
    {
        if (_empty.TryPeek(out BlockMagazine? magazine) && magazine.Room >= room)
        {
            return _empty.Pop();
        }

        try
        {
            return new BlockMagazine(room);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>Keeps a magazine without blocks, if it is worth it.</summary>
    internal void Keep(BlockMagazine? empty)
    {
        if (empty is not null && empty.Room >= _capacity && _empty.Count < MaxFilled)
        {
            try
            {
                _empty.Push(empty);
            }
            catch (OutOfMemoryException)
            {
                // One without blocks may as well go.
            }
        }
    }

    /// <summary>Takes out one that has been there since before <paramref name="before"/>, the oldest; null when there is none.</summary>
    internal BlockMagazine? TakeIdle(TimeSpan before)
    {
        if (_filled.Count == 0)
        {
            _empty.Clear();
            return null;
        }

        return _filled[0].Since <= before ? RemoveAt(0) : null;
    }

    /// <summary>Takes out one that was not touched since this last returned null.</summary>
    internal BlockMagazine? TakeUnneeded()
    {
        if (_lowWater > 0)
        {
            _lowWater--;
            return RemoveAt(0);
        }

        _lowWater = _filled.Count;
        return null;
    }

    /// <summary>One more can be listed, if there is memory for that.</summary>
    private bool HasRoomInList()
    {
        try
        {
            _filled.EnsureCapacity(_filled.Count + 1);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private BlockMagazine RemoveAt(int index)
    {
        BlockMagazine magazine = _filled[index];
        _filled.RemoveAt(index);
        _lowWater = Math.Min(_lowWater, _filled.Count);
        Volatile.Write(ref _blockCount, _blockCount - magazine.Count);
        return magazine;
    }
}
