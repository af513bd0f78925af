namespace Tarn;

/// <summary>Gives up what a pool keeps: by the clock, on request, under memory pressure, and for other pools.</summary>
/// <remarks>Ticks come one at a time. All other members are safe to call from any thread.</remarks>
internal sealed class PoolTrimmer : ITrimmable
{
    private readonly PoolCore _pool;
    private readonly RoomSearch _room;

    /// <summary>The time at which the depots' span of time last ended.</summary>
    private TimeSpan _turnedAt;

    /// <summary>The passes over the sections so far: ticks, and calls of any thread.</summary>
    private int _passes;

    /// <summary>The bytes of buffers that were dropped until the last tick.</summary>
    private long _droppedBytes;

    internal PoolTrimmer(PoolCore pool)
    {
        _pool = pool;
        _room = new RoomSearch(pool, this);
    }

    /// <summary>Whether the pool keeps buffers that a later trim may give up.</summary>
    private bool HasMore => _pool.Budget.Granted > 0;

    /// <inheritdoc/>
    public long KeptBytes => _pool.Budget.Granted;

    /// <inheritdoc/>
    public long KeptGarbage => _pool.Budget.Granted;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        PoolThreads.Directory.SweepEndedThreads();
        _pool.ThreadRoom.EndVisits();
        TrimCount trimmed = new();
        if (_pool.Budget.AdjustLimit(occasion, _pool.Schedule.Period) is > 0 and long surplus)
        {
            _room.EvictAny(surplus, ref trimmed);
        }

        TimeSpan patience = _pool.Schedule.PatienceAt(occasion);
        TrimSections(occasion.Now, patience, ref trimmed);
        TrimDepots(occasion.Now, patience, ref trimmed);
        _pool.Exact.Trim(occasion.Now - patience, ref trimmed);
        Note(trimmed);
        NoteDropped();
        if (TarnEventSource.IsHeard)
        {
            TarnEventSource.Log?.BufferTrimPoll((int)occasion.Now.TotalMilliseconds, occasion.MemoryIsScarce ? 1 : 0);
        }

        if (!HasMore)
        {
            _pool.Budget.RestoreLimit();
        }

        return _pool.Schedule.StayAwakeIf(() => HasMore);
    }

    /// <summary>Gives up every idle buffer, of all threads and in the depots. Returns the bytes given up.</summary>
    internal long TrimAll()
    {
        TrimCount trimmed = DropAll();
        Note(trimmed);
        _pool.Budget.Settle(keepsStep: false);
        return trimmed.Bytes;
    }

    /// <summary>As <see cref="TrimAll"/>, without a report to listeners.</summary>
    internal TrimCount DropAll()
    {
        TrimCount trimmed = new();
        using (PoolThreads.Directory.Inheritance.Hold())
        {
            PoolThreads.Directory.SweepEndedThreads();
            TrimSections(now: default, patience: null, ref trimmed);
            foreach (ArrayClass shared in _pool.Classes)
            {
                shared.Depot.Evict(long.MaxValue, ref trimmed);
                shared.Depot.GiveUpPlaces(long.MaxValue);
            }

            _pool.Exact.Trim(TimeSpan.MaxValue, ref trimmed);
        }

        return trimmed;
    }

    /// <inheritdoc/>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
        TrimCount trimmed = new();
        try
        {
            _room.GiveWay(bytes, onlyUnneeded, ref trimmed);
        }
        catch (OutOfMemoryException)
        {
            // What was given up so far has to suffice.
        }

        Note(trimmed);
        _pool.Budget.Settle(keepsStep: false);
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
        // The depots first, because that needs no memory.
        TrimCount trimmed = new();
        _room.EvictAny(long.MaxValue, ref trimmed);
        Note(trimmed);
        try
        {
            TrimAll();
        }
        catch (OutOfMemoryException)
        {
            // The caller tries again after a collection.
        }

        _pool.Budget.Settle(keepsStep: false);
    }

    /// <summary>Makes room for a buffer of the class. Returns false if nothing was given up. The caller holds no lock.</summary>
    internal bool MakeRoom(ArrayClass wanted) => _room.Make(wanted);

    /// <summary>Counts the buffers given up and reports them to listeners. The caller holds no lock.</summary>
    internal void Note(in TrimCount trimmed)
    {
        _pool.Schedule.Clock.Garbage.Add(trimmed.Bytes);
        _pool.Counters.CountTrimmed(trimmed.Buffers);
        trimmed.Report(_pool.EventId);
    }

    /// <summary>
    /// Counts the buffers that were dropped since the last tick as garbage. They are counted by class, so a return pays nothing.
    /// </summary>
    private void NoteDropped()
    {
        long dropped = 0;
        for (uint index = 0; index < SizeClass.IndexCount; index++)
        {
            dropped += _pool.Find(index) is { } shared ? shared.Dropped * shared.Bytes : 0;
        }

        _pool.Schedule.Clock.Garbage.Add(dropped - _droppedBytes);
        _droppedBytes = dropped;
    }

    /// <summary>Takes back what threads have not used for <paramref name="patience"/>, or everything if it is null.</summary>
    /// <remarks>
    /// The owners may rent and return at the same time. First the magazines lose their room, so that an owner can store nothing more. Then
    /// every processor is fenced, after which an owner about to fill the top slot sees the change. Finally the top slots are emptied and
    /// the room goes back to the budget. See <see cref="CacheEntry"/>. One fence serves all sections, and no lock is held during it: an
    /// owner that comes back meanwhile keeps its top slot.
    /// </remarks>
    internal void TrimSections(TimeSpan now, TimeSpan? patience, ref TrimCount trimmed)
    {
        CacheSection[] sections = _pool.GetSections();
        int pass = Interlocked.Increment(ref _passes);
        bool hasTops = false;
        foreach (CacheSection section in sections)
        {
            hasTops |= TrimMagazines(section, now, patience, pass, ref trimmed);
        }

        if (hasTops)
        {
            Interlocked.MemoryBarrierProcessWide();
            foreach (CacheSection section in sections)
            {
                RevokeTops(section, pass, ref trimmed);
            }
        }
    }

    /// <summary>
    /// Takes the magazines back that a section has not used, and parks the others. Returns whether top slots remain to be emptied.
    /// </summary>
    private static bool TrimMagazines(CacheSection section, TimeSpan now, TimeSpan? patience, int pass, ref TrimCount trimmed)
    {
        using (section.Sync.Hold())
        {
            bool hasTops = false;
            bool isInUse = false;
            for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
            {
                hasTops |= cache.Trim(now, patience, pass, ref trimmed);
                isInUse |= !cache.IsIdle(now, patience);
            }

            if (!isInUse)
            {
                section.Use.Count(isUsed: false);
            }

            return hasTops;
        }
    }

    private static void RevokeTops(CacheSection section, int pass, ref TrimCount trimmed)
    {
        using (section.Sync.Hold())
        {
            for (ArrayClassCache? cache = section.Classes; cache is not null; cache = cache.Next)
            {
                cache.RevokeTop(pass, ref trimmed);
            }
        }
    }

    /// <summary>
    /// Twice in each timeout, gives up the buffers that no thread needed in the span of time that ends and the one before.
    /// </summary>
    private void TrimDepots(TimeSpan now, TimeSpan patience, ref TrimCount trimmed)
    {
        // A tick may be slightly early.
        if (now - _turnedAt < patience / 8 * 3)
        {
            return;
        }

        _turnedAt = now;
        foreach (ArrayClass shared in _pool.Classes)
        {
            shared.Depot.Turn(ref trimmed);
        }
    }
}
