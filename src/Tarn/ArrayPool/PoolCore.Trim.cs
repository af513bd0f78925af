using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Giving memory back: by the clock, on request, under pressure, and from threads that ended.</content>
internal sealed partial class PoolCore
{
    /// <summary>Something is kept that may have to go one day.</summary>
    private bool HasMore => Budget.Granted > 0;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        List<Array>? reported = ReportedTrims();
        ThreadCache.SweepDeadThreads();
        EvictDepots(Budget.AdjustLimit(occasion.MemoryIsScarce), reported);
        TrimTiers(occasion.Now, Schedule.PatienceAt(occasion), reported);
        Report(reported);
        if (TarnEventSource.Log.IsEnabled())
        {
            TarnEventSource.Log.BufferTrimPoll((int)occasion.Now.TotalMilliseconds, occasion.MemoryIsScarce ? 1 : 0);
        }

        if (!HasMore)
        {
            Budget.RestoreLimit();
        }

        return Schedule.StayAwakeIf(() => HasMore);
    }

    /// <summary>Gives up every idle buffer, on all threads and in the depots; the bytes given up.</summary>
    internal long TrimAll()
    {
        List<Array>? reported = ReportedTrims();
        long bytes;
        lock (ThreadCache.Inheritance)
        {
            ThreadCache.SweepDeadThreads();
            bytes = TrimTiers(now: default, patience: null, reported);
        }

        Report(reported);
        return bytes;
    }

    /// <summary>
    /// Of every tier, gives up what was not used for <paramref name="patience"/>, or everything when that is null; the bytes given up.
    /// </summary>
    private long TrimTiers(TimeSpan now, TimeSpan? patience, List<Array>? reported)
    {
        long bytes = 0;
        foreach (CacheSection section in ThreadCache.SectionsOf(this))
        {
            bytes += TrimSection(section, now, patience, reported);
        }

        TimeSpan before = patience is null ? TimeSpan.MaxValue : now - patience.Value;
        for (int index = 0; index < _depots.Length; index++)
        {
            if (_depots[index] is { } depot)
            {
                bytes += DropMagazines(index, depot.TakeIdle(before, long.MaxValue), reported);
            }
        }

        (long buffers, long exactBytes) = Exact.Trim(before);
        Counters.CountTrimmed(buffers);
        return bytes + exactBytes;
    }

    /// <summary>The pool is gone: empties what threads hold for it and lets its index be used again.</summary>
    internal void Retire()
    {
        foreach (CacheSection section in ThreadCache.SectionsOf(this))
        {
            TrimSection(section, now: default, patience: null, reported: null);
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

        s_indices.GiveBack(Index);
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
                    DepotOf(state.Index).AddFull([.. free], Schedule.Now);
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
    private long TrimSection(CacheSection section, TimeSpan now, TimeSpan? patience, List<Array>? reported)
    {
        long bytes = 0;
        lock (section.Sync)
        {
            if (section.Pool != this)
            {
                return 0;
            }

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
                    bytes += RevokeMagazines(ref entry, state, reported);
                    (idle ??= []).Add(state);
                }
                else
                {
                    bytes += TrimExcess(ref entry, state, now, patience.Value, reported);

                    // What a trimmer takes is not the owner's doing: it must not make the rest look used.
                    state.SeenActivity = state.ActivityOf(in entry);
                }
            }

            if (idle is not null)
            {
                Interlocked.MemoryBarrierProcessWide();
                foreach (ClassState state in idle)
                {
                    bytes += RevokeTop(ref section.Entries[state.Index], state, reported);
                }
            }
        }

        return bytes;
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

    /// <summary>Gives up the magazines of a class in use that were not needed for <paramref name="patience"/>; the bytes given up.</summary>
    private long TrimExcess(ref CacheEntry entry, ClassState state, TimeSpan now, TimeSpan patience, List<Array>? reported)
    {
        if (state.Parked is not null && now - state.ParkedAt >= patience)
        {
            return RevokeMagazines(ref entry, state, reported);
        }

        if (state.Parked is null && entry.Items.Length > 0)
        {
            // Whether it is needed shows from now on: the owner has to come for it.
            state.Parked = entry.Items;
            state.ParkedAt = now;
            Volatile.Write(ref entry.Items, CacheSection.Revoked);
        }

        return state.PreviousUse.IsIdle(now, patience) ? RevokePrevious(state, reported) : 0;
    }

    private long RevokeMagazines(ref CacheEntry entry, ClassState state, List<Array>? reported)
    {
        ArrayReference[] loaded = state.LoadedOf(in entry);
        int count = Math.Min(entry.Count, loaded.Length);
        Volatile.Write(ref entry.Items, CacheSection.Revoked);
        state.Parked = null;
        Note(loaded.AsSpan(0, count), reported);
        Release(state.Index, loaded.Length * state.Bytes);
        Counters.CountTrimmed(count);
        return (count * state.Bytes) + RevokePrevious(state, reported);
    }

    private long RevokePrevious(ClassState state, List<Array>? reported)
    {
        int count = state.PreviousCount;
        Note(state.Previous.AsSpan(0, count), reported);
        Release(state.Index, state.Previous.Length * state.Bytes);
        state.Outflow += count;
        state.PreviousCount = 0;
        state.Previous = CacheSection.Revoked;
        Counters.CountTrimmed(count);
        return count * state.Bytes;
    }

    private long RevokeTop(ref CacheEntry entry, ClassState state, List<Array>? reported)
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

        reported?.Add(top!);
        Counters.CountTrimmed(1);
        return state.Bytes;
    }

    /// <summary>Makes room for a buffer of the class out of what lies in the depots.</summary>
    private void EvictFor(uint index)
    {
        List<Array>? reported = ReportedTrims();
        long bytes = (long)LengthOf(index) * ElementSize;
        if (ClassBudgetOf(index) is { } budget && bytes > budget.Limit - budget.Granted)
        {
            // Where the class is at its limit, buffers of other classes are no help.
            EvictDepot((int)index, bytes, reported);
        }
        else
        {
            EvictDepots(bytes, reported);
        }

        Report(reported);
    }

    /// <summary>Gives up magazines in the depots, large classes first, until <paramref name="bytes"/> are free.</summary>
    private void EvictDepots(long bytes, List<Array>? reported)
    {
        for (int index = 0; index < _depots.Length && bytes > 0; index++)
        {
            bytes -= EvictDepot(index, bytes, reported);
        }
    }

    /// <summary>Gives up one class's magazines, the oldest first, until <paramref name="bytes"/> are free; the bytes given up.</summary>
    private long EvictDepot(int index, long bytes, List<Array>? reported)
    {
        if (_depots[index] is not { } depot)
        {
            return 0;
        }

        long size = (long)LengthOf((uint)index) * ElementSize;
        return DropMagazines(index, depot.TakeIdle(TimeSpan.MaxValue, ((bytes - 1) / size) + 1), reported);
    }

    private long DropMagazines(int index, List<ArrayReference[]> magazines, List<Array>? reported)
    {
        long buffers = 0;
        foreach (ArrayReference[] magazine in magazines)
        {
            Note(magazine, reported);
            buffers += magazine.Length;
        }

        long bytes = buffers * LengthOf((uint)index) * ElementSize;
        Release((uint)index, bytes);
        Counters.CountTrimmed(buffers);
        return bytes;
    }

    /// <summary>Where trims are noted for listeners, if there are any: they may rent and return in turn, so no lock is held when they are told.</summary>
    private static List<Array>? ReportedTrims() => TarnEventSource.Log.IsEnabled() ? [] : null;

    private static void Note(ReadOnlySpan<ArrayReference> magazine, List<Array>? reported)
    {
        if (reported is null)
        {
            return;
        }

        foreach (ArrayReference reference in magazine)
        {
            // A slot may still be empty whose owner has counted it and is about to fill it.
            if (reference.Value is { } array)
            {
                reported.Add(array);
            }
        }
    }

    private void Report(List<Array>? trimmed)
    {
        foreach (Array array in trimmed ?? [])
        {
            TarnEventSource.Log.BufferTrimmed(RuntimeHelpers.GetHashCode(array), array.Length, Index);
        }
    }
}
