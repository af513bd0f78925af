using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Threads that live as long as an experiment and start together on each call. They stay alive between rounds, as do a pool's thread
/// caches: the crew measures the steady state, not the first rent of a new thread.
/// </summary>
internal sealed class Crew : IDisposable
{
    private readonly Barrier _start;
    private readonly Barrier _end;
    private readonly Thread[] _threads;
    private readonly long[] _startedAt;
    private readonly long[] _endedAt;
    private readonly bool _isPinned;
    private Action<int>? _job;

    /// <param name="size">How many threads.</param>
    /// <param name="isPinned">
    /// Whether each thread stays on a processor of its own, if there are enough. Threads that constantly wait for each other are better
    /// left to the scheduler: if another program took one processor, both would stop.
    /// </param>
    public Crew(int size, bool isPinned = true)
    {
        _isPinned = isPinned && size <= Environment.ProcessorCount;
        _start = new Barrier(size + 1);
        _end = new Barrier(size + 1);
        _startedAt = new long[size];
        _endedAt = new long[size];
        _threads = new Thread[size];
        for (int index = 0; index < size; index++)
        {
            int member = index;
            _threads[index] = new Thread(() => Work(member)) { IsBackground = true, Name = $"lab crew {index}" };
            _threads[index].Start();
        }
    }

    public int Size => _threads.Length;

    /// <summary>
    /// Every member runs <paramref name="job"/> with its index; returns nanoseconds from the first start to the last end.
    /// </summary>
    public double Run(Action<int> job)
    {
        _job = job;
        _start.SignalAndWait();
        _end.SignalAndWait();
        return Clock.Nanoseconds(_startedAt.Min(), _endedAt.Max());
    }

    public void Dispose()
    {
        _job = null;
        _start.SignalAndWait();
        foreach (Thread thread in _threads)
        {
            thread.Join();
        }

        _start.Dispose();
        _end.Dispose();
    }

    private void Work(int member)
    {
        // More threads than processors take turns, which is then part of the measurement.
        if (_isPinned)
        {
            ThreadPlacement.Pin(member);
        }

        while (true)
        {
            _start.SignalAndWait();
            if (_job is not { } job)
            {
                return;
            }

            _startedAt[member] = Stopwatch.GetTimestamp();
            job(member);
            _endedAt[member] = Stopwatch.GetTimestamp();
            _end.SignalAndWait();
        }
    }
}
