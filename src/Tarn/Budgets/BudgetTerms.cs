namespace Tarn;

/// <summary>Who makes a request, and what ends its wait besides a grant.</summary>
internal readonly record struct BudgetTerms
{
    /// <summary>The longest wait; zero for none.</summary>
    internal TimeSpan Timeout { get; init; }

    /// <summary>The token of the call.</summary>
    internal CancellationToken Cancellation { get; init; }

    /// <summary>The token of the options of whoever calls.</summary>
    internal CancellationToken OwnerCancellation { get; init; }

    /// <summary>The owner that the memory is for, with which the wait ends; null for callers that the budget does not know.</summary>
    internal BudgetHolder? Holder { get; init; }

    /// <summary>
    /// The bytes that the owner has taken from the budget, and keeps as long as it waits. Never more: they decide who waits in vain.
    /// </summary>
    internal long Held { get; init; }
}
