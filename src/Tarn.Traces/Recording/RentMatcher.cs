namespace Tarn.Traces;

/// <summary>Finds the rent of each return and numbers threads and pools, as events arrive.</summary>
/// <remarks>
/// Its hash code, length and pool identify a buffer. The hash code has 26 bits, so two buffers of the same length may share it; a return
/// then matches the oldest rent. The same applies when one buffer seems to be rented twice: <c>ArrayPool.Shared</c> reports a return after
/// the buffer is available to others, so the report of the next rent can come first. Not thread-safe.
/// </remarks>
internal sealed class RentMatcher
{
    private readonly Dictionary<(int Buffer, int Length, int Pool), Queue<int>> _open = [];
    private readonly Dictionary<long, int> _threads = [];
    private readonly Dictionary<int, int> _pools = [];
    private readonly List<BufferEvent> _events = [];
    private long _start;

    internal int Count => _events.Count;

    internal long UnmatchedReturns { get; private set; }

    internal long Allocated { get; private set; }

    internal long Dropped { get; private set; }

    internal IReadOnlyList<BufferEvent> Events => _events;

    internal void Rent(long microseconds, long thread, int buffer, int length, int pool)
    {
        if (length <= 0)
        {
            return;
        }

        if (!_open.TryGetValue((buffer, length, pool), out Queue<int>? rents))
        {
            _open.Add((buffer, length, pool), rents = new Queue<int>(1));
        }

        rents.Enqueue(_events.Count);
        Add(microseconds, thread, pool, length, BufferEvent.None);
    }

    internal void Return(long microseconds, long thread, int buffer, int length, int pool)
    {
        if (_open.TryGetValue((buffer, length, pool), out Queue<int>? rents) && rents.TryDequeue(out int rent))
        {
            Add(microseconds, thread, pool, length, rent);
        }
        else
        {
            UnmatchedReturns++;
        }
    }

    internal void Allocate() => Allocated++;

    internal void Drop() => Dropped++;

    private void Add(long microseconds, long thread, int pool, int length, int rent)
    {
        if (_events.Count == 0)
        {
            _start = microseconds;
        }

        // The runtime sorts by time. Events that it cannot sort must not run backwards either.
        long time = Math.Max(microseconds - _start, _events.Count == 0 ? 0 : _events[^1].Microseconds);
        _events.Add(new BufferEvent(time, Number(_threads, thread), Number(_pools, pool), length, rent));
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
}
