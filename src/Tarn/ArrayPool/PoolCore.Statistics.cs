namespace Tarn;

/// <content>Counters, summed only when someone reads them, and the check of the structure's equations.</content>
internal sealed partial class PoolCore
{
    /// <summary>The counters now; exact when no other thread is in the middle of a call.</summary>
    internal BufferPoolStatistics GetStatistics()
    {
        lock (PoolThreads.Directory.Inheritance)
        {
            long rented = Counters.Rented;
            long returned = Counters.Returned;
            long inUseBytes = Counters.InUseBytes;
            long retainedBytes = Exact.RetainedBytes;
            foreach (CacheSection section in GetSections())
            {
                using (section.Sync.Hold())
                {
                    for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
                    {
                        (long classRented, long classReturned) = cache.Traffic;
                        rented += classRented;
                        returned += classReturned;
                        inUseBytes += (classRented - classReturned) * cache.Pool.Bytes;
                        retainedBytes += cache.FreeCount * cache.Pool.Bytes;
                    }
                }
            }

            foreach (ArrayClass pool in Classes)
            {
                retainedBytes += pool.Depot.Count * pool.Bytes;
            }

            return new BufferPoolStatistics(
                rented, returned, Counters.Allocated, Counters.Dropped, Counters.Trimmed, Math.Max(0, inUseBytes), retainedBytes);
        }
    }

    /// <summary>
    /// Checks the equations of <see cref="ArrayClassCache"/> and the cap; for tests, while no other thread uses the pool.
    /// </summary>
    /// <exception cref="InvalidOperationException">One does not hold; the message says which.</exception>
    internal void Validate()
    {
        lock (PoolThreads.Directory.Inheritance)
        {
            long slots = 0;
            foreach (CacheSection section in GetSections())
            {
                for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
                {
                    cache.Validate(Id);
                    slots += cache.Slots * cache.Pool.Bytes;
                }
            }

            long granted = Exact.RetainedBytes + slots;
            foreach (ArrayClass pool in Classes)
            {
                pool.Depot.Validate();
                granted += pool.Depot.Places * pool.Bytes;
            }

            Throw.UnlessHolds(slots == Slots.Granted, $"slots make {slots} bytes, granted are {Slots.Granted}");
            Throw.UnlessHolds(granted == Budget.Granted, $"slots and places make {granted} bytes, granted are {Budget.Granted}");
            Throw.UnlessHolds(GetStatistics().RetainedBytes <= granted, "no more is kept than was granted");
        }
    }
}
