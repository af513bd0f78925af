using System.Diagnostics.CodeAnalysis;

namespace Tarn.Native;

/// <summary>
/// The regions of one heap: address space for slabs, committed when a slab needs it and decommitted when it has been idle.
/// </summary>
/// <remarks>
/// <para>The budget covers every idle granule. A granule that becomes free while the budget grants no room is decommitted at once. Each new
/// region is as large as all earlier regions together, so there are few. When the system refuses, the set requests half as much, down to
/// what the slab needs.</para>
/// <para>Free granules are used from the lowest address on, so idle granules collect at the top. All members are safe to call from any
/// thread. The lock is not held during calls to the system: granules that such a call works on are taken (<see cref="SystemCalls"/>).
/// </para>
/// </remarks>
internal sealed class RegionSet(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    private const uint FirstSize = 64 << 20;
    private const uint LargestSize = 2u << 30;

    private readonly Lock _lock = new();
    private readonly SystemCalls _calls = new();

    /// <summary>The regions, ordered by address. The array is replaced, never changed.</summary>
    private Region[] _regions = [];

    /// <summary>Whether the heap has ended, and its slabs with it.</summary>
    internal bool IsReleased => _calls.HasEnded;

    internal long ReservedBytes
    {
        get
        {
            long bytes = 0;
            foreach (Region region in Volatile.Read(ref _regions))
            {
                bytes += (long)region.Size;
            }

            return bytes;
        }
    }

    /// <summary>Committed bytes that no slab uses.</summary>
    internal long IdleBytes
    {
        get
        {
            using (_lock.Hold())
            {
                return _regions.Sum(static region => BytesOf(region.IdleCount));
            }
        }
    }

    internal IEnumerable<Slab> Slabs => Volatile.Read(ref _regions).SelectMany(static region => region.Slabs);

    /// <summary>Finds the slab that contains an address; null when no slab of this heap does. Takes no lock.</summary>
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

    /// <summary>Commits consecutive granules for a slab. Returns false and changes nothing when the system refuses.</summary>
    /// <exception cref="ObjectDisposedException">The regions were released.</exception>
    internal bool TryTake(int count, nuint alignment, [NotNullWhen(true)] out Region? region, out int first)
    {
        int step = (int)(alignment >> Region.GranuleShift);
        int idle;
        while (!TryFind(count, step, out region, out first, out idle))
        {
            if (!TryAddRegion((nuint)BytesOf(count)))
            {
                return false;
            }
        }

        bool isCommitted = idle == count || memory.Commit(region.AddressOf(first), (nuint)BytesOf(count));
        using (_lock.Hold())
        {
            if (isCommitted)
            {
                region.SetCommitted(first, count, isCommitted: true);
            }
            else
            {
                region.PutBack(first, count);
            }

            _calls.Leave();
        }

        if (isCommitted)
        {
            committed.Add(BytesOf(count - idle));
            budget.Release(BytesOf(idle));
        }

        return isCommitted;
    }

    /// <summary>Takes granules back. They stay committed if the budget has room for them.</summary>
    internal void Give(Region region, int first, int count, TimeSpan since)
    {
        bool isKept = budget.TryReserve(BytesOf(count));
        using (_lock.Hold())
        {
            if (_calls.HasEnded)
            {
                budget.Release(isKept ? BytesOf(count) : 0);
                return;
            }

            if (isKept)
            {
                region.Give(first, count, since);
                return;
            }

            _calls.Enter();
        }

        Decommit(region, first, count);
    }

    /// <summary>
    /// Decommits granules idle since <paramref name="before"/> or longer, until <paramref name="enough"/> bytes are decommitted. Returns
    /// the bytes decommitted.
    /// </summary>
    /// <param name="before">The time since when a granule must have been idle.</param>
    /// <param name="enough">The number of bytes that suffices.</param>
    /// <param name="keepRegion">
    /// Whether to keep one region even if it is empty, which spares a call to the system when the heap is used again.
    /// </param>
    internal long DecommitIdle(TimeSpan before, long enough = long.MaxValue, bool keepRegion = true)
    {
        long bytes = 0;
        foreach (Region region in Volatile.Read(ref _regions))
        {
            int from = 0;
            while (bytes < enough && TryTakeIdle(region, from, before, out int first, out int count))
            {
                Decommit(region, first, count);
                budget.Release(BytesOf(count));
                bytes += BytesOf(count);
                from = first + count;
            }
        }

        ReleaseEmptyRegions(keepRegion);
        return bytes;
    }

    /// <summary>
    /// Prevents the release of memory until <see cref="Leave"/>; false when it was released already. For calls to the system about memory
    /// of slabs.
    /// </summary>
    internal bool TryEnter()
    {
        using (_lock.Hold())
        {
            if (_calls.HasEnded)
            {
                return false;
            }

            _calls.Enter();
            return true;
        }
    }

    internal void Leave()
    {
        using (_lock.Hold())
        {
            _calls.Leave();
        }
    }

    /// <summary>Stops handing out granules.</summary>
    internal void Close()
    {
        using (_lock.Hold())
        {
            _calls.Close();
        }
    }

    /// <summary>Returns all memory to the system, including slabs and blocks. Call <see cref="Close"/> first.</summary>
    internal void ReleaseAll()
    {
        _calls.End();
        Region[] regions = Interlocked.Exchange(ref _regions, []);
        foreach (Region region in regions)
        {
            budget.Release(BytesOf(region.IdleCount));
            committed.Remove(BytesOf(region.CommittedCount));
            memory.Release(region.Address, region.Size);
        }
    }

    /// <summary>Whether every region is valid; for tests.</summary>
    internal bool IsValid()
    {
        using (_lock.Hold())
        {
            return _regions.All(static region => region.IsValid());
        }
    }

    private static long BytesOf(int granules) => (long)granules << Region.GranuleShift;

    /// <summary>
    /// Takes consecutive free granules, <paramref name="idle"/> of them committed, and enters; false when there are none.
    /// </summary>
    private bool TryFind(int count, int step, [NotNullWhen(true)] out Region? region, out int first, out int idle)
    {
        using (_lock.Hold())
        {
            ObjectDisposedException.ThrowIf(_calls.HasEnded, typeof(NativeHeap));
            foreach (Region candidate in _regions)
            {
                first = candidate.GranuleCount - candidate.TakenCount >= count ? candidate.FindFree(count, step) : -1;
                if (first >= 0)
                {
                    region = candidate;
                    idle = region.CountCommitted(first, count);
                    region.Take(first, count);
                    _calls.Enter();
                    return true;
                }
            }
        }

        region = null;
        first = 0;
        idle = 0;
        return false;
    }

    /// <summary>Takes the next run of idle granules and enters; false when there is none.</summary>
    private bool TryTakeIdle(Region region, int from, TimeSpan before, out int first, out int count)
    {
        using (_lock.Hold())
        {
            (first, count) = region.IdleCount == 0 || _calls.HasEnded ? (0, 0) : region.FindIdle(from, before);
            if (count == 0)
            {
                return false;
            }

            region.Take(first, count);
            _calls.Enter();
            return true;
        }
    }

    /// <summary>Decommits granules that were taken for this purpose, frees them and leaves.</summary>
    private void Decommit(Region region, int first, int count)
    {
        memory.Decommit(region.AddressOf(first), (nuint)BytesOf(count));
        committed.Remove(BytesOf(count));
        using (_lock.Hold())
        {
            region.SetCommitted(first, count, isCommitted: false);
            region.PutBack(first, count);
            _calls.Leave();
        }
    }

    /// <summary>
    /// Adds a region. Two threads that find no room at the same time may each add one, which costs address space but no memory.
    /// </summary>
    private bool TryAddRegion(nuint needed)
    {
        nuint size = Math.Clamp((nuint)ReservedBytes, FirstSize, LargestSize);
        nint address;
        while ((address = memory.Reserve(size, BlockSizes.LargestAlignment)) == 0)
        {
            if (size <= needed)
            {
                return false;
            }

            // Whole granules: the system cannot reserve half of an odd number of OS pages.
            size = Math.Max(needed, size / 2 / Region.GranuleSize * Region.GranuleSize);
        }

        bool isAdded = false;
        try
        {
            Add(new Region(address, size));
            isAdded = true;
        }
        finally
        {
            if (!isAdded)
            {
                memory.Release(address, size);
            }
        }

        return true;
    }

    private void Add(Region region)
    {
        using (_lock.Hold())
        {
            ObjectDisposedException.ThrowIf(_calls.HasEnded, typeof(NativeHeap));
            Region[] regions = [.. _regions, region];
            Array.Sort(regions, CompareAddresses);
            Volatile.Write(ref _regions, regions);
        }
    }

    // No lambdas, for the reason that ThreadDirectory.Inherit gives.
    private static int CompareAddresses(Region x, Region y) => x.Address.CompareTo(y.Address);

    private static bool IsUsed(Region region) => region.CommittedCount > 0 || region.TakenCount > 0;

    /// <summary>Releases empty regions, because some systems limit address space.</summary>
    /// <remarks>The caller may have run out of address space, so nothing called here may load another assembly.</remarks>
    private void ReleaseEmptyRegions(bool keepOne)
    {
        Region[] empty;
        using (_lock.Hold())
        {
            Region[] kept = Array.FindAll(_regions, IsUsed);
            Region? spare = kept.Length == 0 && keepOne && _regions.Length > 0 ? FindSmallest(_regions) : null;
            if (spare is not null)
            {
                kept = [spare];
            }

            if (kept.Length == _regions.Length || _calls.HasEnded)
            {
                return;
            }

            empty = Array.FindAll(_regions, region => !IsUsed(region) && region != spare);
            Volatile.Write(ref _regions, kept);
            _calls.Enter();
        }

        foreach (Region region in empty)
        {
            memory.Release(region.Address, region.Size);
        }

        using (_lock.Hold())
        {
            _calls.Leave();
        }
    }

    private static Region FindSmallest(Region[] regions)
    {
        Region smallest = regions[0];
        foreach (Region region in regions)
        {
            smallest = region.Size < smallest.Size ? region : smallest;
        }

        return smallest;
    }
}
