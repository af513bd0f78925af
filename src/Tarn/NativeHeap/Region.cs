namespace Tarn;

/// <summary>Reserved address space that holds slabs, in granules of 64 KiB. Guarded by the lock of its <see cref="RegionSet"/>.</summary>
/// <remarks>
/// A granule is used (by a slab), idle (committed, free since <see cref="_since"/>) or neither committed nor used. Used granules are
/// committed. A used granule knows its slab, so a block's address tells its slab and class.
/// </remarks>
internal sealed class Region
{
    internal const int GranuleShift = 16;
    internal const nuint GranuleSize = 1 << GranuleShift;

    private readonly Slab?[] _slabs;
    private readonly bool[] _isUsed;
    private readonly bool[] _isCommitted;

    /// <summary>When a free, committed granule became free.</summary>
    private readonly TimeSpan[] _since;

    /// <summary>No granule below it is free.</summary>
    private int _firstFree;

    internal Region(nint address, nuint size)
    {
        Address = address;
        Size = size;
        _slabs = new Slab?[GranuleCount];
        _isUsed = new bool[GranuleCount];
        _isCommitted = new bool[GranuleCount];
        _since = new TimeSpan[GranuleCount];
    }

    internal nint Address { get; }

    internal nuint Size { get; }

    internal int GranuleCount => (int)(Size >> GranuleShift);

    internal int UsedCount { get; private set; }

    internal int CommittedCount { get; private set; }

    /// <summary>Every slab here, in the order of addresses.</summary>
    internal IEnumerable<Slab> Slabs => _slabs.Where(static slab => slab is not null).Distinct()!;

    internal nint AddressOf(int granule) => Address + ((nint)granule << GranuleShift);

    /// <summary>The slab that <paramref name="block"/> lies in, an address in this region; null when it lies in none.</summary>
    /// <remarks>Without the lock: the slab of a block that is out does not change.</remarks>
    internal Slab? FindSlab(nint block) => Volatile.Read(ref _slabs[(block - Address) >> GranuleShift]);

    internal void SetSlab(int first, int count, Slab? slab)
    {
        for (int granule = first; granule < first + count; granule++)
        {
            Volatile.Write(ref _slabs[granule], slab);
        }
    }

    /// <summary>The first of <paramref name="count"/> free granules in a row, at a multiple of <paramref name="alignment"/> granules; -1 for none.</summary>
    internal int FindFree(int count, int alignment)
    {
        while (_firstFree < GranuleCount && _isUsed[_firstFree])
        {
            _firstFree++;
        }

        int first = (_firstFree + alignment - 1) / alignment * alignment;
        while (first <= GranuleCount - count)
        {
            int used = _isUsed.AsSpan(first, count).LastIndexOf(true);
            if (used < 0)
            {
                return first;
            }

            first = (first + used + alignment) / alignment * alignment;
        }

        return -1;
    }

    /// <summary>The next run, from <paramref name="from"/> on, of granules idle since <paramref name="before"/> or longer.</summary>
    internal (int First, int Count) FindIdle(int from, TimeSpan before)
    {
        while (from < GranuleCount && !IsIdleSince(from, before))
        {
            from++;
        }

        int end = from;
        while (end < GranuleCount && IsIdleSince(end, before))
        {
            end++;
        }

        return (from, end - from);
    }

    internal int CountCommitted(int first, int count) => _isCommitted.AsSpan(first, count).Count(true);

    internal void SetUsed(int first, int count, bool isUsed, TimeSpan since = default)
    {
        _isUsed.AsSpan(first, count).Fill(isUsed);
        _since.AsSpan(first, count).Fill(since);
        UsedCount += isUsed ? count : -count;
        if (!isUsed)
        {
            _firstFree = Math.Min(_firstFree, first);
        }
    }

    internal void SetCommitted(int first, int count, bool isCommitted)
    {
        CommittedCount += (isCommitted ? count : 0) - CountCommitted(first, count);
        _isCommitted.AsSpan(first, count).Fill(isCommitted);
    }

    /// <summary>Used granules are committed, have slabs, and are as many as is said. For tests.</summary>
    internal bool IsValid()
    {
        bool valid = UsedCount == _isUsed.AsSpan().Count(true) && CommittedCount == _isCommitted.AsSpan().Count(true);
        for (int granule = 0; granule < GranuleCount; granule++)
        {
            valid &= _isUsed[granule] == _slabs[granule] is not null;
            valid &= _isCommitted[granule] || !_isUsed[granule];
            valid &= granule >= _firstFree || _isUsed[granule];
        }

        return valid;
    }

    private bool IsIdleSince(int granule, TimeSpan before) =>
        _isCommitted[granule] && !_isUsed[granule] && _since[granule] <= before;
}
