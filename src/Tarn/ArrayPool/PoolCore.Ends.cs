namespace Tarn;

/// <content>The ends: of the pool, and of threads that used it.</content>
internal sealed partial class PoolCore
{
    /// <summary>
    /// Ends the pool: it keeps nothing any more, no thread finds a section of it, and its index may be reused. For the finalizer, which
    /// runs no code of others. It may call again, after an exception or because an owner registered the pool once more.
    /// </summary>
    /// <exception cref="OutOfMemoryException">The end is not complete, and another call goes on.</exception>
    internal void Retire()
    {
        Budget.Close();
        _sections.Close();
        TrimCount trimmed = Trimmer.DropAll();
        Counters.CountTrimmed(trimmed.Buffers);
        Schedule.Clock.Garbage.Add(trimmed.Bytes);
        foreach (CacheSection section in GetSections())
        {
            using (section.Sync.Hold())
            {
                section.Leave();
            }
        }

        trimmed.ReportLater(EventId);
    }

    /// <summary>
    /// Gives up every idle buffer, and keeps none from now on. Without memory for that, buffers stay until they were idle.
    /// </summary>
    internal void KeepNothing()
    {
        Budget.Close();
        try
        {
            Trimmer.Note(Trimmer.DropAll());
        }
        catch (OutOfMemoryException)
        {
            // The caller unloads something else.
        }
    }

    /// <summary>Takes over the buffers of an ended thread, whose section no other thread uses any more.</summary>
    internal void Adopt(CacheSection section)
    {
        _sections.Remove(section);

        // Not reported to listeners, because the lock under which threads' sections move is held.
        TrimCount trimmed = default;
        using (section.Sync.Hold())
        {
            for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
            {
                cache.Bequeath(ref trimmed);
                (long rented, long returned) = cache.Traffic;
                Counters.CountRented(rented, rented * cache.Shared.Bytes);
                Counters.CountReturned(returned, returned * cache.Shared.Bytes);
            }

            section.Leave();
        }

        Counters.CountTrimmed(trimmed.Buffers);
    }

    /// <summary>
    /// Takes over the buffers of one ended thread. Returns false if none was found. The cost does not depend on the number of threads.
    /// </summary>
    internal static bool AdoptOne() => PoolThreads.Directory.SweepOne();
}
