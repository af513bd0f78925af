using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>Reads the messages of a ring as one sequence of bytes, in place, up to an empty message.</summary>
/// <remarks>
/// <para>Messages are read ahead, and passed when all their bytes were consumed. Each is a segment. What was examined to its end and not
/// consumed keeps its room in the ring only while the writer has room left for the longest message. Otherwise it is copied, each byte once,
/// so that a reader which needs more always gets it.</para>
/// <para>For one thread at a time, except <see cref="CancelPendingRead"/>, completions and <see cref="Abort"/>. A completion waits for the
/// call that is inside, and ends its wait. What a copy to a stream has from a read stays until it has written that.</para>
/// </remarks>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "A completion releases them.")]
internal sealed partial class RingPipeReader : PipeReader
{
    /// <summary>Messages that one read gathers, so that many small ones need few segments at a time.</summary>
    private const int MostAtOnce = 128;

    private readonly SharedRing _ring;
    private readonly bool _leaveOpen;
    private readonly RingReader _side;
    private readonly RingBytes _bytes;
    private readonly PipeCalls _calls = new();
    private readonly PipeWait _wait = new();

    private Progress _progress;
    private bool _isExamined = true;
    private bool _isEnded;
    private SharedPeerLostException? _loss;
    private volatile Exception? _abortion;

    internal RingPipeReader(SharedRing ring, bool leaveOpen)
    {
        (_ring, _leaveOpen, _side) = (ring, leaveOpen, ring.Reader);
        _passed = _ahead = _side.AttachAt();
        _bytes = new RingBytes(ring, DropAll);
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
        Enter();
        try
        {
            ThrowIfReading();
            return Failure is { } failure ? throw failure : TryTake(out result);
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <inheritdoc/>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        Enter();
        bool waits = false;
        try
        {
            ThrowIfReading();
            if (cancellationToken.IsCancellationRequested)
            {
                return ValueTask.FromCanceled<ReadResult>(cancellationToken);
            }

            if (Failure is { } failure)
            {
                return ValueTask.FromException<ReadResult>(failure);
            }

            waits = !TryTake(out ReadResult result);
            return waits ? WaitAsync(cancellationToken) : new ValueTask<ReadResult>(result);
        }
        finally
        {
            if (!waits)
            {
                _calls.Leave();
            }
        }
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        Enter();
        try
        {
            AdvanceInside(consumed, examined);
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <inheritdoc/>
    public override void CancelPendingRead() => _wait.Cancel();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => PipeCalls.Await(CompleteAsync(exception));

    /// <inheritdoc/>
    public override async ValueTask CompleteAsync(Exception? exception = null)
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
            if (_first is null)
            {
                PassTo(_ahead);
            }
        }
        catch (InvalidOperationException)
        {
            // The ring's own methods read beside this.
        }
        finally
        {
            _bytes.Release();
            if (!_leaveOpen)
            {
                _ring.Dispose();
            }
        }
    }

    /// <summary>Closes the ring, from any thread.</summary>
    /// <param name="reason">What reads throw from now on; null for <see cref="ObjectDisposedException"/>.</param>
    internal void Abort(Exception? reason)
    {
        _abortion ??= reason;
        _ring.Dispose();
    }

    /// <summary>Copies what a read returned, and passes it.</summary>
    /// <returns>How many bytes that is.</returns>
    internal int Take(in ReadResult result, Span<byte> destination)
    {
        Enter();
        try
        {
            ReadOnlySequence<byte> bytes = result.Buffer;
            int length = (int)Math.Min(bytes.Length, destination.Length);
            SequencePosition end = bytes.GetPosition(length);
            bytes.Slice(0, end).CopyTo(destination);
            AdvanceInside(end, end);
            return length;
        }
        finally
        {
            _calls.Leave();
        }
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
        if (isCancelled && _calls.IsClosed)
        {
            // That was the completion.
            throw Completed();
        }

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
        try
        {
            ReadResult result;
            do
            {
                int size = (int)(_ahead - _passed) + RingHeader.RecordAlignment;
                _ = await _wait.ForAsync(_side, size, cancellationToken).ConfigureAwait(false);
            }
            while (!TryTake(out result));
            return result;
        }
        catch (SharedPeerLostException e)
        {
            // The bytes that are missing come from no successor, so each read from now on says so.
            _loss = RoleRefusals.LossOfBytes(_ring.Name, "writer", e);
            throw _loss;
        }
        catch (ObjectDisposedException) when (_abortion is not null)
        {
            throw _abortion;
        }
        finally
        {
            _calls.Leave();
        }
    }

    private void AdvanceInside(SequencePosition consumed, SequencePosition examined)
    {
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

    private void ThrowIfReading()
    {
        if (_progress == Progress.Reading)
        {
            throw new InvalidOperationException(
                $"A read of the ring \"{_ring.Name}\" is in progress. Call AdvanceTo before the next one.");
        }
    }

    private void Enter()
    {
        if (!_calls.TryEnter())
        {
            throw Completed();
        }
    }

    private ObjectDisposedException Completed() =>
        new(nameof(PipeReader), $"The reader of the ring \"{_ring.Name}\" is completed, so it reads no more.");
}
