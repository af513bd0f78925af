namespace Tarn;

/// <summary>One size class of one heap in one thread's cache: what stands behind the entry. Guarded by the section's lock.</summary>
/// <remarks>
/// Two magazines, so that a thread that goes back and forth over the edge of one does not go to the depot each time (Bonwick and Adams,
/// 2001). Only the loaded one is within the fast path's reach, and not while it is parked.
/// </remarks>
internal sealed class BlockClassCache(HeapSection section, int index)
{
    /// <summary>When the previous magazine last came into use.</summary>
    internal LastUse PreviousUse;

    internal int Index { get; } = index;

    internal nuint BlockSize { get; } = BlockSizes.SizeOf(index);

    internal BlockMagazine? Loaded { get; private set; }

    /// <summary>Empty or full, as the owner left it.</summary>
    internal BlockMagazine? Previous { get; set; }

    /// <summary>The loaded magazine was taken out of the fast path's reach; its owner may be in the middle of one last call.</summary>
    internal bool IsParked { get; private set; }

    internal TimeSpan ParkedAt { get; private set; }

    /// <summary>Blocks handed out through magazines that are loaded no more, or without one.</summary>
    internal long Rented { get; set; }

    /// <summary>Blocks freed while there was no magazine; see <see cref="HeapCore"/>.</summary>
    internal int FreesWithoutMagazine { get; set; }

    internal long RentedSoFar => Rented + (Loaded?.Pops ?? 0);

    internal int FreeCount => (Loaded?.FreeCount ?? 0) + (Previous?.FreeCount ?? 0);

    /// <summary>Replaces the loaded magazine. For the owner.</summary>
    internal void Load(BlockMagazine? magazine)
    {
        Rented += Loaded?.HarvestPops() ?? 0;
        Loaded = magazine;
        IsParked = false;
        section.Publish(Index, magazine);
    }

    /// <summary>The owner comes along the slow path: it takes back what trimmers left it.</summary>
    internal void Unpark()
    {
        if (IsParked)
        {
            Loaded!.CloseGap();
            Load(Loaded);
        }
    }

    /// <summary>Takes the loaded magazine out of the owner's reach, to see whether it comes for it. For trimmers.</summary>
    internal void Park(TimeSpan now)
    {
        if (Loaded is not null && !IsParked)
        {
            IsParked = true;
            ParkedAt = now;
            section.Publish(Index, null);
        }
    }
}
