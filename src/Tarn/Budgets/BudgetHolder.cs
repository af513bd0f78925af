namespace Tarn;

/// <summary>An owner of memory whose requests to a budget end when it is disposed.</summary>
/// <param name="budget">The budget that the owner asks.</param>
/// <param name="name">The owner's type, for the exception of a request that ended.</param>
internal sealed class BudgetHolder(BufferBudget budget, string name)
{
    private LinkedQueue<BudgetWaiter, BudgetWaiter.OfHolder> _waiters;

    /// <summary>
    /// Bytes that a call of the owner holds beside the owner's memory, such as a buffer to read ahead. The thread of the call sets it.
    /// </summary>
    internal long HeldBeside { get; set; }

    /// <summary>Whether the owner was disposed. Under the lock of the budget's tree, as the requests.</summary>
    internal bool IsEnded { get; set; }

    /// <summary>A request that waits; null if there is none.</summary>
    internal BudgetWaiter? Waiter => _waiters.First;

    internal void Add(BudgetWaiter waiter) => _waiters.Append(waiter);

    internal void Remove(BudgetWaiter waiter) => _waiters.Remove(waiter);

    /// <summary>Ends the requests that wait, and those that will be made.</summary>
    internal void End() => budget.EndRequestsOf(this);

    internal ObjectDisposedException Disposed() =>
        new(name, $"The {name} was disposed while a call waited for the budget {budget.Name}: dispose it when its calls are over.");
}
