using System.Runtime.ExceptionServices;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Dedicated threads, as in the originals: they end, and memory that an allocator keeps for a thread must survive that. A failure on one of
/// them reaches the thread that waits for all; the others see <see cref="HasFailed"/> and stop waiting for one that is gone.
/// </summary>
internal sealed class WorkerThreads
{
    // The default stack would be mapped and unmapped by the megabyte.
    private const int StackBytes = 256 << 10;

    // The runtime keeps some five kilobytes outside the managed heap for an ended thread, and frees them when a collection finds the
    // thread's object. Nothing here allocates enough to cause one, so thousands of threads would look like a leak of the allocator.
    private const int StartsPerCollection = 256;

    private ExceptionDispatchInfo? _failure;
    private int _starts;

    public bool HasFailed => Volatile.Read(ref _failure) is not null;

    /// <summary>Runs the work on that many new threads, with its number, and returns when all of them have ended.</summary>
    public void Run(int count, Action<int> work)
    {
        var threads = new Thread[count];
        for (int index = 0; index < count; index++)
        {
            threads[index] = Start(work, index);
        }

        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        ThrowIfFailed();
    }

    public Thread Start(Action<int> work, int index)
    {
        var thread = new Thread(() => Guard(work, index), StackBytes) { IsBackground = true, Name = $"lab workload {index}" };
        thread.Start();
        if (Interlocked.Increment(ref _starts) % StartsPerCollection == 0)
        {
            GC.Collect(0);
        }

        return thread;
    }

    public void ThrowIfFailed() => Volatile.Read(ref _failure)?.Throw();

    private void Guard(Action<int> work, int index)
    {
        try
        {
            work(index);
        }
        catch (Exception exception)
        {
            // Kept for the thread that waits; the first is the cause, the others may be its consequences.
            Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(exception), null);
        }
    }
}
