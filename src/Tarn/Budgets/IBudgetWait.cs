namespace Tarn;

/// <summary>How a call that lacks bytes of a budget waits for them.</summary>
internal interface IBudgetWait
{
    /// <summary>Takes bytes when there is room.</summary>
    /// <param name="bytes">What the call lacks.</param>
    /// <param name="credit">What it has taken already, and keeps meanwhile.</param>
    /// <param name="waited">How long it has waited so far.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask TakeAsync(long bytes, long credit, TimeSpan waited, CancellationToken cancellationToken);
}
