namespace Tarn;

/// <content>The counters, summed only when they are read, and the check of the structure's equations.</content>
internal sealed partial class PoolCore
{
    /// <summary>Returns the current counters, which are exact while no other thread is in a call.</summary>
    internal BufferPoolStatistics GetStatistics()
    {
        using (PoolThreads.Directory.Inheritance.Hold())
        {
            long rented = Counters.Rented;
            long returned = Counters.Returned;
            long allocated = Counters.Allocated;
            long dropped = Counters.Dropped;
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
                        inUseBytes += (classRented - classReturned) * cache.Shared.Bytes;
                        retainedBytes += cache.FreeCount * cache.Shared.Bytes;
                    }
                }
            }

            foreach (ArrayClass shared in Classes)
            {
                (long classRented, long classReturned) = shared.Depot.Traffic;
                rented += classRented;
                returned += classReturned;
                inUseBytes += (classRented - classReturned) * shared.Bytes;
                allocated += shared.Made;
                dropped += shared.Dropped;
                retainedBytes += shared.Depot.Count * shared.Bytes;
            }

            return new BufferPoolStatistics
            {
                Rented = rented,
                Returned = returned,
                Allocated = allocated,
                Dropped = dropped,
                Trimmed = Counters.Trimmed,
                InUseBytes = Math.Max(0, inUseBytes),
                RetainedBytes = retainedBytes,
            };
        }
    }

    /// <summary>
    /// Checks the equations of <see cref="ArrayClassCache"/> and the cap. For tests, while no other thread uses the pool.
    /// </summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate() => Schedule.Clock.BetweenTicks(ValidateNow);

    private void ValidateNow()
    {
        using (PoolThreads.Directory.Inheritance.Hold())
        {
            long slots = 0;
            foreach (CacheSection section in GetSections())
            {
                for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
                {
                    cache.Validate(Id);
                    slots += cache.Slots * cache.Shared.Bytes;
                }
            }

            long granted = Exact.RetainedBytes + slots;
            foreach (ArrayClass shared in Classes)
            {
                shared.Depot.Validate();
                granted += shared.Depot.Places * shared.Bytes;
            }

            Throw.UnlessHolds(slots == ThreadRoom.Granted, $"slots hold {slots} bytes of room, {ThreadRoom.Granted} are granted");
            Throw.UnlessHolds(granted == Budget.Granted, $"slots and places hold {granted} bytes of room, {Budget.Granted} are granted");
            Throw.UnlessHolds(GetStatistics().RetainedBytes <= granted, "the retained bytes do not exceed the granted room");
        }
    }
}
