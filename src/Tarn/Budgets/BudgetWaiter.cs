namespace Tarn;

/// <summary>A request that waits for a budget: a place in the queue of one budget at a time, and the task that its caller awaits.</summary>
/// <remarks>
/// The tree's lock guards every field but the task. Whoever takes the request out of a queue under the lock decides its outcome, and
/// completes the task after leaving the lock. So of a grant, a cancellation and a timeout exactly one happens.
/// </remarks>
internal sealed class BudgetWaiter(BufferBudget budget, long bytes)
    : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    private CancellationTokenRegistration _registration;
    private ITimer? _timer;
    private Links<BudgetWaiter> _links;

    internal long Bytes => bytes;

    /// <summary>The budget that was asked; the request waits at it or at a parent.</summary>
    internal BufferBudget Budget => budget;

    /// <summary>The budget in whose queue the request is; null while it is in none.</summary>
    internal BufferBudget? At { get; set; }

    /// <summary>Whether the outcome is decided.</summary>
    internal bool IsOver { get; set; }

    /// <summary>The timestamp at which it began to wait.</summary>
    internal long Since { get; } = TimeProvider.System.GetTimestamp();

    /// <summary>
    /// Lets a token and a timeout end the request, before it is in any queue: if there is no memory for that, nothing waits.
    /// </summary>
    internal void Watch(TimeSpan timeout, CancellationToken cancellation)
    {
        _registration = cancellation.UnsafeRegister(
            static (state, token) => ((BudgetWaiter)state!).Cancel(token), this);
        if (timeout != Timeout.InfiniteTimeSpan)
        {
            _timer = DetachedTimer.Create(
                TimeProvider.System, static state => ((BudgetWaiter)state!).TimeOut(), this, timeout, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Completes the task of a granted request.</summary>
    internal void Complete()
    {
        StopWatching();
        TrySetResult();
    }

    /// <summary>Ends what <see cref="Watch"/> began.</summary>
    internal void StopWatching()
    {
        _registration.Unregister();
        _timer?.Dispose();
    }

    private void Cancel(CancellationToken token)
    {
        if (budget.TryWithdraw(this))
        {
            _timer?.Dispose();
            TrySetCanceled(token);
        }
    }

    private void TimeOut()
    {
        if (budget.TryWithdraw(this))
        {
            StopWatching();
            TrySetException(new TimeoutException(
                $"The budget {budget.Name} did not grant {bytes} bytes in time. Wait longer, return buffers earlier, or raise the limit."));
        }
    }
    /// <summary>The neighbors in the queue of one budget, or among the requests that are granted together.</summary>
    internal readonly struct InQueue : ILinks<BudgetWaiter>
    {
        public static ref Links<BudgetWaiter> Of(BudgetWaiter item) => ref item._links;
    }
}
