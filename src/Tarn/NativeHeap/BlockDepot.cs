namespace Tarn;

/// <summary>The shared store of one size class's magazines: those with blocks, and some without that wait to be filled again.</summary>
/// <remarks>
/// What a magazine with blocks was granted of the budget stays with it; one without has none. All members are safe to call from any
/// thread.
/// </remarks>
internal sealed class BlockDepot
{
    /// <summary>More magazines with blocks are emptied into the slabs: the list of free blocks must not outgrow what it lists.</summary>
    private const int MaxFilled = 128;

    private const int MaxEmpty = 16;

    private readonly Lock _lock = new();

    /// <summary>The one that came last is at the end.</summary>
    private readonly List<BlockMagazine> _filled = [];

    private readonly Stack<BlockMagazine> _empty = new();

    /// <summary>Blocks in the depot.</summary>
    internal long BlockCount { get; private set; }

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

    /// <summary>Takes the magazine with blocks that came last; null when there is none.</summary>
    internal BlockMagazine? TakeFilled()
    {
        if (BlockCount == 0)
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
            BlockCount -= magazine.FreeCount;
            return magazine;
        }
    }

    /// <summary>Puts a magazine with blocks in; false when there are enough.</summary>
    internal bool TryAddFilled(BlockMagazine magazine, TimeSpan now)
    {
        lock (_lock)
        {
            if (_filled.Count >= MaxFilled)
            {
                return false;
            }

            magazine.Since = now;
            _filled.Add(magazine);
            BlockCount += magazine.FreeCount;
            return true;
        }
    }

    /// <summary>A magazine without blocks and with room for <paramref name="room"/>, which may be less than one here has.</summary>
    internal BlockMagazine TakeEmpty(int room)
    {
        lock (_lock)
        {
            if (_empty.TryPeek(out BlockMagazine? magazine) && magazine.Room >= room)
            {
                return _empty.Pop();
            }
        }

        return new BlockMagazine(room);
    }

    /// <summary>Keeps a magazine without blocks and grant for <see cref="TakeEmpty"/>, if it is worth it.</summary>
    internal void AddEmpty(BlockMagazine magazine)
    {
        lock (_lock)
        {
            if (_empty.Count < MaxEmpty)
            {
                _empty.Push(magazine);
            }
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
            BlockCount -= oldest.FreeCount;
            return oldest;
        }
    }

    /// <summary>For tests, while no other thread uses the heap.</summary>
    internal IReadOnlyList<BlockMagazine> Filled => _filled;
}
