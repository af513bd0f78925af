namespace Tarn;

/// <summary>How a request to a budget ended.</summary>
internal enum BudgetOutcome
{
    /// <summary>It waits, or is about to.</summary>
    None,

    /// <summary>It has its bytes.</summary>
    Granted,

    /// <summary>Its caller gave up: a token, a timeout, an interrupt.</summary>
    Withdrawn,

    /// <summary>The owner that the memory is for was disposed.</summary>
    Disposed,

    /// <summary>The budget refused it, because the wait would never have ended.</summary>
    Deadlocked,
}
