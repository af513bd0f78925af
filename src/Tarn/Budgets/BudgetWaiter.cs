namespace Tarn;

/// <summary>A request that waits for a budget: a place in the queue of one budget at a time, and the task that its caller awaits.</summary>
/// <remarks>
/// The tree's lock guards every field but the task. Whoever takes the request out of a queue under the lock decides its outcome, and
/// completes the task after leaving the lock. So of a grant, a cancellation, a timeout and a refusal exactly one happens.
/// </remarks>
internal sealed class BudgetWaiter(BufferBudget budget, long bytes, in BudgetTerms terms)
    : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    private readonly TimeSpan _timeout = terms.Timeout;
    private CancellationTokenRegistration _registration;
    private CancellationTokenRegistration _ownerRegistration;
    private ITimer? _timer;
    private Links<BudgetWaiter> _links;
    private Links<BudgetWaiter> _ownLinks;
    private Links<BudgetWaiter> _holderLinks;

    internal long Bytes => bytes;

    /// <summary>The budget that was asked; the request waits at it or at a parent.</summary>
    internal BufferBudget Budget => budget;

    /// <summary>The owner that the memory is for; null if it is not known.</summary>
    internal BudgetHolder? Holder { get; } = terms.Holder;

    /// <summary>The bytes that the owner keeps while it waits.</summary>
    internal long Held { get; } = terms.Held;

    /// <summary>The budget in whose queue the request is; null while it is in none.</summary>
    internal BufferBudget? At { get; set; }

    /// <summary>How it ended. Decided once.</summary>
    internal BudgetOutcome Outcome { get; set; }

    /// <summary>The place in the order of arrival at the tree; 0 while it has none.</summary>
    internal long Number { get; set; }

    /// <summary>The timestamp at which it began to wait.</summary>
    internal long Since { get; } = TimeProvider.System.GetTimestamp();

    /// <summary>
    /// Lets tokens and a timeout end the request, before it is in any queue: if there is no memory for that, nothing waits.
    /// </summary>
    internal void Watch(CancellationToken cancellationToken, CancellationToken ownerCancellation)
    {
        _registration = cancellationToken.UnsafeRegister(
            static (state, token) => ((BudgetWaiter)state!).Cancel(token), this);
        _ownerRegistration = ownerCancellation.UnsafeRegister(
            static (state, token) => ((BudgetWaiter)state!).Cancel(token), this);
        if (_timeout != Timeout.InfiniteTimeSpan)
        {
            _timer = DetachedTimer.Create(
                TimeProvider.System, static state => ((BudgetWaiter)state!).TimeOut(), this, _timeout, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Completes the task of a request that was granted or refused.</summary>
    internal void Complete()
    {
        StopWatching();
        if (Outcome == BudgetOutcome.Granted)
        {
            TrySetResult();
            return;
        }

        try
        {
            TrySetException(CreateRefusal());
        }
        catch (OutOfMemoryException)
        {
            // Whoever returned bytes completes the requests of others, and may not fail for one of them.
            TrySetCanceled();
        }
    }

    /// <summary>The exception of a request that was refused after it had begun to wait.</summary>
    internal Exception CreateRefusal() => Outcome == BudgetOutcome.Disposed ? Holder!.Disposed() : budget.Deadlocked(bytes, Held);

    /// <summary>Ends what <see cref="Watch"/> began.</summary>
    internal void StopWatching()
    {
        _registration.Unregister();
        _ownerRegistration.Unregister();
        _timer?.Dispose();
    }

    private void Cancel(CancellationToken token)
    {
        if (budget.TryWithdraw(this))
        {
            StopWatching();
            TrySetCanceled(token);
        }
    }

    private void TimeOut()
    {
        if (budget.TryWithdraw(this))
        {
            StopWatching();
            TrySetException(budget.Refuse(bytes, Held, _timeout));
        }
    }

    /// <summary>The neighbors in the queue of one budget, or among the requests that end together.</summary>
    internal readonly struct InQueue : ILinks<BudgetWaiter>
    {
        public static ref Links<BudgetWaiter> Of(BudgetWaiter item) => ref item._links;
    }

    /// <summary>The neighbors among the requests that were made to one budget, in the order of their arrival.</summary>
    internal readonly struct OfBudget : ILinks<BudgetWaiter>
    {
        public static ref Links<BudgetWaiter> Of(BudgetWaiter item) => ref item._ownLinks;
    }

    /// <summary>The neighbors among the requests of one owner.</summary>
    internal readonly struct OfHolder : ILinks<BudgetWaiter>
    {
        public static ref Links<BudgetWaiter> Of(BudgetWaiter item) => ref item._holderLinks;
    }
}
