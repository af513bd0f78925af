namespace Tarn;

/// <summary>
/// How the asynchronous calls of a stream wait for its budget: as its options say, and never longer than the stream lives.
/// </summary>
internal readonly struct StreamWait(PooledMemoryStream stream) : IBudgetWait
{
    /// <inheritdoc/>
    public ValueTask TakeAsync(long bytes, long credit, TimeSpan waited, CancellationToken cancellationToken)
    {
        ref SegmentedBytes contents = ref stream.Bytes;
        TimeSpan timeout = contents.Options.AsyncBudgetTimeout;
        if (timeout != Timeout.InfiniteTimeSpan)
        {
            timeout = timeout > waited ? timeout - waited : TimeSpan.Zero;
        }

        BudgetTerms terms = new()
        {
            Timeout = timeout,
            Cancellation = cancellationToken,
            OwnerCancellation = contents.Options.BudgetCancellationToken,
            Holder = contents.Holder,
            Held = contents.Held + credit,
        };
        return contents.Options.Budget!.TakeAsync(bytes, terms);
    }
}
