namespace Tarn;

/// <summary>What a source that is refused memory can still get: the memory that the others keep idle.</summary>
/// <remarks>
/// <para>Callers hold no lock. Nothing here needs memory of its own, except that a source may need a little to give up what threads keep.
/// All members are safe to call from any thread.</para>
/// </remarks>
/// <param name="clock">The clock that knows the sources: one that keeps memory is awake.</param>
/// <param name="budget">The budget that they draw on.</param>
internal sealed class Relief(TrimClock clock, ProcessBudget budget)
{
    /// <summary>One refusal in so many makes others give up memory.</summary>
    private const int RefusalsPerSearch = 8;

    /// <summary>The most sources that a search asks, each search the next ones.</summary>
    private const int SourcesPerSearch = 32;

    /// <summary>A search asks for one part in this many of what the asker keeps already, within limits.</summary>
    private const int WantedDivisor = 8;

    private const long LeastWanted = 256 << 10;
    private const long MostWanted = 4 << 20;

    /// <summary>How long a thread waits for another's round, in milliseconds.</summary>
    private const long LongestWait = 1000;

    private readonly Lock _lock = new();
    private int _refusals;
    private int _hand;

    /// <summary>How often everything was given up; changes under the lock.</summary>
    private int _rounds;

    /// <summary>
    /// Has other sources give up memory for one that the process's budget refused: first what they do not need, then, if some of them keep
    /// more than the asker, what those use.
    /// </summary>
    /// <param name="asker">The source that was refused.</param>
    /// <param name="bytes">What it was refused.</param>
    /// <param name="wereTaken">Whether it took the bytes nevertheless.</param>
    /// <returns>Whether the budget has got something back.</returns>
    internal bool TryMakeRoom(ITrimmable asker, long bytes, bool wereTaken)
    {
        // A refusal costs an allocation, which is less than a search. What was taken keeps the process above its ceiling until others give.
        if ((uint)Interlocked.Increment(ref _refusals) % RefusalsPerSearch != 1 && !wereTaken)
        {
            return false;
        }

        long before = budget.Drawn;
        long kept = asker.KeptBytes;
        long least = Math.Max(bytes, budget.Overdrawn);
        long wanted = Math.Max(least, Math.Clamp(kept / WantedDivisor, LeastWanted, MostWanted));

        // One that keeps more than the asker even after it gave up what is missing. So two sources do not take from each other in turn.
        long most = kept + (2 * bytes);
        int awake = Math.Min(clock.AwakeCount, SourcesPerSearch);
        int first = Interlocked.Add(ref _hand, awake + 1);
        for (int i = 0; i < awake && before - budget.Drawn < wanted; i++)
        {
            if (clock.FindAwake(first + i) is { } source && source != asker)
            {
                source.GiveWay(wanted - (before - budget.Drawn), onlyUnneeded: true);
            }
        }

        // Not only the largest one: what threads keep, it does not give, and that may be all it has. Each search begins with another, so
        // all that keep more than the asker have their turn.
        for (int i = 0; i < awake && before - budget.Drawn < least; i++)
        {
            if (clock.FindAwake(first + i) is { } source && source != asker && source.KeptBytes is var other && other > most)
            {
                source.GiveWay(Math.Min(wanted - (before - budget.Drawn), (other - kept) / 2), onlyUnneeded: false);
            }
        }

        return budget.Drawn < before;
    }

    /// <summary>
    /// The last resort before an <see cref="OutOfMemoryException"/>: gives up everything that is idle in every source, and collects what of
    /// that is garbage. Several threads that need it at once share one round.
    /// </summary>
    /// <param name="bytes">What the caller needs. Nothing is given up for more than the process may have.</param>
    /// <returns>Whether another try is worth while.</returns>
    internal bool TryGiveUpAll(long bytes)
    {
        int round = Volatile.Read(ref _rounds);
        if (bytes > MemoryPressure.AvailableBytes || _lock.IsHeldByCurrentThread)
        {
            return false;
        }

        // Not a wait that an interrupt ends. The round may run listeners' code that waits for this thread, so the wait has an end.
        for (long began = Environment.TickCount64; !_lock.TryEnter(); Thread.Yield())
        {
            if (Environment.TickCount64 - began > LongestWait)
            {
                return true;
            }
        }

        try
        {
            if (round != _rounds)
            {
                return true;
            }

            bool gaveUp = GiveUpAll();
            _rounds += gaveUp ? 1 : 0;
            return gaveUp;
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>
    /// Gives up everything, twice: what the first collection frees may be the memory that a source needed to give up more.
    /// </summary>
    /// <returns>Whether there was something.</returns>
    private bool GiveUpAll()
    {
        bool gaveUp = TryEach();
        if (gaveUp)
        {
            TryEach();
        }

        return gaveUp;
    }

    /// <summary>Has each source give up everything, and collects. Returns false if all kept nothing.</summary>
    /// <remarks>
    /// The memory of native heaps is back at once. A collection could do no more for it, and where the system has no address space left,
    /// the runtime may not survive what follows one: it compiles finalizers, and starts threads.
    /// </remarks>
    private bool TryEach()
    {
        long kept = 0;
        long garbage = 0;
        for (int i = clock.AwakeCount - 1; i >= 0; i--)
        {
            if (clock.FindAwake(i) is { } source)
            {
                long before = source.KeptBytes;
                long garbageBefore = source.KeptGarbage;
                source.GiveUpAll();
                kept += Math.Max(0, before - source.KeptBytes);
                garbage += Math.Max(0, garbageBefore - source.KeptGarbage);
            }
        }

        if (garbage > 0)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            clock.Garbage.Forget();
        }

        return kept > 0;
    }
}
