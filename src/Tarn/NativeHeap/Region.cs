namespace Tarn.Native;

/// <summary>Reserved address space that holds slabs, in granules of 64 KiB. Guarded by the lock of its <see cref="RegionSet"/>.</summary>
/// <remarks>
/// <para>A granule is in one of three states: taken (by a slab, or for a call to the system), idle (committed and free since
/// <see cref="_since"/>), or neither. <c>IdleCount</c> counts the granules that are committed and not taken. A slab's granules are
/// committed and refer to their slab, so a block's address leads to its slab and class.</para>
/// </remarks>
internal sealed class Region
{
    internal const int GranuleShift = 16;
    internal const nuint GranuleSize = 1 << GranuleShift;

    private readonly Slab?[] _slabs;
    private readonly bool[] _isTaken;
    private readonly bool[] _isCommitted;

    /// <summary>When a free, committed granule became free.</summary>
    private readonly TimeSpan[] _since;

    /// <summary>No granule below this index is free.</summary>
    private int _firstFree;

    internal Region(nint address, nuint size)
    {
        Address = address;
        Size = size;
        _slabs = new Slab?[GranuleCount];
        _isTaken = new bool[GranuleCount];
        _isCommitted = new bool[GranuleCount];
        _since = new TimeSpan[GranuleCount];
    }

    internal nint Address { get; }

    internal nuint Size { get; }

    internal int GranuleCount => (int)(Size >> GranuleShift);

    internal int TakenCount { get; private set; }

    internal int CommittedCount { get; private set; }

    internal int IdleCount { get; private set; }

    /// <summary>Every slab of the region, ordered by address.</summary>
    internal IEnumerable<Slab> Slabs => _slabs.Where(static slab => slab is not null).Distinct()!;

    internal nint AddressOf(int granule) => Address + ((nint)granule << GranuleShift);

    /// <summary>Finds the slab that contains <paramref name="block"/>, an address in this region; null when there is none.</summary>
    /// <remarks>Needs no lock: the slab of a block that is out does not change.</remarks>
    internal Slab? FindSlab(nint block) => Volatile.Read(ref _slabs[(block - Address) >> GranuleShift]);

    internal void SetSlab(int first, int count, Slab? slab)
    {
        for (int granule = first; granule < first + count; granule++)
        {
            Volatile.Write(ref _slabs[granule], slab);
        }
    }

    /// <summary>
    /// Finds the first of <paramref name="count"/> consecutive free granules, at a multiple of <paramref name="alignment"/> granules; -1
    /// when there are none.
    /// </summary>
    internal int FindFree(int count, int alignment)
    {
        while (_firstFree < GranuleCount && _isTaken[_firstFree])
        {
            _firstFree++;
        }

        int first = (_firstFree + alignment - 1) / alignment * alignment;
        while (first <= GranuleCount - count)
        {
            int taken = _isTaken.AsSpan(first, count).LastIndexOf(true);
            if (taken < 0)
            {
                return first;
            }

            first = (first + taken + alignment) / alignment * alignment;
        }

        return -1;
    }

    /// <summary>Finds the next run, from <paramref name="from"/> on, of granules idle since <paramref name="before"/> or longer.</summary>
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

    /// <summary>Takes free granules.</summary>
    internal void Take(int first, int count)
    {
        _isTaken.AsSpan(first, count).Fill(true);
        TakenCount += count;
        IdleCount -= CountCommitted(first, count);
    }

    /// <summary>Undoes <see cref="Take"/>. Granules that were idle keep their idle time.</summary>
    internal void PutBack(int first, int count)
    {
        _isTaken.AsSpan(first, count).Clear();
        TakenCount -= count;
        IdleCount += CountCommitted(first, count);
        _firstFree = Math.Min(_firstFree, first);
    }

    /// <summary>Makes granules of a slab idle.</summary>
    internal void Give(int first, int count, TimeSpan since)
    {
        _since.AsSpan(first, count).Fill(since);
        PutBack(first, count);
    }

    /// <summary>Notes that taken granules were committed or decommitted.</summary>
    internal void SetCommitted(int first, int count, bool isCommitted)
    {
        CommittedCount += (isCommitted ? count : 0) - CountCommitted(first, count);
        _isCommitted.AsSpan(first, count).Fill(isCommitted);
    }

    /// <summary>
    /// Whether the counts match the granules, and taken granules are committed and have slabs. For tests, while no call is in progress.
    /// </summary>
    internal bool IsValid()
    {
        bool valid = TakenCount == _isTaken.AsSpan().Count(true) && CommittedCount == _isCommitted.AsSpan().Count(true)
            && IdleCount == CommittedCount - TakenCount;
        for (int granule = 0; granule < GranuleCount; granule++)
        {
            valid &= _isTaken[granule] == _slabs[granule] is not null;
            valid &= _isCommitted[granule] || !_isTaken[granule];
            valid &= granule >= _firstFree || _isTaken[granule];
        }

        return valid;
    }

    private bool IsIdleSince(int granule, TimeSpan before) =>
        _isCommitted[granule] && !_isTaken[granule] && _since[granule] <= before;
}
