using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>Threads that do a work once, beginning together. The failure of one is that of all; nobody waits for the others then.</summary>
internal sealed class ThreadsTogether
{
    private readonly TaskCompletionSource _completion = new();
    private readonly long[] _started;
    private readonly long[] _ended;
    private int _running;

    /// <param name="count">How many.</param>
    /// <param name="processor">
    /// The processor of a single thread. Several are left to the scheduler: they wait for each other, and if another program took the
    /// processor of one, all would stop.
    /// </param>
    /// <param name="work">Gets the index of the thread.</param>
    public ThreadsTogether(int count, int processor, Action<int> work)
    {
        _running = count;
        _started = new long[count];
        _ended = new long[count];
        Barrier barrier = new(count);
        for (int index = 0; index < count; index++)
        {
            int member = index;
            Thread thread = new(() =>
            {
                if (count == 1)
                {
                    ThreadPlacement.Pin(processor);
                }

                Do(member, barrier, work);
            });
            thread.IsBackground = true;
            thread.Name = $"lab thread {index}";
            thread.Start();
        }
    }

    /// <summary>Ends when all threads have ended, or with the first failure.</summary>
    public Task Completion => _completion.Task;

    /// <summary>When the first began, by the machine's clock, not the process's.</summary>
    public long Started => _started.Min();

    /// <summary>When the last had done its work.</summary>
    public long Ended => _ended.Max();

    private void Do(int member, Barrier barrier, Action<int> work)
    {
        try
        {
            barrier.SignalAndWait();
            _started[member] = Stopwatch.GetTimestamp();
            work(member);
            _ended[member] = Stopwatch.GetTimestamp();
        }
#pragma warning disable CA1031 // the task has it
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _completion.TrySetException(failure);
        }

        if (Interlocked.Decrement(ref _running) == 0)
        {
            _completion.TrySetResult();
        }
    }
}
