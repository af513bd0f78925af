namespace Tarn.SharedMemory;

/// <summary>The calls inside one end of a pipe. Its completion lets no more of them in, and waits until those inside have left.</summary>
/// <remarks>
/// So the completion, on whatever thread, has what the end keeps to itself, and a call has it until it leaves. It ends the calls that wait
/// for another process before it waits for them.
/// </remarks>
internal sealed class PipeCalls
{
    private readonly TaskCompletionSource _areOver = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private PinCount _calls;

    /// <summary>Whether no more calls are let in.</summary>
    internal bool IsClosed => _calls.IsDisposed;

    /// <summary>Begins a call; false if no more are let in. A call may leave on another thread than it entered on.</summary>
    internal bool TryEnter() => _calls.TryPin();

    /// <summary>Ends a call.</summary>
    internal void Leave()
    {
        if (_calls.Unpin())
        {
            _areOver.SetResult();
        }
    }

    /// <summary>Lets no more calls in.</summary>
    /// <returns>What ends when none is inside; null if this was done before.</returns>
    internal Task? Close() => !_calls.TryDispose(out bool isOver) ? null : isOver ? Task.CompletedTask : _areOver.Task;

    /// <summary>Waits on this thread for a completion, which an interrupt must not leave half done.</summary>
    internal static void Await(ValueTask completion)
    {
        if (!completion.IsCompleted)
        {
            Task task = completion.AsTask();
            using (UninterruptedWait wait = new())
            {
                while (TaskWaiter.IsHere && !task.IsCompleted)
                {
                    TaskWaiter.StepHere();
                    wait.Once();
                }
            }

            Uninterrupted.Call(static task => Task.WhenAny(task).Wait(), task);
            completion = new ValueTask(task);
        }

        completion.GetAwaiter().GetResult();
    }
}
