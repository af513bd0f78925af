using System.IO.Pipelines;

namespace Tarn;

/// <summary>How the writer of a pipe waits for a budget: no longer than the pipe has a reader.</summary>
/// <remarks>
/// Only the result of a flush says that the reader has completed, or that <see cref="PipeWriter.CancelPendingFlush"/> was called, for
/// every kind of pipe; nothing calls back. So a wait begins with a flush, and repeats it at long intervals. It then has nothing to flush.
/// </remarks>
internal readonly struct WriterWait(BufferBudget budget, PipeWriter writer) : IBudgetWait
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    public async ValueTask TakeAsync(long bytes, long credit, TimeSpan waited, CancellationToken cancellationToken)
    {
        await FlushAsync(cancellationToken).ConfigureAwait(false);
        using CancellationTokenSource ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task taken = budget.TakeAsync(bytes, ending.Token).AsTask();
        try
        {
            while (!taken.IsCompleted && await Task.WhenAny(taken, Task.Delay(s_interval, ending.Token)).ConfigureAwait(false) != taken)
            {
                await FlushAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch
        {
            await ending.CancelAsync().ConfigureAwait(false);
            await taken.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (taken.IsCompletedSuccessfully)
            {
                budget.Return(bytes);
            }

            throw;
        }

        if (taken.IsCanceled)
        {
            throw new OperationCanceledException(cancellationToken);
        }

        await ending.CancelAsync().ConfigureAwait(false);
        await taken.ConfigureAwait(false);
    }

    /// <exception cref="IOException">The reader has completed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or the pending flush.</exception>
    private async ValueTask FlushAsync(CancellationToken cancellationToken)
    {
        FlushResult flushed = await writer.FlushAsync(cancellationToken).ConfigureAwait(false);
        if (flushed.IsCanceled)
        {
            throw new OperationCanceledException(
                $"A call of {nameof(PipeWriter.CancelPendingFlush)} ended the wait for the budget {budget.Name}.");
        }

        if (flushed.IsCompleted)
        {
            throw new IOException(
                $"The reader of the pipe has completed, and the writer waited for the budget {budget.Name}: complete the writer, so that "
                + "the pipe returns its memory.");
        }
    }
}
