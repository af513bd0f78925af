using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>The regions of one heap: address space for slabs, committed when a slab needs it and decommitted when it has lain idle.</summary>
/// <remarks>
/// <para>The budget stands for every idle granule: a granule that becomes free when the budget grants no room is decommitted at once.
/// Each new region is as large as all before it together, so there are few; when the system refuses, half as much is asked for, down to
/// what the slab needs.</para>
/// <para>Free granules are used from the lowest address on, so that what lies idle collects at the top. All members are safe to call
/// from any thread.</para>
/// </remarks>
internal sealed class RegionSet(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    private const uint FirstSize = 64 << 20;
    private const uint LargestSize = 2u << 30;

    private readonly Lock _lock = new();

    /// <summary>In the order of addresses; replaced, never changed.</summary>
    private Region[] _regions = [];

    private volatile bool _isReleased;

    /// <summary>The heap is gone, and its slabs with it.</summary>
    internal bool IsReleased => _isReleased;

    internal long ReservedBytes => _regions.Sum(static region => (long)region.Size);

    /// <summary>Committed bytes that no slab uses.</summary>
    internal long IdleBytes
    {
        get
        {
            lock (_lock)
            {
                return _regions.Sum(static region => region.CommittedCount - region.UsedCount) * (long)Region.GranuleSize;
            }
        }
    }

    internal IEnumerable<Slab> Slabs => Volatile.Read(ref _regions).SelectMany(static region => region.Slabs);

    /// <summary>The slab that an address lies in; null when it lies in none of this heap's. Takes no lock.</summary>
    internal Slab? FindSlab(nint block)
    {
        foreach (Region region in Volatile.Read(ref _regions))
        {
            if ((nuint)(block - region.Address) < region.Size)
            {
                return region.FindSlab(block);
            }
        }

        return null;
    }

    /// <summary>Commits granules in a row for a slab; false when the system refuses, and nothing has changed.</summary>
    /// <exception cref="ObjectDisposedException">The regions were released.</exception>
    internal bool TryTake(int count, nuint alignment, [NotNullWhen(true)] out Region? region, out int first)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isReleased, typeof(NativeHeap));
            int step = (int)(alignment >> Region.GranuleShift);
            foreach (Region candidate in _regions)
            {
                first = candidate.GranuleCount - candidate.UsedCount >= count ? candidate.FindFree(count, step) : -1;
                if (first >= 0)
                {
                    region = candidate;
                    return TryUse(candidate, first, count);
                }
            }

            first = 0;
            region = TryAddRegion((nuint)count << Region.GranuleShift);
            return region is not null && TryUse(region, first, count);
        }
    }

    /// <summary>Takes granules back, which stay committed if the budget has room for them.</summary>
    internal void Give(Region region, int first, int count, TimeSpan since)
    {
        lock (_lock)
        {
            if (_isReleased)
            {
                return;
            }

            region.SetUsed(first, count, isUsed: false, since);
            if (!budget.TryReserve((long)count << Region.GranuleShift))
            {
                Decommit(region, first, count);
            }
        }
    }

    /// <summary>Decommits what has been idle since <paramref name="before"/> or longer, until <paramref name="enough"/> bytes are; how many.</summary>
    /// <param name="before">Idle since.</param>
    /// <param name="enough">Bytes.</param>
    /// <param name="keepRegion">Keep one region even if it is empty: reserving is a call to the system, and a heap is rarely done.</param>
    internal long DecommitIdle(TimeSpan before, long enough = long.MaxValue, bool keepRegion = true)
    {
        lock (_lock)
        {
            long bytes = 0;
            foreach (Region region in _regions)
            {
                int from = 0;
                while (bytes < enough && region.CommittedCount > region.UsedCount)
                {
                    (int first, int count) = region.FindIdle(from, before);
                    if (count == 0)
                    {
                        break;
                    }

                    Decommit(region, first, count);
                    budget.Release((long)count << Region.GranuleShift);
                    bytes += (long)count << Region.GranuleShift;
                    from = first + count;
                }
            }

            ReleaseEmptyRegions(keepRegion);
            return bytes;
        }
    }

    /// <summary>Gives everything back to the system; slabs and blocks are gone.</summary>
    internal void ReleaseAll()
    {
        lock (_lock)
        {
            _isReleased = true;
            foreach (Region region in _regions)
            {
                budget.Release((long)(region.CommittedCount - region.UsedCount) << Region.GranuleShift);
                committed.Remove((long)region.CommittedCount << Region.GranuleShift);
                memory.Release(region.Address, region.Size);
            }

            Volatile.Write(ref _regions, []);
        }
    }

    /// <summary>For tests.</summary>
    internal bool IsValid()
    {
        lock (_lock)
        {
            return _regions.All(static region => region.IsValid());
        }
    }

    private bool TryUse(Region region, int first, int count)
    {
        long bytes = (long)count << Region.GranuleShift;
        long fresh = bytes - ((long)region.CountCommitted(first, count) << Region.GranuleShift);
        if (fresh > 0)
        {
            if (!memory.Commit(region.AddressOf(first), (nuint)bytes))
            {
                return false;
            }

            region.SetCommitted(first, count, isCommitted: true);
            committed.Add(fresh);
        }

        budget.Release(bytes - fresh);
        region.SetUsed(first, count, isUsed: true);
        return true;
    }

    private Region? TryAddRegion(nuint needed)
    {
        nuint size = Math.Clamp((nuint)ReservedBytes, FirstSize, LargestSize);
        while (size >= needed)
        {
            nint address = memory.Reserve(size, BlockSizes.LargestAlignment);
            if (address != 0)
            {
                Region region = new(address, size);
                Region[] regions = [.. _regions, region];
                Array.Sort(regions, static (x, y) => x.Address.CompareTo(y.Address));
                Volatile.Write(ref _regions, regions);
                return region;
            }

            size /= 2;
        }

        return null;
    }

    private void Decommit(Region region, int first, int count)
    {
        memory.Decommit(region.AddressOf(first), (nuint)count << Region.GranuleShift);
        region.SetCommitted(first, count, isCommitted: false);
        committed.Remove((long)count << Region.GranuleShift);
    }

    /// <summary>Address space is plentiful, but not everywhere.</summary>
    private void ReleaseEmptyRegions(bool keepOne)
    {
        Region[] kept = [.. _regions.Where(static region => region.CommittedCount > 0)];
        if (kept.Length == 0 && keepOne)
        {
            kept = [.. _regions.OrderBy(static region => region.Size).Take(1)];
        }

        if (kept.Length == _regions.Length)
        {
            return;
        }

        foreach (Region region in _regions.Except(kept))
        {
            memory.Release(region.Address, region.Size);
        }

        Volatile.Write(ref _regions, kept);
    }
}
