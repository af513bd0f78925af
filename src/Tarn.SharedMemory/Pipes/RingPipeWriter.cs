using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;

namespace Tarn.SharedMemory;

/// <summary>Writes bytes as messages of a ring, in the ring's own room. An empty message is their end.</summary>
/// <remarks>
/// <para>What is written between two flushes makes one record, or more if one has not enough room, and a flush publishes all of them in one
/// step. Bytes for which the ring has no room go to arrays, which the flush copies as room comes: then each of its steps publishes what
/// fits. Room for the end is always kept, so that a completion need not wait for any.</para>
/// <para>For one thread at a time, except <see cref="CancelPendingFlush"/>, completions and <see cref="Abort"/>. A completion waits for the
/// call that is inside, and ends its wait; then it publishes the rest, and the end.</para>
/// </remarks>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "A completion releases them.")]
internal sealed partial class RingPipeWriter : PipeWriter
{
    private const int EndSize = RingHeader.RecordAlignment;

    private readonly SharedRing _ring;
    private readonly bool _leaveOpen;
    private readonly RingWriter _side;
    private readonly RingBytes _bytes;
    private readonly PipeCalls _calls = new();
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

    private bool _isReaderGone;
    private bool _hasLostBytes;

    /// <summary>Whether a completion ended a call before all its bytes were published. No end follows a part of them.</summary>
    private bool _isCut;
    private volatile bool _isAborted;
    /// <summary>What every flush throws from now on: nobody knows how the bytes would go on.</summary>
    private Exception? _failure;

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

    /// <summary>
    /// Whether the reader took all that was written. Then it does not matter that it left: it may have left for what it took.
    /// </summary>
    internal bool IsAllRead =>
        !_isAborted && !_hasLostBytes && !_waiting.AreInUse && _ring.ReadPosition == _ring.WritePosition;

    /// <summary>Whether nobody will read what is written from now on, so that nothing of it is kept.</summary>
    private bool IsOver => _isReaderGone || _failure is not null || _ring.IsDisposed;

    /// <inheritdoc/>
    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        Enter();
        try
        {
            int least = Math.Max(sizeHint, 1);
            bool fits = !_waiting.AreInUse && !_isReaderGone && _failure is null && TryMakeRoom(least);
            Memory<byte> memory = fits ? _bytes.Message(_record, _written, _room - _written) : _waiting.GetMemory(least);
            _handedOut = memory.Length;
            return memory;
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <inheritdoc/>
    public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public override void Advance(int bytes)
    {
        Enter();
        try
        {
            if ((uint)bytes > (uint)_handedOut)
            {
                throw new ArgumentOutOfRangeException(
                    nameof(bytes), bytes, $"The bytes must be from 0 to {_handedOut}, the length of the memory that GetMemory returned.");
            }

            _handedOut -= bytes;
            if (IsOver)
            {
                _hasLostBytes |= bytes > 0;
            }
            else if (_waiting.AreInUse)
            {
                _waiting.Advance(bytes);
            }
            else
            {
                _written += bytes;
            }
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <inheritdoc/>
    public override void CancelPendingFlush() => _wait.Cancel();

    /// <inheritdoc/>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        Enter();
        return Flush(cancellationToken);
    }

    /// <inheritdoc/>
    public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
    {
        Enter();
        ReadOnlyMemory<byte> rest;
        try
        {
            rest = cancellationToken.IsCancellationRequested ? default : source[WriteInRing(source.Span)..];
        }
        catch
        {
            _calls.Leave();
            throw;
        }

        return rest.IsEmpty ? Flush(cancellationToken) : WriteSlowAsync(rest, cancellationToken);
    }

    /// <summary>Writes bytes, and waits for the flush as a task. Those for which there is no room are copied before this returns.</summary>
    internal ValueTask<FlushResult> Write(ReadOnlySpan<byte> source)
    {
        Enter();
        try
        {
            Keep(source[WriteInRing(source)..]);
        }
        catch
        {
            _calls.Leave();
            throw;
        }

        return Flush(CancellationToken.None);
    }

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => PipeCalls.Await(CompleteAsync(exception));

    /// <inheritdoc/>
    public override ValueTask CompleteAsync(Exception? exception = null) => CompleteAsync(exception is null, waits: true);

    /// <summary>Completes this. What the other side did is no reason to throw: nobody can act on it here, and a flush tells it.</summary>
    /// <param name="ends">Whether the end is written.</param>
    /// <param name="waits">Whether to wait for the room of bytes that no flush published; otherwise no end follows a part of them.</param>
    internal async ValueTask CompleteAsync(bool ends, bool waits)
    {
        if (_calls.Close() is not { } nobodyInside)
        {
            return;
        }

        if (!nobodyInside.IsCompleted)
        {
            _wait.Cancel();
            await nobodyInside.ConfigureAwait(false);
        }

        try
        {
            if (ends && !_isCut && !IsOver && (waits || UnflushedBytes == 0))
            {
                Publish();
                await EndAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or InvalidDataException or InvalidOperationException or TimeoutException)
        {
            // Nobody will read the end: the other side is gone, or has spoiled the ring, or another thread closed it.
        }
        finally
        {
            _waiting.Clear();
            _bytes.Release();
            if (!_leaveOpen)
            {
                _ring.Dispose();
            }
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

    /// <summary>Writes as much as the ring has room for.</summary>
    /// <returns>How much that was.</returns>
    private int WriteInRing(ReadOnlySpan<byte> source)
    {
        int written = 0;
        while (written < source.Length && !_waiting.AreInUse && !_isReaderGone && _failure is null && TryMakeRoom(1))
        {
            int length = Math.Min(_room - _written, source.Length - written);
            _bytes.Write(_record, _written, source.Slice(written, length));
            _written += length;
            written += length;
        }

        return written;
    }

    /// <summary>Keeps bytes for which the ring has no room, unless nobody will read them.</summary>
    private void Keep(ReadOnlySpan<byte> source)
    {
        if (IsOver)
        {
            _hasLostBytes |= !source.IsEmpty;
        }
        else
        {
            _waiting.Append(source);
        }
    }

    /// <summary>Forgets what nobody will read.</summary>
    private void Discard()
    {
        _hasLostBytes |= UnflushedBytes > 0;
        _waiting.Clear();
        (_record, _complete) = (_published, 0);
        _room = _written = _handedOut = 0;
    }

    private void Enter()
    {
        if (!_calls.TryEnter())
        {
            throw Completed();
        }
    }

    private ObjectDisposedException Completed() =>
        new(nameof(PipeWriter), $"The writer of the ring \"{_ring.Name}\" is completed, so it writes no more.");
}
