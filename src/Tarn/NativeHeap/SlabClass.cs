using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <summary>The slabs of one size class of one heap: the source of the blocks in magazines.</summary>
/// <remarks>
/// <para>Blocks are taken from the fullest slab that has any, so that slabs with few blocks out can become empty. An empty slab goes back
/// to its region, where any class can use its memory.</para>
/// <para>Guarded by the lock of its <see cref="BlockClass"/>, except for immutable members. Makes no calls to the system.</para>
/// </remarks>
internal sealed class SlabClass
{
    /// <summary>
    /// The number of lists of slabs that are about as full, the fullest first. In slabs of the first list at least half of the blocks are
    /// out; in each further list, half as many. The most recently changed slab of a list comes first, because its blocks are likely to be
    /// in the processor's cache.
    /// </summary>
    private const int Groups = 4;

    private readonly ulong _reciprocal;
    private readonly Slab?[] _listed = new Slab?[Groups];

    internal SlabClass(int index, nuint osPageSize)
    {
        Index = index;
        OsPageSize = osPageSize;
        OsPageShift = BitOperations.Log2(osPageSize);
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

    /// <summary>The size of an OS page as a power of two.</summary>
    internal int OsPageShift { get; }

    internal int SlabCount { get; private set; }

    /// <summary>Blocks in use or in magazines.</summary>
    internal long OutCount { get; private set; }

    /// <summary>Blocks handed out for the first time so far.</summary>
    internal long CarvedCount { get; private set; }

    /// <summary>Blocks that came back to slabs with other blocks out.</summary>
    internal long FreeCount { get; private set; }

    /// <summary>Slabs with no block in use and some in a quarantine.</summary>
    internal int QuarantinedSlabs { get; private set; }

    /// <summary>Fills <paramref name="blocks"/> from its end with available blocks. Returns the number of blocks taken.</summary>
    internal int Take(Span<nint> blocks)
    {
        int missing = blocks.Length;
        while (missing > 0 && FindAvailable() is { } slab)
        {
            Span<nint> wanted = blocks[..missing];
            QuarantinedSlabs -= slab.IsQuarantined ? 1 : 0;
            int taken = slab.TakeFree(wanted);
            int carved = slab.Carve(wanted[..^taken]);
            CarvedCount += carved;
            FreeCount -= taken;
            missing -= carved + taken;
            Sort(slab);
        }

        OutCount += blocks.Length - missing;
        return blocks.Length - missing;
    }

    /// <summary>Takes blocks back, up to the first one that is not out or does not belong to this slab. Returns their number.</summary>
    internal int Give(Slab slab, ReadOnlySpan<nint> blocks, bool wereIdle)
    {
        QuarantinedSlabs -= slab.IsQuarantined ? 1 : 0;
        int given = slab.Give(blocks, wereIdle);
        QuarantinedSlabs += slab.IsQuarantined ? 1 : 0;
        OutCount -= given;
        FreeCount += given;
        if (!slab.IsResting && slab.OutCount > 0)
        {
            Sort(slab);
        }

        return given;
    }

    /// <summary>Notes that a block that is out enters or leaves a quarantine.</summary>
    internal void SetQuarantined(Slab slab, bool isQuarantined)
    {
        QuarantinedSlabs -= slab.IsQuarantined ? 1 : 0;
        slab.QuarantinedCount += isQuarantined ? 1 : -1;
        QuarantinedSlabs += slab.IsQuarantined ? 1 : 0;
    }

    /// <summary>Adds a new slab without blocks out.</summary>
    internal void Add(Slab slab)
    {
        SlabCount++;
        Sort(slab);
    }

    /// <summary>Removes a slab without blocks out.</summary>
    internal void Remove(Slab slab)
    {
        SlabCount--;
        FreeCount -= slab.FreeCount;
        Unlist(slab);
    }

    /// <summary>Stops taking blocks from the slab until <see cref="Wake"/>.</summary>
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

    /// <summary>Lists the slabs with available blocks.</summary>
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
        // Exact for every offset in a slab, which a test verifies. A division would take longer.
        int index = (int)(((ulong)offset * _reciprocal) >> 32);
        return (nuint)index * BlockSize == (nuint)offset ? index : -1;
    }

    /// <summary>Whether the listed slabs are those with available blocks, and the counts match. For tests.</summary>
    internal bool IsValid(IReadOnlyCollection<Slab> slabs)
    {
        bool valid = slabs.All(static slab => slab.IsValid()) && slabs.Count == SlabCount
            && slabs.Sum(static slab => (long)slab.FreeCount) == FreeCount && slabs.Sum(static slab => (long)slab.OutCount) == OutCount
            && slabs.Count(static slab => slab.IsQuarantined) == QuarantinedSlabs;
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

    /// <summary>
    /// The fewest granules that hold many small blocks, some medium ones or four large ones, with at most a fiftieth left over.
    /// </summary>
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
        foreach (Slab? slab in _listed)
        {
            if (slab is not null)
            {
                return slab;
            }
        }

        return null;
    }

    /// <summary>The list of a slab: 0 for the fullest with available blocks, -1 for slabs without any.</summary>
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

    /// <summary>Moves a slab to the list that fits it now.</summary>
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
