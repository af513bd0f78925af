using System.Threading.Tasks.Sources;

namespace Tarn.SharedMemory;

/// <summary>
/// A task's wait at one side of a ring or a queue. Until it ends, it is inside the side. A <see cref="TaskWaiter"/> sleeps for it.
/// </summary>
/// <remarks>
/// The task goes on by the thread pool, so that no code of callers runs on the waiting thread. If the side allows that, a thread of others
/// waits, and the task goes on there. The object serves the next wait of its side once its result was fetched.
/// </remarks>
internal sealed class TaskWait(WaitingSide side, SharedSignal signal) : SignalWait(signal), IValueTaskSource, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationToken _cancellationToken;
    private CancellationTokenRegistration _registration;
    private Exception? _exception;
    private long _limit;
    private long _start;
    private bool _goesOnInline;

    /// <summary>Begins the wait of a call that is inside the side. Ends the call, except if it throws.</summary>
    internal ValueTask Begin(long limit, CancellationToken cancellationToken)
    {
        _limit = limit;
        _start = Environment.TickCount64;
        _goesOnInline = side.GoesOnInline;
        _cancellationToken = cancellationToken;
        _registration = cancellationToken.UnsafeRegister(static side => ((WaitingSide)side!).WakeThis(), side);
        try
        {
            if (side.HasCome(limit, _start, cancellationToken, out Seen))
            {
                Forget();
                side.Spare(this);
                side.Leave();
                return ValueTask.CompletedTask;
            }

            // From the addition on, the wait is the waiting thread's.
            ValueTask task = new(this, _core.Version);
            (_goesOnInline ? TaskWaiters.Inline : TaskWaiters.Shared).Add(this);
            return task;
        }
        catch
        {
            side.NoteAwake();
            Forget();
            side.Spare(this);
            throw;
        }
    }

    /// <inheritdoc/>
    internal override bool GoesOn()
    {
        try
        {
            side.NoteAwake();
            side.ThrowIfOver(_limit, _start, _cancellationToken);
            if (!side.HasCome(_limit, _start, _cancellationToken, out Seen))
            {
                return true;
            }
        }
#pragma warning disable CA1031 // it is the caller's
        catch (Exception e)
#pragma warning restore CA1031
        {
            _exception = e;
        }

        Forget();
        side.Leave();
        if (_goesOnInline)
        {
            Complete();
        }
        else
        {
            GoOnElsewhere();
        }

        return false;
    }

    /// <summary>Without memory to say so to the thread pool, this thread goes on with the task: it must not be lost.</summary>
    private void GoOnElsewhere()
    {
        try
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
        catch (OutOfMemoryException)
        {
            Complete();
        }
    }

    void IThreadPoolWorkItem.Execute() => Complete();

    private void Complete()
    {
        if (_exception is { } exception)
        {
            _exception = null;
            _core.SetException(exception);
        }
        else
        {
            _core.SetResult(true);
        }
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.GetResult(short token)
    {
        bool isOver = _core.GetStatus(token) != ValueTaskSourceStatus.Pending;
        try
        {
            _ = _core.GetResult(token);
        }
        finally
        {
            if (isOver)
            {
                _core.Reset();
                side.Spare(this);
            }
        }
    }

    /// <summary>Waits for a cancellation that is waking this side, which is to touch the shared memory no later.</summary>
    private void Forget()
    {
        _registration.Dispose();
        _registration = default;
        _cancellationToken = default;
    }
}
