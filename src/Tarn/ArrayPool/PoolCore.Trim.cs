using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Giving memory back: by the clock, on request, under pressure, and from threads that ended.</content>
internal sealed partial class PoolCore
{
    /// <summary>Under memory pressure the cap is cut to this share of what is kept, and never below this share of the cap.</summary>
    private const int PressureShare = 2;

    private const int LeastShareOfCap = 16;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        ThreadCache.SweepDeadThreads();
        AdjustCap(occasion.MemoryIsScarce);

        // When memory is scarce, whatever was not touched since the last tick goes; what is in use stays, or every rent would allocate.
        TimeSpan patience = occasion.MemoryIsScarce ? TickPeriod : IdleTimeout;
        foreach (CacheSection section in ThreadCache.SectionsOf(this))
        {
            TrimSection(section, occasion.Now, patience);
        }

        for (int index = 0; index < _depots.Length; index++)
        {
            if (_depots[index] is { } depot)
            {
                DropMagazines(index, depot.TakeIdle(occasion.Now - patience, long.MaxValue));
            }
        }

        Counters.CountTrimmed(Exact.Trim(occasion.Now - patience).Buffers);
        if (TarnEventSource.Log.IsEnabled())
        {
            TarnEventSource.Log.BufferTrimPoll((int)occasion.Now.TotalMilliseconds, occasion.MemoryIsScarce ? 1 : 0);
        }

        if (Budget.Granted > 0)
        {
            return true;
        }

        // Nothing is kept, so the cap is whole again: a cut one can be less than a buffer, and then nothing would ever wake the clock.
        Budget.Limit = _cap;

        // Someone may have begun to keep memory since the line above and found the clock awake; then it stays so.
        Volatile.Write(ref _awake, 0);
        Interlocked.MemoryBarrier();
        return Budget.Granted > 0 && Interlocked.Exchange(ref _awake, 1) == 0;
    }

    /// <summary>Gives up every idle buffer, on all threads and in the depots; the bytes given up.</summary>
    internal long TrimAll()
    {
        lock (ThreadCache.Inheritance)
        {
            ThreadCache.SweepDeadThreads();
            long bytes = 0;
            foreach (CacheSection section in ThreadCache.SectionsOf(this))
            {
                bytes += TrimSection(section, now: default, patience: null);
            }

            for (int index = 0; index < _depots.Length; index++)
            {
                if (_depots[index] is { } depot)
                {
                    bytes += DropMagazines(index, depot.TakeIdle(TimeSpan.MaxValue, long.MaxValue));
                }
            }

            (long buffers, long exactBytes) = Exact.Trim(TimeSpan.MaxValue);
            Counters.CountTrimmed(buffers);
            return bytes + exactBytes;
        }
    }

    /// <summary>The pool is gone: empties what threads hold for it and lets its index be used again.</summary>
    internal void Retire()
    {
        foreach (CacheSection section in ThreadCache.SectionsOf(this))
        {
            TrimSection(section, now: default, patience: null);
            lock (section.Sync)
            {
                Array.Clear(section.States);
                foreach (ref CacheEntry entry in section.Entries.AsSpan())
                {
                    // The owner resets the rest when it sets the entry up for the next pool.
                    entry.Length = 0;
                }

                section.Pool = null;
            }
        }

        PoolIndices.GiveBack(Index);
    }

    /// <summary>Takes over what a thread that ended held; nobody else touches its section any more.</summary>
    internal void AdoptSection(CacheSection section)
    {
        lock (section.Sync)
        {
            section.Pool = null;
            foreach (ClassState? known in section.States)
            {
                if (known is null)
                {
                    continue;
                }

                ref CacheEntry entry = ref section.Entries[known.Index];
                ClassState state = StateOf(section, ref entry, known.Index);
                List<ArrayReference> free = new(1 + entry.Count + state.PreviousCount);
                free.AddRange(entry.Items.AsSpan(0, entry.Count));
                free.AddRange(state.Previous.AsSpan(0, state.PreviousCount));
                if (entry.IsTopFree != 0)
                {
                    free.Add(new ArrayReference { Value = entry.Top });
                }

                long returned = entry.Rented + free.Count + state.Outflow;
                Counters.CountRented(entry.Rented, entry.Rented * state.Bytes);
                Counters.CountReturned(returned, returned * state.Bytes);
                Release(state.Index, (ReservedSlots(in entry, state) - free.Count) * state.Bytes);
                if (free.Count > 0)
                {
                    DepotOf(state.Index).AddFull([.. free], Clock.Now);
                }
            }
        }
    }

    /// <summary>
    /// Takes back what a section has not used for <paramref name="patience"/>, or everything when that is null; the bytes given up.
    /// </summary>
    /// <remarks>
    /// The owner may be renting and returning meanwhile. First the magazines lose their room, so that nothing more can be stored;
    /// then every processor is fenced, after which an owner that is about to fill the top slot sees that; then the top slots are
    /// emptied and the room goes back to the budget. See <see cref="CacheEntry"/>.
    /// </remarks>
    private long TrimSection(CacheSection section, TimeSpan now, TimeSpan? patience)
    {
        lock (section.Sync)
        {
            if (section.Pool != this)
            {
                return 0;
            }

            long bytes = 0;
            List<ClassState>? idle = null;
            foreach (ClassState? state in section.States)
            {
                if (state is null)
                {
                    continue;
                }

                ref CacheEntry entry = ref section.Entries[state.Index];
                if (patience is null || IsIdle(ref entry, state, now, patience.Value))
                {
                    bytes += RevokeMagazines(ref entry, state);
                    (idle ??= []).Add(state);
                }
                else if (HasExcess(ref entry, state, now, patience.Value))
                {
                    bytes += RevokeMagazines(ref entry, state);
                }
            }

            if (idle is not null)
            {
                Interlocked.MemoryBarrierProcessWide();
                foreach (ClassState state in idle)
                {
                    bytes += RevokeTop(ref section.Entries[state.Index], state);
                }
            }

            return bytes;
        }
    }

    private static bool IsIdle(ref CacheEntry entry, ClassState state, TimeSpan now, TimeSpan patience)
    {
        ClassActivity activity = state.ActivityOf(in entry);
        if (activity != state.SeenActivity)
        {
            state.SeenActivity = activity;
            state.ActiveAt = now;
            return false;
        }

        return now - state.ActiveAt >= patience && (state.TopReserved || state.Previous.Length > 0);
    }

    /// <summary>
    /// Whether buffers lay untouched below those in use for a whole watch, or there was room that the thread did not need when the watch
    /// began nor now (with references to buffers that others have given up since); begins the next watch.
    /// </summary>
    private bool HasExcess(ref CacheEntry entry, ClassState state, TimeSpan now, TimeSpan patience)
    {
        // Timers are early or late by a little; a watch must not wait a whole tick longer for that.
        if (now - state.WatchedSince < patience - (TickPeriod / 2))
        {
            return false;
        }

        bool isEmpty = entry.Count == 0 && state.PreviousCount == 0;
        bool excess = Math.Min(entry.LowCount, entry.Count) > 0
            || Math.Min(state.PreviousLowCount, state.PreviousCount) > 0
            || (isEmpty && state.WasEmpty && entry.Items.Length + state.Previous.Length > 0);
        state.WasEmpty = isEmpty;
        state.WatchedSince = now;
        entry.LowCount = entry.Count;
        state.PreviousLowCount = state.PreviousCount;
        return excess;
    }

    private long RevokeMagazines(ref CacheEntry entry, ClassState state)
    {
        ArrayReference[] items = entry.Items;
        int count = Math.Min(entry.Count, items.Length);
        Volatile.Write(ref entry.Items, CacheSection.Revoked);
        ReportTrimmed(items.AsSpan(0, count));
        ReportTrimmed(state.Previous.AsSpan(0, state.PreviousCount));
        long buffers = count + state.PreviousCount;
        Release(state.Index, (items.Length + state.Previous.Length) * state.Bytes);
        state.Outflow += state.PreviousCount;
        state.PreviousCount = 0;
        state.Previous = CacheSection.Revoked;
        Counters.CountTrimmed(buffers);
        return buffers * state.Bytes;
    }

    private long RevokeTop(ref CacheEntry entry, ClassState state)
    {
        Array? top = entry.Top;
        bool free = entry.IsTopFree != 0 && top is not null;
        Volatile.Write(ref entry.Top, null);
        if (state.TopReserved)
        {
            state.TopReserved = false;
            Release(state.Index, state.Bytes);
        }

        if (!free)
        {
            return 0;
        }

        ReportTrimmed([new ArrayReference { Value = top }]);
        Counters.CountTrimmed(1);
        return state.Bytes;
    }

    /// <summary>Under pressure: half of what is kept, each time; then back towards the full cap, doubling.</summary>
    private void AdjustCap(bool memoryIsScarce)
    {
        if (memoryIsScarce)
        {
            Budget.Limit = Math.Max(_cap / LeastShareOfCap, Math.Min(Budget.Limit, Budget.Granted / PressureShare));
            EvictDepots(Budget.Granted - Budget.Limit);
        }
        else if (Budget.Limit < _cap)
        {
            Budget.Limit = Budget.Limit > _cap / 2 ? _cap : Math.Max(1, Budget.Limit * 2);
        }
    }

    /// <summary>Gives up magazines in the depots, large classes first, until <paramref name="bytes"/> are free; false when that cannot be.</summary>
    private bool EvictDepots(long bytes)
    {
        for (int index = 0; index < _depots.Length && bytes > 0; index++)
        {
            bytes -= EvictDepot(index, bytes);
        }

        return bytes <= 0;
    }

    /// <summary>Gives up one class's magazines, the oldest first, until <paramref name="bytes"/> are free; the bytes given up.</summary>
    private long EvictDepot(int index, long bytes)
    {
        if (_depots[index] is not { } depot)
        {
            return 0;
        }

        long size = (long)LengthOf((uint)index) * ElementSize;
        return DropMagazines(index, depot.TakeIdle(TimeSpan.MaxValue, ((bytes - 1) / size) + 1));
    }

    private long DropMagazines(int index, List<ArrayReference[]> magazines)
    {
        long buffers = 0;
        foreach (ArrayReference[] magazine in magazines)
        {
            ReportTrimmed(magazine);
            buffers += magazine.Length;
        }

        long bytes = buffers * LengthOf((uint)index) * ElementSize;
        Release((uint)index, bytes);
        Counters.CountTrimmed(buffers);
        return bytes;
    }

    private void ReportTrimmed(ReadOnlySpan<ArrayReference> magazine)
    {
        if (!TarnEventSource.Log.IsEnabled())
        {
            return;
        }

        foreach (ArrayReference reference in magazine)
        {
            if (reference.Value is { } array)
            {
                TarnEventSource.Log.BufferTrimmed(RuntimeHelpers.GetHashCode(array), array.Length, Index);
            }
        }
    }
}
