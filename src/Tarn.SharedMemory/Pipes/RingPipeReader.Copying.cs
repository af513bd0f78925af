using System.Buffers;
using System.IO.Pipelines;

namespace Tarn.SharedMemory;

/// <content>Copies of everything that comes, during which the memory stays, although another thread may complete this.</content>
internal sealed partial class RingPipeReader
{
    /// <inheritdoc/>
    public override Task CopyToAsync(Stream destination, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return CopyAsync(
            async (bytes, token) =>
            {
                await destination.WriteAsync(bytes, token).ConfigureAwait(false);
                return default;
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public override Task CopyToAsync(PipeWriter destination, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return CopyAsync(destination.WriteAsync, cancellationToken);
    }

    private async Task CopyAsync(
        Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask<FlushResult>> write, CancellationToken cancellationToken)
    {
        bool isOver = false;
        while (!isOver)
        {
            ReadResult result = await ReadAsync(cancellationToken).ConfigureAwait(false);
            _bytes.Hold();
            SequencePosition consumed = result.Buffer.Start;
            try
            {
                SequencePosition position = consumed;
                isOver = result.IsCompleted;
                bool isCancelled = result.IsCanceled;
                while (!isCancelled && result.Buffer.TryGet(ref position, out ReadOnlyMemory<byte> bytes))
                {
                    FlushResult flush = await write(bytes, cancellationToken).ConfigureAwait(false);
                    consumed = position.GetObject() is null ? result.Buffer.End : position;
                    isCancelled = flush.IsCanceled;
                    if (flush.IsCompleted)
                    {
                        isOver = true;
                        break;
                    }
                }

                if (isCancelled)
                {
                    throw new OperationCanceledException("The copy of the pipe's bytes was cancelled by CancelPendingRead.");
                }
            }
            finally
            {
                TryAdvanceTo(consumed);
                _bytes.Unpin();
            }
        }
    }

    /// <summary>Advances, unless this was completed meanwhile.</summary>
    private void TryAdvanceTo(SequencePosition consumed)
    {
        if (_calls.TryEnter())
        {
            try
            {
                AdvanceInside(consumed, consumed);
            }
            finally
            {
                _calls.Leave();
            }
        }
    }
}
