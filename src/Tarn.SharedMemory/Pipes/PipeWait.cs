using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>The waits of a pipe's end at a side of a ring, which a token cancels and <see cref="Cancel"/> ends.</summary>
/// <remarks>
/// A request is noted, and then cancels the source of the wait. The wait publishes its source, and then looks at the note. So either sees
/// the other. A request that was taken before it cancels the source ends a later wait, which begins anew with another source.
/// </remarks>
#pragma warning disable CA1001 // a source without a timer has nothing to dispose, and a late Cancel may still use it
internal sealed class PipeWait
#pragma warning restore CA1001
{
    private CancellationTokenSource _source = new();
    private int _isCancelled;

    private bool IsCancelled => Volatile.Read(ref _isCancelled) != 0;

    /// <summary>Ends the wait in progress, or the next one. Safe from any thread.</summary>
    internal void Cancel()
    {
        Interlocked.Exchange(ref _isCancelled, 1);
        Volatile.Read(ref _source).Cancel();
    }

    /// <summary>Takes the cancellation, so that it ends one call.</summary>
    internal bool TakeCancellation() => IsCancelled && Interlocked.Exchange(ref _isCancelled, 0) != 0;

    /// <summary>Waits until the limit of a side is so many bytes past its position.</summary>
    /// <returns>False if <see cref="Cancel"/> ended the wait.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<bool> ForAsync(RingSide side, int size, CancellationToken cancellationToken)
    {
        while (true)
        {
            if (_source.IsCancellationRequested)
            {
                Interlocked.Exchange(ref _source, new CancellationTokenSource());
            }

            cancellationToken.ThrowIfCancellationRequested();
            if (IsCancelled)
            {
                return false;
            }

            CancellationTokenSource source = _source;
            CancellationTokenRegistration registration =
                cancellationToken.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), source);
            try
            {
                await side.WaitForAsync(size, source.Token).ConfigureAwait(false);
                return true;
            }
            catch (OperationCanceledException) when (source.IsCancellationRequested)
            {
                // By the token, by Cancel, or by a call to it whose cancellation was taken before.
            }
            finally
            {
                await registration.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
