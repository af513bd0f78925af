namespace Tarn;

/// <summary>
/// The shared store of one size class's magazines: those with blocks, and some empty ones for reuse. Guarded by the lock of its
/// <see cref="BlockClass"/>.
/// </summary>
/// <remarks>
/// When threads hand over only a few blocks at a time, the depot adds them to the topmost magazine, so it holds few magazines.
/// </remarks>
internal sealed class BlockDepot(nuint blockSize)
{
    /// <summary>
    /// The most magazines the depot keeps, with blocks and without. It empties further ones into the slabs: the list of free blocks must
    /// not outgrow the blocks it lists.
    /// </summary>
    private const int MaxFilled = 128;

    private readonly int _capacity = BlockRoom.MaxCapacityOf(blockSize);

    /// <summary>The most recently added magazine is at the end.</summary>
    private readonly List<BlockMagazine> _filled = [];

    private readonly Stack<BlockMagazine> _empty = new();

    /// <summary>Magazines at the bottom that were untouched since the last <see cref="TakeUnneeded"/>.</summary>
    private int _lowWater;

    private long _blockCount;

    /// <summary>Blocks in the depot. May be read without the lock, to skip an empty depot.</summary>
    internal long BlockCount => Volatile.Read(ref _blockCount);

    /// <summary>The magazines with blocks; for tests, while no other thread uses the heap.</summary>
    internal IReadOnlyList<BlockMagazine> Filled => _filled;

    /// <summary>Whether there is room for another magazine with blocks.</summary>
    internal bool HasRoom => _filled.Count < MaxFilled;

    /// <summary>
    /// Takes up to <paramref name="most"/> blocks. Returns a magazine with blocks and keeps <paramref name="empty"/> in its place, or fills
    /// <paramref name="empty"/> from a magazine that holds more. Null when the depot is empty, or when an empty magazine is needed and
    /// missing.
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

    /// <summary>Takes a block; 0 when the depot is empty.</summary>
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
    /// Takes the blocks of the caller's magazine and returns an empty one for it, which may be the same. Returns null, with nothing
    /// changed, if there is no memory to list them.
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
    /// Returns an empty magazine with room for <paramref name="room"/>, new if there is none here. Returns null if there is no memory for
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

    /// <summary>Keeps an empty magazine if that is worthwhile.</summary>
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
                // An empty magazine may be dropped.
            }
        }
    }

    /// <summary>Takes out the oldest magazine if it was added before <paramref name="before"/>; otherwise null.</summary>
    internal BlockMagazine? TakeIdle(TimeSpan before)
    {
        if (_filled.Count == 0)
        {
            _empty.Clear();
            return null;
        }

        return _filled[0].Since <= before ? RemoveAt(0) : null;
    }

    /// <summary>Takes out a magazine that was untouched since this method last returned null.</summary>
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
