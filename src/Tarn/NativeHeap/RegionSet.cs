using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>
/// The regions of one heap: address space for slabs, committed when a slab needs it and decommitted when it has lain idle.
/// </summary>
/// <remarks>
/// <para>The budget stands for every idle granule: a granule that becomes free when the budget grants no room is decommitted at once.
/// Each new region is as large as all before it together, so there are few; when the system refuses, half as much is asked for, down to
/// what the slab needs.</para>
/// <para>Free granules are used from the lowest address on, so that what lies idle collects at the top. All members are safe to call
/// from any thread. The lock is not held during calls to the system: granules that one is about are taken (<see cref="SystemCalls"/>).
/// </para>
/// </remarks>
internal sealed class RegionSet(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    private const uint FirstSize = 64 << 20;
    private const uint LargestSize = 2u << 30;

    private readonly Lock _lock = new();
    private readonly SystemCalls _calls = new();

    /// <summary>In the order of addresses; replaced, never changed.</summary>
    private Region[] _regions = [];

    /// <summary>The heap is gone, and its slabs with it.</summary>
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
            lock (_lock)
            {
                return _regions.Sum(static region => BytesOf(region.IdleCount));
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
        lock (_lock)
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

    /// <summary>Takes granules back, which stay committed if the budget has room for them.</summary>
    internal void Give(Region region, int first, int count, TimeSpan since)
    {
        bool isKept = budget.TryReserve(BytesOf(count));
        lock (_lock)
        {
            if (_calls.HasEnded)
            {
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
    /// Decommits what has been idle since <paramref name="before"/> or longer, until <paramref name="enough"/> bytes are; how many.
    /// </summary>
    /// <param name="before">Idle since.</param>
    /// <param name="enough">Bytes.</param>
    /// <param name="keepRegion">Keep one region even if it is empty: reserving is a call to the system, and a heap is rarely done.</param>
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

    /// <summary>Until <see cref="Leave"/> nothing is released; false when it was. For calls to the system about memory of slabs.</summary>
    internal bool TryEnter()
    {
        lock (_lock)
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
        lock (_lock)
        {
            _calls.Leave();
        }
    }

    /// <summary>No granule is handed out any more.</summary>
    internal void Close()
    {
        lock (_lock)
        {
            _calls.Close();
        }
    }

    /// <summary>Gives everything back to the system; slabs and blocks are gone. After <see cref="Close"/>.</summary>
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

    /// <summary>For tests.</summary>
    internal bool IsValid()
    {
        lock (_lock)
        {
            return _regions.All(static region => region.IsValid());
        }
    }

    private static long BytesOf(int granules) => (long)granules << Region.GranuleShift;

    /// <summary>Takes free granules in a row, <paramref name="idle"/> of them committed, and enters; false when there are none.</summary>
    private bool TryFind(int count, int step, [NotNullWhen(true)] out Region? region, out int first, out int idle)
    {
        lock (_lock)
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
        lock (_lock)
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

    /// <summary>Decommits granules that are taken for it, frees them and leaves.</summary>
    private void Decommit(Region region, int first, int count)
    {
        memory.Decommit(region.AddressOf(first), (nuint)BytesOf(count));
        committed.Remove(BytesOf(count));
        lock (_lock)
        {
            region.SetCommitted(first, count, isCommitted: false);
            region.PutBack(first, count);
            _calls.Leave();
        }
    }

    /// <summary>Two threads that find no room at once may add a region each: that is address space, no memory.</summary>
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

            // Whole granules: half of an odd number of OS pages is no size that the system reserves.
            size = Math.Max(needed, size / 2 / Region.GranuleSize * Region.GranuleSize);
        }

        Add(new Region(address, size));
        return true;
    }

    private void Add(Region region)
    {
        lock (_lock)
        {
            if (!_calls.HasEnded)
            {
                Region[] regions = [.. _regions, region];
                Array.Sort(regions, static (x, y) => x.Address.CompareTo(y.Address));
                Volatile.Write(ref _regions, regions);
                return;
            }
        }

        memory.Release(region.Address, region.Size);
        throw new ObjectDisposedException(nameof(NativeHeap));
    }

    /// <summary>Address space is plentiful, but not everywhere.</summary>
    /// <remarks>
    /// Who comes here may have run out of it: nothing that this calls lies in another assembly, for which there might be no room.
    /// </remarks>
    private void ReleaseEmptyRegions(bool keepOne)
    {
        Region[] empty;
        lock (_lock)
        {
            Region[] kept = Array.FindAll(_regions, static region => region.CommittedCount > 0 || region.TakenCount > 0);
            if (kept.Length == 0 && keepOne && _regions.Length > 0)
            {
                kept = [FindSmallest(_regions)];
            }

            if (kept.Length == _regions.Length || _calls.HasEnded)
            {
                return;
            }

            empty = Array.FindAll(_regions, region => Array.IndexOf(kept, region) < 0);
            Volatile.Write(ref _regions, kept);
            _calls.Enter();
        }

        foreach (Region region in empty)
        {
            memory.Release(region.Address, region.Size);
        }

        lock (_lock)
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
