using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The slabs of one size class of one heap: the source that magazines are filled from and emptied into.</summary>
/// <remarks>
/// <para>Blocks are taken from the fullest slab that has any, so that those with few blocks out get to none: a slab whose blocks have all
/// come back goes back to its region, where any class can have its memory. Blocks that are smaller than a cache line are carved off the
/// current slab as long as it has any that were never out: what a thread is given then shares lines with nobody.</para>
/// <para>Guarded by the lock of its <see cref="BlockClass"/>, except for what never changes. It makes no calls to the system.</para>
/// </remarks>
internal sealed class SlabClass
{
    /// <summary>Blocks smaller than this share cache lines.</summary>
    internal const nuint LineSize = 64;

    /// <summary>
    /// Lists of slabs that are about as full, the fullest first: of the first at least half of the blocks are out, of each further one half
    /// as many. Among slabs of a list the one that changed last comes first, as its blocks are likely to be in the processor's cache.
    /// </summary>
    private const int Groups = 4;

    private readonly ulong _reciprocal;
    private readonly Slab?[] _listed = new Slab?[Groups];
    private Slab? _current;

    internal SlabClass(int index, nuint osPageSize)
    {
        Index = index;
        OsPageSize = osPageSize;
        BlockSize = BlockSizes.SizeOf(index);
        GranulesPerSlab = GranulesFor(BlockSize);
        BlocksPerSlab = (int)((nuint)GranulesPerSlab * Region.GranuleSize / BlockSize);
        _reciprocal = (uint.MaxValue / BlockSize) + 1;
    }

    internal int Index { get; }

    internal nuint BlockSize { get; }

    internal int BlocksPerSlab { get; }

    internal int GranulesPerSlab { get; }

    internal nuint OsPageSize { get; }

    internal int SlabCount { get; private set; }

    /// <summary>Blocks that are in use or in magazines.</summary>
    internal long OutCount { get; private set; }

    /// <summary>Blocks that were handed out for the first time, so far.</summary>
    internal long CarvedCount { get; private set; }

    /// <summary>Blocks that came back to slabs that have others out.</summary>
    internal long FreeCount { get; private set; }

    /// <summary>Slabs none of whose blocks is in use, some being aside.</summary>
    internal int AsideSlabs { get; private set; }

    /// <summary>Fills <paramref name="blocks"/>, from its end, with what there is; how many it got.</summary>
    internal int Take(Span<nint> blocks)
    {
        int missing = blocks.Length;
        while (missing > 0 && FindAvailable() is { } slab)
        {
            Span<nint> wanted = blocks[..missing];
            AsideSlabs -= slab.IsAside ? 1 : 0;
            int carved = BlockSize < LineSize ? slab.Carve(wanted) : 0;
            int taken = slab.TakeFree(wanted[..^carved]);
            carved += slab.Carve(wanted[..^(carved + taken)]);
            CarvedCount += carved;
            FreeCount -= taken;
            missing -= carved + taken;
            Sort(slab);
        }

        OutCount += blocks.Length - missing;
        return blocks.Length - missing;
    }

    /// <summary>Takes blocks back up to the first that is not one of this slab's that is out; how many.</summary>
    internal int Give(Slab slab, ReadOnlySpan<nint> blocks)
    {
        AsideSlabs -= slab.IsAside ? 1 : 0;
        int given = slab.Give(blocks);
        AsideSlabs += slab.IsAside ? 1 : 0;
        OutCount -= given;
        FreeCount += given;
        if (!slab.IsResting && slab.OutCount > 0)
        {
            Sort(slab);
        }

        return given;
    }

    /// <summary>Notes that a block that is out is aside, or is so no more.</summary>
    internal void SetAside(Slab slab, bool isAside)
    {
        AsideSlabs -= slab.IsAside ? 1 : 0;
        slab.AsideCount += isAside ? 1 : -1;
        AsideSlabs += slab.IsAside ? 1 : 0;
    }

    /// <summary>Adds a new slab, which has no block out yet.</summary>
    internal void Add(Slab slab)
    {
        SlabCount++;
        _current = slab;
        Sort(slab);
    }

    /// <summary>Takes a slab out that has no block out.</summary>
    internal void Remove(Slab slab)
    {
        SlabCount--;
        FreeCount -= slab.FreeCount;
        Unlist(slab);
        if (_current == slab)
        {
            _current = null;
        }
    }

    /// <summary>From now on no block is taken of the slab, until <see cref="Wake"/>.</summary>
    internal void Rest(Slab slab)
    {
        slab.IsResting = true;
        Unlist(slab);
    }

    internal void Wake(Slab slab)
    {
        slab.IsResting = false;
        Sort(slab);
    }

    /// <summary>The slabs that have blocks to give.</summary>
    internal List<Slab> ListAvailable()
    {
        List<Slab> slabs = [];
        foreach (Slab? first in _listed)
        {
            for (Slab? slab = first; slab is not null; slab = slab.Next)
            {
                slabs.Add(slab);
            }
        }

        return slabs;
    }

    /// <summary>The index of the block that begins at <paramref name="offset"/> in a slab; -1 when none does.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int IndexOf(nint offset)
    {
        // Exact for every offset in a slab, which a test goes through; a division would take longer.
        int index = (int)(((ulong)offset * _reciprocal) >> 32);
        return (nuint)index * BlockSize == (nuint)offset ? index : -1;
    }

    /// <summary>The listed slabs are those with blocks to give, and the counts are theirs. For tests.</summary>
    internal bool IsValid(IReadOnlyCollection<Slab> slabs)
    {
        bool valid = slabs.All(static slab => slab.IsValid()) && slabs.Count == SlabCount
            && slabs.Sum(static slab => (long)slab.FreeCount) == FreeCount && slabs.Sum(static slab => (long)slab.OutCount) == OutCount
            && slabs.Count(static slab => slab.IsAside) == AsideSlabs;
        int listed = 0;
        for (int group = 0; group < Groups; group++)
        {
            for (Slab? slab = _listed[group]; slab is not null; slab = slab.Next)
            {
                listed++;
                valid &= slab.Group == group && slab.Group == GroupOf(slab) && (slab.Next is null || slab.Next.Before == slab);
            }
        }

        return valid && listed == slabs.Count(static slab => slab.AvailableCount > 0);
    }

    /// <summary>The fewest granules for many small blocks, some middling and four large ones, with at most a fiftieth left over.</summary>
    private static int GranulesFor(nuint blockSize)
    {
        int wanted = blockSize switch
        {
            <= 16 << 10 => 32,
            <= 128 << 10 => 8,
            _ => 4,
        };
        nuint size = Region.GranuleSize;
        while (size / blockSize < (nuint)wanted || size % blockSize * 50 > size)
        {
            size += Region.GranuleSize;
        }

        return (int)(size / Region.GranuleSize);
    }

    private Slab? FindAvailable()
    {
        if (BlockSize < LineSize && _current is { IsResting: false } current && current.Carved < BlocksPerSlab)
        {
            return current;
        }

        foreach (Slab? slab in _listed)
        {
            if (slab is not null)
            {
                return slab;
            }
        }

        return null;
    }

    /// <summary>0 for the fullest that have any block to give; -1 for those that have none.</summary>
    private int GroupOf(Slab slab)
    {
        if (slab.AvailableCount == 0)
        {
            return -1;
        }

        int group = 0;
        while (group < Groups - 1 && slab.OutCount << (group + 1) < BlocksPerSlab)
        {
            group++;
        }

        return group;
    }

    /// <summary>Puts a slab where it belongs now.</summary>
    private void Sort(Slab slab)
    {
        int group = GroupOf(slab);
        if (group == slab.Group)
        {
            return;
        }

        Unlist(slab);
        if (group < 0)
        {
            return;
        }

        slab.Group = group;
        slab.Next = _listed[group];
        if (slab.Next is not null)
        {
            slab.Next.Before = slab;
        }

        _listed[group] = slab;
    }

    private void Unlist(Slab slab)
    {
        if (slab.Group < 0)
        {
            return;
        }

        if (slab.Before is null)
        {
            _listed[slab.Group] = slab.Next;
        }
        else
        {
            slab.Before.Next = slab.Next;
        }

        if (slab.Next is not null)
        {
            slab.Next.Before = slab.Before;
        }

        slab.Group = -1;
        slab.Next = null;
        slab.Before = null;
    }
}
