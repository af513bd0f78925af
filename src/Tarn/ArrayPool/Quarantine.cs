using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// Where a pool that checks for use after return keeps what came back: filled with a pattern, reused late, and looked at before it is
/// reused or given up and when the process ends. A pattern that was disturbed tells of a write by someone who no longer owned the
/// buffer.
/// </summary>
/// <remarks>
/// Elements that hold references, where a pattern would be no reference, are cleared instead. Guarded by one lock: a checked pool is
/// not fast.
/// </remarks>
internal sealed class Quarantine<T> : ITrimmable
{
    private const byte Poison = 0xDB;

    /// <summary>A length's buffers are not reused before this many of it came back: late writers get the time to be late.</summary>
    private const int LeastDepth = 16;

    private const int MaxPerLength = 64;
    private const long MaxBytes = 256 << 20;

    private readonly Lock _lock = new();
    private readonly Dictionary<int, Queue<Held>> _byLength = [];
    private readonly PoolCore _pool;
    private readonly RentLedger _ledger;
    private readonly bool _handsOutCleared;
    private long _retainedBytes;
    private bool _awake;

    internal Quarantine(PoolCore pool, RentLedger ledger, bool handsOutCleared)
    {
        _pool = pool;
        _ledger = ledger;
        _handsOutCleared = handsOutCleared || !ArraySource<T>.EveryPatternIsValid;
        WeakReference<Quarantine<T>> self = new(this);
        AppDomain.CurrentDomain.ProcessExit += (_, _) =>
        {
            if (self.TryGetTarget(out Quarantine<T>? quarantine))
            {
                quarantine.VerifyAll();
            }
        };
    }

    /// <inheritdoc/>
    public TimeSpan TickPeriod => _pool.TickPeriod;

    internal long RetainedBytes
    {
        get
        {
            lock (_lock)
            {
                return _retainedBytes;
            }
        }
    }

    private static byte Pattern => RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? (byte)0 : Poison;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        Trim(occasion.Now - _pool.IdleTimeout);
        lock (_lock)
        {
            _awake = _retainedBytes > 0;
            return _awake;
        }
    }

    /// <summary>A verified buffer of <paramref name="length"/>, or null when none has been here long enough.</summary>
    internal T[]? Take(int length) => Take(length, LeastDepth);

    /// <summary>As <see cref="Take(int)"/>, and makes the length known as one this pool hands out.</summary>
    internal T[]? TakeExact(int length)
    {
        _ = _pool.Exact.Take(length);
        return Take(length, LeastDepth);
    }

    /// <summary>Fills a buffer with the pattern and keeps it; false when it is too large to keep.</summary>
    internal bool Add(T[] array)
    {
        long bytes = SizeOf(array);
        if (bytes > Math.Min(MaxBytes, _pool.Budget.Limit))
        {
            return false;
        }

        BytesOf(array).Fill(Pattern);
        lock (_lock)
        {
            if (!_byLength.TryGetValue(array.Length, out Queue<Held>? queue))
            {
                _byLength.Add(array.Length, queue = new Queue<Held>());
            }

            queue.Enqueue(new Held(array, _pool.Clock.Now));
            _retainedBytes += bytes;
            while (queue.Count > MaxPerLength)
            {
                Drop(queue);
            }

            ShrinkTo(Math.Min(MaxBytes, _pool.Budget.Limit));
            if (!_awake && _retainedBytes > 0)
            {
                _awake = true;
                _pool.Clock.Wake(this);
            }
        }

        return true;
    }

    /// <summary>Verifies and gives up what came before <paramref name="before"/>; the bytes given up.</summary>
    internal long Trim(TimeSpan before)
    {
        lock (_lock)
        {
            long retained = _retainedBytes;
            long buffers = 0;
            foreach (Queue<Held> queue in _byLength.Values)
            {
                while (queue.TryPeek(out Held held) && held.Since <= before)
                {
                    Drop(queue);
                    buffers++;
                }
            }

            _pool.Counters.CountTrimmed(buffers);
            return retained - _retainedBytes;
        }
    }

    private T[]? Take(int length, int leastDepth)
    {
        lock (_lock)
        {
            if (!_byLength.TryGetValue(length, out Queue<Held>? queue) || queue.Count < leastDepth)
            {
                return null;
            }

            T[] array = Drop(queue);
            if (_handsOutCleared)
            {
                Array.Clear(array);
            }

            return array;
        }
    }

    /// <summary>Takes the oldest out, verified.</summary>
    private T[] Drop(Queue<Held> queue)
    {
        T[] array = queue.Dequeue().Array;
        _retainedBytes -= SizeOf(array);
        Verify(array, now: false);
        return array;
    }

    private void ShrinkTo(long bytes)
    {
        foreach (Queue<Held> queue in _byLength.Values)
        {
            while (_retainedBytes > bytes && queue.Count > 0)
            {
                Drop(queue);
            }
        }
    }

    private void VerifyAll()
    {
        lock (_lock)
        {
            foreach (Queue<Held> queue in _byLength.Values)
            {
                foreach (Held held in queue)
                {
                    Verify(held.Array, now: true);
                }
            }
        }
    }

    private void Verify(T[] array, bool now)
    {
        if (BytesOf(array).ContainsAnyExcept(Pattern))
        {
            _ledger.ReportUseAfterReturn(array, SizeOf(array), now);
        }
    }

    private static long SizeOf(T[] array) => (long)array.Length * Unsafe.SizeOf<T>();

    /// <summary>The elements as bytes. Of references only zeros are written and only zero is asked for, so none is made or kept.</summary>
    private static Span<byte> BytesOf(T[] array) =>
        MemoryMarshal.CreateSpan(
            ref Unsafe.As<T, byte>(ref MemoryMarshal.GetArrayDataReference(array)), checked((int)Math.Min(SizeOf(array), int.MaxValue)));

    private readonly record struct Held(T[] Array, TimeSpan Since);
}
