using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Reads the messages of a ring as one sequence of bytes, in place, up to an empty message.</summary>
/// <remarks>
/// <para>Messages are read ahead, and passed when all their bytes were consumed. Each is a segment. What was examined to its end and not
/// consumed keeps its room in the ring only while the writer has room left for the longest message. Otherwise it is copied, each byte once,
/// so that a reader which needs more always gets it.</para>
/// <para>For one thread at a time, except <see cref="CancelPendingRead"/>.</para>
/// </remarks>
#pragma warning disable CA1001 // a completion releases the memory
internal sealed class RingPipeReader : PipeReader
#pragma warning restore CA1001
{
    /// <summary>Messages that one read gathers, so that many small ones need few segments at a time.</summary>
    private const int MostAtOnce = 128;

    private readonly SharedRing _ring;
    private readonly bool _leaveOpen;
    private readonly RingReader _side;
    private readonly RingBytes _bytes;
    private readonly PipeWait _wait = new();

    /// <summary>What was read and not consumed; null if that is nothing. Bytes before <see cref="_start"/> are consumed.</summary>
    private RingSegment? _first;
    private RingSegment? _last;
    private RingSegment? _spare;
    private int _start;

    /// <summary>The position up to which messages were passed, and that up to which they were read.</summary>
    private long _passed;
    private long _ahead;

    private Progress _progress;
    private bool _isExamined = true;
    private bool _isEnded;
    private volatile bool _isCompleted;
    private SharedPeerLostException? _loss;
    private volatile Exception? _abortion;

    internal RingPipeReader(SharedRing ring, bool leaveOpen)
    {
        (_ring, _leaveOpen, _side) = (ring, leaveOpen, ring.Reader);
        _passed = _ahead = _side.AttachAt();
        _bytes = new RingBytes(ring);
    }

    /// <summary>Whether <see cref="AdvanceTo(SequencePosition)"/> is due.</summary>
    private enum Progress
    {
        None,
        Reading,

        /// <summary>The result of a cancelled read is out, after which a read may follow.</summary>
        Cancelled,
    }

    /// <summary>What every read throws.</summary>
    private Exception? Failure => _loss ?? _abortion;

    /// <inheritdoc/>
    public override bool TryRead(out ReadResult result)
    {
        ThrowIfNotReady();
        if (Failure is { } failure)
        {
            throw failure;
        }

        return TryTake(out result);
    }

    /// <inheritdoc/>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfNotReady();
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<ReadResult>(cancellationToken);
        }

        if (Failure is { } failure)
        {
            return ValueTask.FromException<ReadResult>(failure);
        }

        return TryTake(out ReadResult result) ? new ValueTask<ReadResult>(result) : WaitAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        ThrowIfCompleted();
        if (_progress == Progress.None)
        {
            throw new InvalidOperationException($"No read of the ring \"{_ring.Name}\" is in progress. Call ReadAsync first.");
        }

        if (consumed.GetObject() is not null && examined.GetObject() is not null)
        {
            Advance(Find(consumed, nameof(consumed)), consumed.GetInteger(), Find(examined, nameof(examined)), examined.GetInteger());
        }

        _progress = Progress.None;
        if (_first is null)
        {
            PassTo(_ahead);
        }
        else if (_isExamined && !_isEnded && _ahead - _passed > _ring.Capacity - RingHeader.RecordSize(_ring.MaxMessageLength))
        {
            CopyOut(_first);
        }
    }

    /// <inheritdoc/>
    public override void CancelPendingRead() => _wait.Cancel();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
        if (_isCompleted)
        {
            return;
        }

        _isCompleted = true;
        if (_first is null)
        {
            PassTo(_ahead);
        }

        if (!_leaveOpen)
        {
            _ring.Dispose();
        }

        while (_first is not null)
        {
            Drop();
        }

        _bytes.Release();
    }

    /// <summary>Closes the ring, from any thread.</summary>
    /// <param name="reason">What reads throw from now on; null for <see cref="ObjectDisposedException"/>.</param>
    internal void Abort(Exception? reason)
    {
        _abortion ??= reason;
        _ring.Dispose();
    }

    /// <summary>Copies what a read returned, and passes it, while another thread may complete this.</summary>
    /// <returns>How many bytes that is.</returns>
    internal int Take(in ReadResult result, Span<byte> destination)
    {
        ReadOnlySequence<byte> bytes = result.Buffer;
        int length = (int)Math.Min(bytes.Length, destination.Length);
        SequencePosition end = bytes.GetPosition(length);
        _bytes.Hold();
        try
        {
            bytes.Slice(0, end).CopyTo(destination);
        }
        finally
        {
            _bytes.Unpin();
        }

        AdvanceTo(end);
        return length;
    }

    /// <summary>Whether there is anything to return; if so, it is the result.</summary>
    private bool TryTake(out ReadResult result)
    {
        try
        {
            Gather();
        }
        catch (ObjectDisposedException) when (_abortion is not null)
        {
            throw _abortion;
        }

        bool isCancelled = _wait.TakeCancellation();
        if (_isExamined && !_isEnded && !isCancelled)
        {
            result = default;
            return false;
        }

        ReadOnlySequence<byte> bytes = _first is null ? default : new ReadOnlySequence<byte>(_first, _start, _last!, _last!.Length);
        result = new ReadResult(bytes, isCancelled, _isEnded);
        _progress = isCancelled ? Progress.Cancelled : Progress.Reading;
        return true;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> WaitAsync(CancellationToken cancellationToken)
    {
        ReadResult result;
        do
        {
            try
            {
                int size = (int)(_ahead - _passed) + RingHeader.RecordAlignment;
                _ = await _wait.ForAsync(_side, size, cancellationToken).ConfigureAwait(false);
            }
            catch (SharedPeerLostException e)
            {
                // The bytes that are missing come from no successor, so each read from now on says so.
                _loss = RingRefusals.LossOfBytes(_ring.Name, "writer", e);
                throw _loss;
            }
            catch (ObjectDisposedException) when (_abortion is not null)
            {
                throw _abortion;
            }
        }
        while (!TryTake(out result));
        return result;
    }

    /// <summary>Appends the messages that have come.</summary>
    private void Gather()
    {
        long next = _ahead;
        for (int i = 0; i < MostAtOnce && !_isEnded && _side.TryReadAhead(ref next, out ReadOnlySpan<byte> message); i++)
        {
            if (message.IsEmpty)
            {
                _isEnded = true;
            }
            else
            {
                RingSegment segment = Take();
                segment.Set(_bytes.Message(_ahead, 0, message.Length), next);
                Append(segment);
                _isExamined = false;
            }

            _ahead = next;
        }
    }

    private void Append(RingSegment segment)
    {
        if (_last is not null)
        {
            segment.Follow(_last);
        }

        _first ??= segment;
        _last = segment;
    }

    /// <exception cref="InvalidOperationException">The position is not in what was read.</exception>
    private RingSegment Find(SequencePosition position, string name)
    {
        int index = position.GetInteger();
        for (RingSegment? segment = _first; segment is not null; segment = segment.Next)
        {
            if (segment == position.GetObject() && index >= (segment == _first ? _start : 0) && index <= segment.Length)
            {
                return segment;
            }
        }

        throw new InvalidOperationException(
            $"The {name} position does not belong to what the read of the ring \"{_ring.Name}\" returned. Pass a position of its buffer.");
    }

    private void Advance(RingSegment consumed, int consumedIndex, RingSegment examined, int examinedIndex)
    {
        if (examined.RunningIndex + examinedIndex < consumed.RunningIndex + consumedIndex)
        {
            throw new InvalidOperationException("The examined position lies before the consumed one. Pass a later one.");
        }

        _isExamined = examined.RunningIndex + examinedIndex == _last!.RunningIndex + _last.Length;
        long passed = _passed;
        while (_first != consumed)
        {
            passed = Math.Max(passed, Drop());
        }

        _start = consumedIndex;
        if (_start == _first.Length)
        {
            passed = Math.Max(passed, Drop());
        }

        PassTo(passed);
    }

    /// <summary>Removes the first segment; returns where its record ends.</summary>
    private long Drop()
    {
        RingSegment first = _first!;
        long end = first.RecordEnd;
        _first = first.Next;
        _last = _first is null ? null : _last;
        _start = 0;
        first.Clear();
        first.Chain(_spare);
        _spare = first;
        return end;
    }

    private RingSegment Take()
    {
        RingSegment segment = _spare ?? new RingSegment();
        _spare = segment.Next;
        segment.Cut();
        return segment;
    }

    /// <summary>Copies the bytes that lie in the ring, and passes their messages.</summary>
    private void CopyOut(RingSegment first)
    {
        RingSegment? before = null;
        RingSegment? inRing = first;
        while (inRing is { IsInRing: false })
        {
            before = inRing;
            inRing = inRing.Next;
        }

        if (inRing is null)
        {
            return;
        }

        int firstStart = _start;
        int start = before is null ? firstStart : 0;
        int length = checked((int)(_last!.RunningIndex + _last.Length - inRing.RunningIndex - start));
        byte[] array = BufferPool<byte>.Shared.Rent(length);
        new ReadOnlySequence<byte>(inRing, start, _last, _last.Length).CopyTo(array);
        (_first, _start) = (inRing, 0);
        while (_first is not null)
        {
            Drop();
        }

        RingSegment copied = Take();
        copied.Set(array, length);
        (_first, _last) = before is null ? (copied, copied) : (first, before);
        if (before is not null)
        {
            before.Cut();
            Append(copied);
            _start = firstStart;
        }

        PassTo(_ahead);
    }

    /// <summary>Gives the writer the room of messages. Nothing if another thread disposed the ring: the next read says so.</summary>
    private void PassTo(long position)
    {
        if (position > _passed)
        {
            try
            {
                _side.PassTo(position);
            }
            catch (ObjectDisposedException)
            {
            }

            _passed = position;
        }
    }

    private void ThrowIfNotReady()
    {
        ThrowIfCompleted();
        if (_progress == Progress.Reading)
        {
            throw new InvalidOperationException(
                $"A read of the ring \"{_ring.Name}\" is in progress. Call AdvanceTo before the next one.");
        }
    }

    private void ThrowIfCompleted()
    {
        if (_isCompleted)
        {
            throw new InvalidOperationException($"The reader of the ring \"{_ring.Name}\" is completed, so it reads no more.");
        }
    }
}
