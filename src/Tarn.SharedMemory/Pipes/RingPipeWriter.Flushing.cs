using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <content>Flushes, and their waits for room.</content>
internal sealed partial class RingPipeWriter
{
    /// <summary>A flush ends when so much of the ring is free.</summary>
    private int FreeAfterFlush => Math.Max(_ring.Capacity / 4, EndSize + RingHeader.RecordSize(1));

    /// <summary>Flushes, and ends the call that is inside.</summary>
    private ValueTask<FlushResult> Flush(CancellationToken cancellationToken)
    {
        bool waits = false;
        try
        {
            if (cancellationToken.IsCancellationRequested)
            {
                return ValueTask.FromCanceled<FlushResult>(cancellationToken);
            }

            if (_failure is { } failure)
            {
                Discard();
                return ValueTask.FromException<FlushResult>(failure);
            }

            waits = !TryFlush(out FlushResult result);
            return waits ? FlushSlowAsync(cancellationToken) : new ValueTask<FlushResult>(result);
        }
        finally
        {
            if (!waits)
            {
                _calls.Leave();
            }
        }
    }

    /// <summary>Publishes what is in the ring's room; false if there is to be more room.</summary>
    private bool TryFlush(out FlushResult result)
    {
        try
        {
            Publish();
            bool isCancelled = TakeCancellation();
            _isReaderGone = _isReaderGone || _side.OtherHasLeft();
            if (_isReaderGone)
            {
                Discard();
            }

            result = new FlushResult(isCancelled, _isReaderGone);
            return isCancelled || _isReaderGone || (!_waiting.AreInUse && Free() >= FreeAfterFlush);
        }
        catch (ObjectDisposedException) when (_isAborted)
        {
            Discard();
            result = new FlushResult(isCanceled: false, isCompleted: true);
            return true;
        }
        catch (InvalidDataException e)
        {
            Fail(e);
            throw;
        }
    }

    /// <summary>The other side spoiled the ring: nothing that is written from now on can be published, so nothing of it is kept.</summary>
    private void Fail(InvalidDataException spoiled)
    {
        _failure = spoiled;
        Discard();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> FlushSlowAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await WaitForRoomAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _calls.Leave();
        }
    }

    private async ValueTask<FlushResult> WriteSlowAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken)
    {
        try
        {
            FlushResult result;
            do
            {
                if (_failure is { } failure)
                {
                    throw failure;
                }

                if (!TryFlush(out result))
                {
                    result = await WaitForRoomAsync(cancellationToken).ConfigureAwait(false);
                }

                if (result.IsCompleted)
                {
                    _hasLostBytes = true;
                    source = default;
                    return result;
                }

                source = source[WriteInRing(source.Span)..];
                if (!source.IsEmpty && _calls.IsClosed)
                {
                    throw Completed();
                }
            }
            while (!source.IsEmpty && !result.IsCanceled);

            return result.IsCanceled || TryFlush(out result) ? result : await WaitForRoomAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // A write that was cancelled has written everything, and waits no more, as that of other pipes.
            if (_calls.IsClosed)
            {
                _isCut |= !source.IsEmpty;
            }
            else
            {
                Keep(source.Span);
            }

            _calls.Leave();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> WaitForRoomAsync(CancellationToken cancellationToken)
    {
        try
        {
            bool isCancelled = !await DrainAsync(FreeAfterFlush, cancellationToken).ConfigureAwait(false) && TakeCancellation();
            if (_calls.IsClosed && _waiting.Length > 0)
            {
                _isCut = true;
                throw Completed();
            }

            return new FlushResult(isCancelled, isCompleted: false);
        }
        catch (Exception e) when (e is SharedPeerLostException { HasLeft: true } || (e is ObjectDisposedException && _isAborted))
        {
            _isReaderGone = true;
            Discard();
            return new FlushResult(isCanceled: false, isCompleted: true);
        }
        catch (SharedPeerLostException e)
        {
            // No successor can know where the bytes go on, so each flush from now on says so.
            _failure = RoleRefusals.LossOfBytes(_ring.Name, "reader", e);
            Discard();
            throw _failure;
        }
        catch (InvalidDataException e)
        {
            Fail(e);
            throw;
        }
    }

    /// <summary>Whether <see cref="CancelPendingFlush"/> is to end this call. The note of a completion stays for the next wait.</summary>
    private bool TakeCancellation()
    {
        if (!_wait.TakeCancellation())
        {
            return false;
        }

        if (_calls.IsClosed)
        {
            _wait.Cancel();
            return false;
        }

        return true;
    }

    /// <summary>Publishes what waits as room comes, and then waits until so much is free.</summary>
    /// <returns>False if <see cref="CancelPendingFlush"/> ended the wait.</returns>
    private async ValueTask<bool> DrainAsync(int free, CancellationToken cancellationToken)
    {
        while (true)
        {
            while (_waiting.Length > 0 && TryMakeRoom(1))
            {
                ReadOnlySpan<byte> bytes = _waiting.Take(Math.Min(_waiting.Length, _room));
                _bytes.Write(_record, 0, bytes);
                _written = bytes.Length;
                Publish();
            }

            int size = EndSize + RingHeader.RecordSize(Math.Min(_waiting.Length, _ring.MaxMessageLength / 2));
            if (_waiting.Length == 0)
            {
                _waiting.Clear();
                if (Free() >= free)
                {
                    return true;
                }

                size = free;
            }

            if (!await _wait.ForAsync(_side, size, cancellationToken).ConfigureAwait(false))
            {
                return false;
            }
        }
    }

    /// <summary>Publishes everything and the end. No cancellation ends this, because nobody would come back for the rest.</summary>
    private async ValueTask EndAsync()
    {
        while (!await DrainAsync(EndSize, CancellationToken.None).ConfigureAwait(false))
        {
            _wait.TakeCancellation();
        }

        _bytes.SetLength(_published, 0);
        _side.PublishTo(_published + EndSize);
    }

    /// <summary>The free bytes of the ring, when everything is published.</summary>
    private long Free() => _side.LimitNow() - _published;
}
