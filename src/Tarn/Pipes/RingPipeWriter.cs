using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Writes bytes as messages of a ring, in the ring's own room. An empty message is their end.</summary>
/// <remarks>
/// <para>What is written between two flushes makes one record, or more if one has not enough room, and a flush publishes all of them in one
/// step. Bytes for which the ring has no room go to arrays, which the flush copies as room comes: then each of its steps publishes what
/// fits. Room for the end is always kept, so that a completion need not wait for any.</para>
/// <para>For one thread at a time, except <see cref="CancelPendingFlush"/>.</para>
/// </remarks>
#pragma warning disable CA1001 // a completion releases the memory
internal sealed class RingPipeWriter : PipeWriter
#pragma warning restore CA1001
{
    private const int EndSize = RingHeader.RecordAlignment;

    private readonly SharedRing _ring;
    private readonly bool _leaveOpen;
    private readonly RingWriter _side;
    private readonly RingBytes _bytes;
    private readonly PipeWait _wait = new();
    private readonly WaitingBytes _waiting = new();

    /// <summary>Where the next record to publish begins; the record in progress: its position, room, and bytes so far.</summary>
    private long _published;
    private long _record;
    private int _room;
    private int _written;

    /// <summary>Bytes in complete records that are not published.</summary>
    private long _complete;

    /// <summary>The length of the memory that was handed out.</summary>
    private int _handedOut;

    /// <summary>The calls that wait, or may: a flush, and the write that it belongs to.</summary>
    private int _waits;
    private bool _isReaderGone;
    private bool _hasLostBytes;
    private volatile bool _isCompleted;
    private volatile bool _isAborted;
    private SharedPeerLostException? _loss;

    internal RingPipeWriter(SharedRing ring, bool leaveOpen)
    {
        (_ring, _leaveOpen, _side) = (ring, leaveOpen, ring.Writer);
        _published = _record = _side.AttachAt();
        _bytes = new RingBytes(ring);
    }

    /// <inheritdoc/>
    public override bool CanGetUnflushedBytes => true;

    /// <inheritdoc/>
    public override long UnflushedBytes => _complete + _written + _waiting.Length;

    /// <summary>A flush ends when so much of the ring is free.</summary>
    private int FreeAfterFlush => Math.Max(_ring.Capacity / 4, EndSize + RingHeader.RecordSize(1));

    /// <summary>
    /// Whether the reader took all that was written. Then it does not matter that it left: it may have left for what it took.
    /// </summary>
    internal bool IsAllRead =>
        !_isAborted && !_hasLostBytes && !_waiting.AreInUse && _ring.ReadPosition == _ring.WritePosition;

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        ThrowIfCompleted();
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        int least = Math.Max(sizeHint, 1);
        Memory<byte> memory = !_waiting.AreInUse && TryMakeRoom(least)
            ? _bytes.Message(_record, _written, _room - _written)
            : _waiting.GetMemory(least);
        _handedOut = memory.Length;
        return memory;
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        ThrowIfCompleted();
        if ((uint)bytes > (uint)_handedOut)
        {
            throw new ArgumentOutOfRangeException(
                nameof(bytes), bytes, $"The bytes must be from 0 to {_handedOut}, the length of the memory that GetMemory returned.");
        }

        _handedOut -= bytes;
        if (_waiting.AreInUse)
        {
            _waiting.Advance(bytes);
        }
        else
        {
            _written += bytes;
        }
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() => _wait.Cancel();

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfCompleted();
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<FlushResult>(cancellationToken);
        }

        if (_loss is not null)
        {
            return ValueTask.FromException<FlushResult>(_loss);
        }

        try
        {
            Publish();
            bool isCancelled = _wait.TakeCancellation();
            _isReaderGone = _isReaderGone || _side.OtherHasLeft();
            return isCancelled || _isReaderGone || (!_waiting.AreInUse && Free() >= FreeAfterFlush)
                ? new ValueTask<FlushResult>(new FlushResult(isCancelled, _isReaderGone))
                : FlushSlowAsync(cancellationToken);
        }
        catch (ObjectDisposedException) when (_isAborted)
        {
            return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: true));
        }
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        ThrowIfCompleted();
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<FlushResult>(cancellationToken);
        }

        ReadOnlyMemory<byte> rest = source[WriteInRing(source.Span)..];
        return rest.IsEmpty ? FlushAsync(cancellationToken) : WriteSlowAsync(rest, cancellationToken);
    }

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
        ValueTask completion = CompleteAsync(exception);
        if (completion.IsCompleted)
        {
            completion.GetAwaiter().GetResult();
        }
        else
        {
            completion.AsTask().GetAwaiter().GetResult();
        }
    }

    /// <inheritdoc/>
    public override async ValueTask CompleteAsync(Exception? exception = null)
    {
        if (_isCompleted)
        {
            return;
        }

        _isCompleted = true;
        bool isBusy = Volatile.Read(ref _waits) != 0;
        try
        {
            if (exception is null && _loss is null && !isBusy)
            {
                Publish();
                await EndAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is SharedPeerLostException or ObjectDisposedException or InvalidOperationException)
        {
            // Nobody will read the end, or another thread is in a call, so that nobody can write it.
        }
        finally
        {
            _wait.Cancel();
            if (!_leaveOpen)
            {
                _ring.Dispose();
            }

            if (!isBusy)
            {
                _waiting.Clear();
            }

            _bytes.Release();
        }
    }

    /// <summary>Closes the ring, from any thread.</summary>
    /// <param name="reason">If null, calls throw <see cref="ObjectDisposedException"/>. Otherwise flushes are completed.</param>
    internal void Abort(Exception? reason)
    {
        _isAborted |= reason is not null;
        _ring.Dispose();
    }

    /// <summary>Makes room for so many bytes in the record in progress, or begins another one.</summary>
    private bool TryMakeRoom(int least)
    {
        if (_room - _written >= least)
        {
            return true;
        }

        EndRecord();
        try
        {
            long free = _side.LimitNow() - _record - EndSize - RingHeader.RecordAlignment;
            _room = (int)Math.Clamp(free, 0, _ring.MaxMessageLength);
        }
        catch (ObjectDisposedException) when (_isAborted)
        {
            return false;
        }

        return _room >= least;
    }

    /// <summary>Completes the record in progress, if it has bytes.</summary>
    private void EndRecord()
    {
        if (_written > 0)
        {
            _bytes.SetLength(_record, _written);
            _record += RingHeader.RecordSize(_written);
            _complete += _written;
        }

        _room = _written = 0;
    }

    private void Publish()
    {
        EndRecord();
        _handedOut = 0;
        if (_record > _published)
        {
            _side.PublishTo(_record);
            (_published, _complete) = (_record, 0);
        }
    }

    /// <summary>The free bytes of the ring, when everything is published.</summary>
    private long Free() => _side.LimitNow() - _published;

    /// <summary>Writes as much as the ring has room for.</summary>
    /// <returns>How much that was.</returns>
    private int WriteInRing(ReadOnlySpan<byte> source)
    {
        int written = 0;
        while (written < source.Length && !_waiting.AreInUse && TryMakeRoom(1))
        {
            int length = Math.Min(_room - _written, source.Length - written);
            _bytes.Write(_record, _written, source.Slice(written, length));
            _written += length;
            written += length;
        }

        return written;
    }

    /// <summary>Appends bytes to what the next flush publishes.</summary>
    internal void Append(ReadOnlySpan<byte> source)
    {
        ThrowIfCompleted();
        _waiting.Append(source[WriteInRing(source)..]);
    }

    private async ValueTask<FlushResult> WriteSlowAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _waits);
        try
        {
            FlushResult result;
            do
            {
                result = await FlushAsync(cancellationToken).ConfigureAwait(false);
                _hasLostBytes |= result.IsCompleted;
                source = source[(result.IsCompleted ? source.Length : WriteInRing(source.Span))..];
            }
            while (!source.IsEmpty && !result.IsCanceled);
            return result.IsCanceled || result.IsCompleted ? result : await FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            // A write that was cancelled has written everything, and waits no more, as that of other pipes.
            _waiting.Append(source.Span);
            EndWait();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> FlushSlowAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _waits);
        try
        {
            bool isCancelled = !await DrainAsync(FreeAfterFlush, cancellationToken).ConfigureAwait(false);
            return new FlushResult(isCancelled && _wait.TakeCancellation(), isCompleted: false);
        }
        catch (Exception e) when (e is SharedPeerLostException { HasLeft: true } || (e is ObjectDisposedException && _isAborted))
        {
            _isReaderGone = true;
            _hasLostBytes |= _waiting.AreInUse;
            _waiting.Clear();
            return new FlushResult(isCanceled: false, isCompleted: true);
        }
        catch (SharedPeerLostException e)
        {
            // No successor can know where the bytes go on, so each flush from now on says so.
            _loss = RingRefusals.LossOfBytes(_ring.Name, "reader", e);
            throw _loss;
        }
        finally
        {
            EndWait();
        }
    }

    /// <summary>If the writer was completed meanwhile, this call has what waits, and gives it up.</summary>
    private void EndWait()
    {
        if (Interlocked.Decrement(ref _waits) == 0 && _isCompleted)
        {
            _waiting.Clear();
        }
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
        while (!_isReaderGone && !await DrainAsync(EndSize, CancellationToken.None).ConfigureAwait(false))
        {
            _wait.TakeCancellation();
        }

        if (!_isReaderGone)
        {
            _bytes.SetLength(_published, 0);
            _side.PublishTo(_published + EndSize);
        }
    }

    private void ThrowIfCompleted()
    {
        if (_isCompleted)
        {
            throw new InvalidOperationException($"The writer of the ring \"{_ring.Name}\" is completed, so it writes no more.");
        }
    }
}
