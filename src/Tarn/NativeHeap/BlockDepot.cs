namespace Tarn;

/// <summary>The shared store of one size class's magazines: those with blocks, and some without that wait to be filled again.</summary>
/// <remarks>
/// What a magazine with blocks was granted of the budget stays with it; one without has none. All members are safe to call from any
/// thread.
/// </remarks>
internal sealed class BlockDepot
{
    /// <summary>More magazines with blocks are emptied into the slabs: the list of free blocks must not outgrow what it lists. Nor are more kept without.</summary>
    private const int MaxFilled = 128;

    private readonly Lock _lock = new();

    /// <summary>The one that came last is at the end.</summary>
    private readonly List<BlockMagazine> _filled = [];

    private readonly Stack<BlockMagazine> _empty = new();

    /// <summary>Written under the lock, read without it to pass by an empty depot.</summary>
    private long _blockCount;

    /// <summary>Blocks in the depot.</summary>
    internal long BlockCount => Volatile.Read(ref _blockCount);

    internal long GrantedBytes
    {
        get
        {
            lock (_lock)
            {
                return _filled.Sum(static magazine => magazine.Granted);
            }
        }
    }

    /// <summary>Takes the magazine with blocks that came last, and leaves one without blocks and grant, if any; null when there is none.</summary>
    internal BlockMagazine? TakeFilled(BlockMagazine? empty)
    {
        if (Volatile.Read(ref _blockCount) == 0)
        {
            return null;
        }

        lock (_lock)
        {
            if (_filled.Count == 0)
            {
                return null;
            }

            BlockMagazine magazine = _filled[^1];
            _filled.RemoveAt(_filled.Count - 1);
            _blockCount -= magazine.FreeCount;
            Keep(empty);
            return magazine;
        }
    }

    /// <summary>Puts a magazine with blocks in; false when there are enough.</summary>
    /// <param name="magazine">The magazine.</param>
    /// <param name="now">Since when it is here.</param>
    /// <param name="room">The room wanted of a magazine without blocks in its place.</param>
    /// <param name="empty">A magazine without blocks, if there is one with that room here.</param>
    internal bool TryAddFilled(BlockMagazine magazine, TimeSpan now, int room, out BlockMagazine? empty)
    {
        lock (_lock)
        {
            empty = null;
            if (_filled.Count >= MaxFilled)
            {
                return false;
            }

            magazine.Since = now;
            _filled.Add(magazine);
            _blockCount += magazine.FreeCount;
            empty = TakeKept(room);
            return true;
        }
    }

    /// <summary>A magazine without blocks and with room for <paramref name="room"/>, new if there is none here.</summary>
    internal BlockMagazine TakeEmpty(int room)
    {
        lock (_lock)
        {
            if (TakeKept(room) is { } empty)
            {
                return empty;
            }
        }

        return new BlockMagazine(room);
    }

    /// <summary>Keeps a magazine without blocks and grant, if it is worth it.</summary>
    internal void AddEmpty(BlockMagazine magazine)
    {
        lock (_lock)
        {
            Keep(magazine);
        }
    }

    /// <summary>Takes out one that has been there since before <paramref name="before"/>, the oldest; null when there is none.</summary>
    internal BlockMagazine? TakeIdle(TimeSpan before)
    {
        lock (_lock)
        {
            if (_filled.Count == 0)
            {
                _empty.Clear();
                return null;
            }

            BlockMagazine oldest = _filled[0];
            if (oldest.Since > before)
            {
                return null;
            }

            _filled.RemoveAt(0);
            _blockCount -= oldest.FreeCount;
            return oldest;
        }
    }

    /// <summary>For tests, while no other thread uses the heap.</summary>
    internal IReadOnlyList<BlockMagazine> Filled => _filled;

    private BlockMagazine? TakeKept(int room) =>
        _empty.TryPeek(out BlockMagazine? magazine) && magazine.Room >= room ? _empty.Pop() : null;

    private void Keep(BlockMagazine? empty)
    {
        if (empty is not null && _empty.Count < MaxFilled)
        {
            _empty.Push(empty);
        }
    }
}
