namespace Tarn.Traces;

/// <summary>Orders generated rents and their returns by time, and numbers the threads as they appear.</summary>
internal sealed class TraceGenerator(Random random)
{
    private readonly List<BufferEvent> _events = [];
    private readonly Dictionary<int, int> _threads = [];
    private readonly PriorityQueue<(int Rent, int Thread, long Time), (long Time, int Rent)> _due = new();
    private long _now;

    internal Random Random { get; } = random;

    /// <summary>Adds a rent now, and its return by <paramref name="returnThread"/> after the drawn time.</summary>
    internal void Rent(int thread, int length, Func<int, long> drawHold, int returnThread)
    {
        long end = _now + drawHold(length);
        int rent = _events.Count;
        _events.Add(new BufferEvent(_now, Number(thread), Pool: 0, length, BufferEvent.None));
        _due.Enqueue((rent, returnThread, end), (end, rent));
    }

    /// <summary>Lets time pass, and returns the buffers that are due.</summary>
    internal void Pass(long microseconds)
    {
        _now += microseconds;
        while (_due.TryPeek(out var next, out _) && next.Time <= _now)
        {
            Return();
        }
    }

    internal IReadOnlyList<BufferEvent> Finish()
    {
        while (_due.Count > 0)
        {
            Return();
        }

        return _events;
    }

    private void Return()
    {
        (int rent, int thread, long time) = _due.Dequeue();
        _events.Add(new BufferEvent(time, Number(thread), Pool: 0, _events[rent].Length, rent));
    }

    private int Number(int thread)
    {
        if (!_threads.TryGetValue(thread, out int number))
        {
            _threads.Add(thread, number = _threads.Count);
        }

        return number;
    }
}
