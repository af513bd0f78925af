namespace Tarn;

/// <content>Counters, summed only when someone reads them, and the check of the structure's equations.</content>
internal sealed partial class PoolCore
{
    /// <summary>The counters now; exact when no other thread is in the middle of a call.</summary>
    internal BufferPoolStatistics GetStatistics()
    {
        lock (ThreadCache.Inheritance)
        {
            long rented = Counters.Rented;
            long returned = Counters.Returned;
            long inUseBytes = Counters.InUseBytes;
            long retainedBytes = Exact.RetainedBytes;
            foreach (CacheSection section in ThreadCache.SectionsOf(this))
            {
                lock (section.Sync)
                {
                    foreach (ClassState? state in section.States)
                    {
                        if (state is null)
                        {
                            continue;
                        }

                        ref CacheEntry entry = ref section.Entries[state.Index];
                        long classRented = Volatile.Read(ref entry.Rented);
                        long classReturned = classRented + entry.IsTopFree + entry.Count + state.PreviousCount + state.Outflow;
                        rented += classRented;
                        returned += classReturned;
                        inUseBytes += (classRented - classReturned) * state.Bytes;
                        retainedBytes += FreeBuffers(in entry, state) * state.Bytes;
                    }
                }
            }

            for (uint index = 0; index < _depots.Length; index++)
            {
                retainedBytes += (_depots[index]?.BufferCount ?? 0) * LengthOf(index) * ElementSize;
            }

            return new BufferPoolStatistics(
                rented, returned, Counters.Allocated, Counters.Dropped, Counters.Trimmed, Math.Max(0, inUseBytes), retainedBytes);
        }
    }

    /// <summary>Checks the equations of <see cref="ClassState"/> and the cap; for tests, while no other thread uses the pool.</summary>
    /// <exception cref="InvalidOperationException">One does not hold; the message says which.</exception>
    internal void Validate()
    {
        lock (ThreadCache.Inheritance)
        {
            long granted = Exact.RetainedBytes;
            foreach (CacheSection section in ThreadCache.SectionsOf(this))
            {
                foreach (ClassState? state in section.States)
                {
                    if (state is not null)
                    {
                        ref CacheEntry entry = ref section.Entries[state.Index];
                        granted += ReservedSlots(in entry, state) * state.Bytes;
                        Throw.UnlessHolds(
                            entry.Length == LengthOf(state.Index) && entry.Pool == Index, "an entry serves its class and pool");
                        Throw.UnlessHolds(
                            state.LoadedOf(in entry).Length == 0 || state.TopReserved,
                            "a magazine has room only beside a reserved top slot");
                        Throw.UnlessHolds(
                            state.PreviousCount <= state.Previous.Length, "the previous magazine holds no more than it has room for");
                        Throw.UnlessHolds(entry.Top is null || state.TopReserved, "a top slot that keeps a reference is reserved");
                    }
                }
            }

            for (uint index = 0; index < _depots.Length; index++)
            {
                granted += (_depots[index]?.BufferCount ?? 0) * LengthOf(index) * ElementSize;
            }

            Throw.UnlessHolds(granted == Budget.Granted, $"reserved slots and depots make {granted} bytes, granted are {Budget.Granted}");
            Throw.UnlessHolds(GetStatistics().RetainedBytes <= granted, "no more is kept than was granted");
        }
    }

    /// <summary>Buffers of the class the thread could be given without the depot.</summary>
    private static long FreeBuffers(in CacheEntry entry, ClassState state)
    {
        int top = entry.IsTopFree != 0 && entry.Top is not null ? 1 : 0;
        return top + Math.Min(entry.Count, state.LoadedOf(in entry).Length) + state.PreviousCount;
    }

    private static long ReservedSlots(in CacheEntry entry, ClassState state) =>
        entry.Items.Length + (state.Parked?.Length ?? 0) + state.Previous.Length + (state.TopReserved ? 1 : 0);
}
