using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// Holds the returned buffers of a pool that checks for use after return. Each buffer is filled with a pattern and reused late. It is
/// verified before it is reused or given up, and when the process ends. A disturbed pattern reveals a write after the return.
/// </summary>
/// <remarks>
/// Elements that hold references are cleared instead, as a pattern would not be a valid reference. One lock guards the quarantine, and
/// nothing is reported under it: handlers of incidents and listeners to events may use the pool, also on other threads. Buffers to be given
/// up are taken out under the lock and verified afterwards.
/// </remarks>
internal sealed class Quarantine<T> : ITrimmable, IExitCheck
{
    /// <summary>
    /// The number of buffers of a length that must be in quarantine before one is reused. This leaves late writes time to occur.
    /// </summary>
    private const int LeastDepth = 16;

    private const int MaxPerLength = 64;

    private readonly Lock _lock = new();
    private readonly Dictionary<int, Queue<Held>> _byLength = [];
    private readonly PoolCore _pool;
    private readonly RentLedger _ledger;
    private readonly TrimSchedule _schedule;
    private readonly bool _handsOutCleared;
    private long _retainedBytes;

    internal Quarantine(PoolCore pool, RentLedger ledger, bool handsOutCleared)
    {
        _pool = pool;
        _ledger = ledger;
        _schedule = new TrimSchedule(this, pool.Schedule.Clock, pool.Schedule.IdleTimeout);
        _handsOutCleared = handsOutCleared || !ArraySource<T>.EveryPatternIsValid;
        ProcessEnd.Add(this);
    }

    internal long RetainedBytes
    {
        get
        {
            using (_lock.Hold())
            {
                return _retainedBytes;
            }
        }
    }

    /// <summary>The pool's cap applies here too, because a checked pool keeps its buffers nowhere else.</summary>
    private long Limit => Math.Min(CheckSettings.MostKeptBytes, _pool.Budget.Limit);

    private static byte Pattern => RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? (byte)0 : BufferDiagnostics.PoisonByte;

    /// <inheritdoc/>
    public long KeptBytes => RetainedBytes;

    /// <inheritdoc/>
    public long KeptGarbage => RetainedBytes;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        Trim(occasion.Now - _schedule.PatienceAt(occasion));
        return _schedule.StayAwakeIf(() => RetainedBytes > 0);
    }

    /// <inheritdoc/>
    /// <remarks>Does nothing: the process's budget does not count buffers that are kept to find mistakes.</remarks>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
        try
        {
            Trim(TimeSpan.MaxValue);
        }
        catch (OutOfMemoryException)
        {
            // The caller tries again after a collection.
        }
    }

    /// <inheritdoc/>
    public void Look(bool isExit)
    {
        // Under the lock, as other threads still rent: their buffers must not be reported as disturbed.
        List<(T[] Array, int Element)> disturbed = [];
        using (_lock.Hold())
        {
            foreach (Held held in _byLength.Values.SelectMany(static queue => queue))
            {
                int element = FindDisturbed(held.Array);
                if (element >= 0)
                {
                    disturbed.Add((held.Array, element));
                    Fill(held.Array);
                }
            }
        }

        disturbed.ForEach(found => Report(found.Array, found.Element));
    }

    /// <summary>Takes a verified buffer of <paramref name="length"/>, or returns null if none has been here long enough.</summary>
    internal T[]? Take(int length)
    {
        T[] array;
        using (_lock.Hold())
        {
            if (!_byLength.TryGetValue(length, out Queue<Held>? queue) || queue.Count < LeastDepth)
            {
                return null;
            }

            array = TakeOldest(queue);
        }

        Verify(array);
        if (_handsOutCleared)
        {
            Array.Clear(array);
        }

        return array;
    }

    /// <summary>As <see cref="Take(int)"/>, and records the length as one this pool hands out.</summary>
    internal T[]? TakeExact(int length)
    {
        _ = _pool.Exact.Take(length);
        return Take(length);
    }

    /// <summary>
    /// Fills a buffer with the pattern and keeps it. Returns false if it is too large to keep, or there is no memory to list it.
    /// </summary>
    internal bool Add(T[] array)
    {
        long bytes = SizeOf(array);
        if (bytes > Limit)
        {
            return false;
        }

        Fill(array);
        List<T[]> surplus;
        bool isKept;
        using (_lock.Hold())
        {
            // All steps that may fail come first: a kept buffer must not count as dropped.
            Queue<Held>? queue;
            Predicate<Held> fits;
            try
            {
                surplus = [];
                fits = _ => _retainedBytes <= Limit;
                if (!_byLength.TryGetValue(array.Length, out queue))
                {
                    _byLength.Add(array.Length, queue = new Queue<Held>());
                }

                queue.Enqueue(new Held(array, _schedule.Now));
            }
            catch (OutOfMemoryException)
            {
                return false;
            }

            _retainedBytes += bytes;
            if (queue.Count > MaxPerLength)
            {
                TryTakeOldest(queue, surplus);
            }

            TakeUntil(fits, surplus);
            isKept = _retainedBytes > 0;
        }

        if (isKept)
        {
            _schedule.Wake();
        }

        GiveUp(surplus);
        return true;
    }

    /// <summary>Verifies and gives up the buffers returned before <paramref name="before"/>. Returns the bytes given up.</summary>
    internal long Trim(TimeSpan before)
    {
        List<T[]> idle = [];
        using (_lock.Hold())
        {
            TakeUntil(held => held.Since > before, idle);
        }

        return GiveUp(idle);
    }

    /// <summary>
    /// Takes out the oldest buffers of each length until one is <paramref name="wanted"/>, or until there is no memory to list them. The
    /// others stay for a later call. Forgets lengths without buffers.
    /// </summary>
    private void TakeUntil(Predicate<Held> wanted, List<T[]> taken)
    {
        foreach ((int length, Queue<Held> queue) in _byLength)
        {
            while (queue.TryPeek(out Held oldest) && !wanted(oldest))
            {
                if (!TryTakeOldest(queue, taken))
                {
                    return;
                }
            }

            if (queue.Count == 0)
            {
                _byLength.Remove(length);
            }
        }
    }

    private T[] TakeOldest(Queue<Held> queue)
    {
        T[] array = queue.Dequeue().Array;
        _retainedBytes -= SizeOf(array);
        return array;
    }

    /// <summary>Moves the oldest to a list; false, and nothing has changed, when there is no memory for that.</summary>
    private bool TryTakeOldest(Queue<Held> queue, List<T[]> taken)
    {
        if (!ListRoom.TryAdd(taken, queue.Peek().Array))
        {
            return false;
        }

        TakeOldest(queue);
        return true;
    }

    private long GiveUp(List<T[]> arrays)
    {
        _pool.Counters.CountTrimmed(arrays.Count);
        long bytes = 0;
        foreach (T[] array in arrays)
        {
            Verify(array);
            bytes += SizeOf(array);
            if (TarnEventSource.IsHeard)
            {
                TarnEventSource.Log?.BufferTrimmed(RuntimeHelpers.GetHashCode(array), array.Length, _pool.EventId);
            }
        }

        _pool.Schedule.Clock.Garbage.Add(bytes);
        return bytes;
    }

    private void Verify(T[] array)
    {
        int element = FindDisturbed(array);
        if (element >= 0)
        {
            Report(array, element);
        }
    }

    /// <summary>Reports a finding, unless there is no memory to describe it: the caller that returns or rents is not at fault.</summary>
    private void Report(T[] array, int element)
    {
        try
        {
            BufferDiagnostics.Report(_ledger.DescribeUseAfterReturn(array, SizeOf(array), element));
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>Returns the first element with a disturbed pattern, or -1.</summary>
    private static int FindDisturbed(T[] array)
    {
        int offset = BytesOf(array).IndexOfAnyExcept(Pattern);
        return offset < 0 ? -1 : offset / Unsafe.SizeOf<T>();
    }

    /// <summary>Clears references as references, because the collector must never see half of one.</summary>
    private static void Fill(T[] array)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(array);
        }
        else
        {
            ref byte first = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(array));
            MemoryMarshal.CreateSpan(ref first, (int)SizeOf(array)).Fill(Pattern);
        }
    }

    private static long SizeOf(T[] array) => (long)array.Length * Unsafe.SizeOf<T>();

    /// <summary>
    /// Returns the elements as bytes, for reading. Kept buffers are never larger than <see cref="CheckSettings.MostKeptBytes"/>.
    /// </summary>
    private static ReadOnlySpan<byte> BytesOf(T[] array) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(array)), (int)SizeOf(array));

    private readonly record struct Held(T[] Array, TimeSpan Since);
}
