namespace Tarn.Traces;

/// <summary>Finds the rent of each return and numbers threads and pools, as events arrive.</summary>
/// <remarks>
/// Its hash code, length and pool identify a buffer. The hash code has 26 bits, so two buffers of the same length may share it; a return
/// then matches the oldest rent. The same applies when one buffer seems to be rented twice: <c>ArrayPool.Shared</c> reports a return after
/// the buffer is available to others, so the report of the next rent can come first. Not thread-safe.
/// </remarks>
internal sealed class RentMatcher
{
    private readonly Dictionary<(int Buffer, int Length, int Pool), SeenBuffer> _seen = [];
    private readonly Dictionary<long, int> _threads = [];
    private readonly Dictionary<int, int> _pools = [];
    private readonly List<BufferEvent> _events = [];
    private readonly List<(PoolAction Action, long Thread, int Pool)> _actions = [];
    private long _start;

    internal int Count => _events.Count;

    /// <summary>Whether a trace cannot have more threads, pools or actions.</summary>
    internal bool IsFull => _threads.Count >= BufferTrace.MostThreads || _pools.Count >= BufferTrace.MostThreads
        || _actions.Count >= BufferTrace.MostEvents;

    internal long UnmatchedReturns { get; private set; }

    internal long Allocated { get; private set; }

    internal long Dropped { get; private set; }

    internal IReadOnlyList<BufferEvent> Events => _events;

    /// <summary>The ids of the pools with events, by their numbers.</summary>
    internal IEnumerable<int> Pools => _pools.OrderBy(pool => pool.Value).Select(pool => pool.Key);

    internal void Rent(long microseconds, long thread, int buffer, int length, int pool, int stack = 0)
    {
        if (length <= 0)
        {
            return;
        }

        if (!_seen.TryGetValue((buffer, length, pool), out SeenBuffer? seen))
        {
            _seen.Add((buffer, length, pool), seen = new SeenBuffer());
        }

        seen.Rents.Enqueue(_events.Count);
        Add(microseconds, thread, pool, length, BufferEvent.None, stack);
    }

    internal void Return(long microseconds, long thread, int buffer, int length, int pool, int stack = 0)
    {
        bool isKnown = _seen.TryGetValue((buffer, length, pool), out SeenBuffer? seen);
        if (isKnown && seen!.Rents.TryDequeue(out int rent))
        {
            Add(microseconds, thread, pool, length, rent, stack);
        }
        else
        {
            UnmatchedReturns++;
            PoolActionKind kind = isKnown ? PoolActionKind.ReturnedAgain : PoolActionKind.ReturnedUnseen;
            Act(kind, microseconds, thread, length, pool, stack, reason: 0, seen?.ReturnedAt ?? 0);
            if (!isKnown)
            {
                _seen.Add((buffer, length, pool), seen = new SeenBuffer());
            }
        }

        seen!.ReturnedAt = stack;
    }

    internal void Allocate(long microseconds, long thread, int length, int pool, int stack, int reason)
    {
        Allocated++;
        Act(PoolActionKind.Allocated, microseconds, thread, length, pool, stack, reason);
    }

    internal void Drop(long microseconds, long thread, int length, int pool, int stack, int reason)
    {
        Dropped++;
        Act(PoolActionKind.Dropped, microseconds, thread, length, pool, stack, reason);
    }

    internal void Trim(long microseconds, long thread, int length, int pool) =>
        Act(PoolActionKind.Trimmed, microseconds, thread, length, pool, stack: 0, reason: 0);

    /// <summary>A time of the stream as one of the trace, whose first event has time 0.</summary>
    internal long ToTraceTime(long microseconds) => microseconds - _start;

    /// <summary>Numbers the threads and pools of the actions, after those of the events, and returns the actions in order.</summary>
    internal IReadOnlyList<PoolAction> TakeActions() =>
    [
        .. _actions
            .Select(one => one.Action with
            {
                Microseconds = ToTraceTime(one.Action.Microseconds),
                Thread = Number(_threads, one.Thread),
                Pool = Number(_pools, one.Pool),
            })
            .OrderBy(one => one.Microseconds),
    ];

    private void Act(
        PoolActionKind kind, long microseconds, long thread, int length, int pool, int stack, int reason, int earlierStack = 0) =>
        _actions.Add((
            new PoolAction(kind, microseconds, 0, 0, length) { Stack = stack, Reason = reason, EarlierStack = earlierStack },
            thread,
            pool));

    private void Add(long microseconds, long thread, int pool, int length, int rent, int stack)
    {
        if (_events.Count == 0)
        {
            _start = microseconds;
        }

        // The runtime sorts by time. Events that it cannot sort must not run backwards either.
        long time = Math.Max(microseconds - _start, _events.Count == 0 ? 0 : _events[^1].Microseconds);
        _events.Add(new BufferEvent(time, Number(_threads, thread), Number(_pools, pool), length, rent) { Stack = stack });
    }

    private static int Number<TKey>(Dictionary<TKey, int> numbers, TKey key)
        where TKey : notnull
    {
        if (!numbers.TryGetValue(key, out int number))
        {
            numbers.Add(key, number = numbers.Count);
        }

        return number;
    }

    /// <summary>A buffer that an event named.</summary>
    private sealed class SeenBuffer
    {
        /// <summary>The rents that no return names yet.</summary>
        internal Queue<int> Rents { get; } = new(1);

        /// <summary>The stack of its last return.</summary>
        internal int ReturnedAt { get; set; }
    }
}
