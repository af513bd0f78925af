using System.Buffers;
using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A stream in arrays or in native memory, with a budget of its own or that of its pool, whose writes may wait.</summary>
#pragma warning disable CA1001 // it is disposed as a step of the program
internal sealed class ByteStream : Owner
#pragma warning restore CA1001
{
    private const int Maximum = 2_048;
    private const int MostHint = 4_096;

    private readonly PooledMemoryStream _stream;
    private readonly BudgetNode? _node;
    private readonly bool _isNative;
    private readonly int _most;
    private readonly List<byte> _contents = [];

    private ByteStream(Company company, Step step, bool isNative)
        : base(company)
    {
        // One of the two counts the bytes, so that a write asks once for what it lacks.
        _node = isNative && company.HeapNode is not null ? null : company.StreamNode;
        _isNative = isNative;
        _most = step.Other % 4 == 0 ? Maximum : int.MaxValue;
        PooledMemoryStreamOptions options = new()
        {
            Pool = isNative ? null : PoolOf(company),
            Heap = isNative ? company.Heap : null,
            Budget = _node?.Budget,
            BudgetTimeout = company.TimeoutFor(_node),
            Clearing = company.Settings.Clears ? StreamClearing.OnReturn : StreamClearing.None,
            MaxCapacity = _most,
        };
        _stream = new PooledMemoryStream(options, step.Choice % 4 == 0 ? Math.Min(step.Number, _most) : 0);
    }

    internal static OwnerKind OfPool { get; } = new(
        "stream", static (company, step) => new ByteStream(company, step, isNative: false), Calls, Endings);

    internal static OwnerKind OfHeap { get; } = new(
        "stream in native memory", static (company, step) => new ByteStream(company, step, isNative: true), Calls, Endings);

    private static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<ByteStream>("Write", static (stream, step) => stream.Write(step.Number)),
        OwnerCall.Of<ByteStream>("WriteAsync", static (stream, step) => stream.WriteOrWait(step.Number)),
        OwnerCall.Of<ByteStream>("WriteByte", static (stream, _) => stream.Write(1)),
        OwnerCall.Of<ByteStream>("GetSpan and Advance", static (stream, step) => stream.WriteInRoom(step.Number, step.Number)),
        OwnerCall.Of<ByteStream>("GetMemory of more than is written", static (stream, step) =>
            stream.WriteInRoom(MostHint, step.Number % 64)),
        OwnerCall.Of<ByteStream>("SetLength", static (stream, step) => stream.SetLength(step.Number)),
        OwnerCall.Of<ByteStream>("set Capacity", static (stream, step) => stream.SetCapacity(step.Number)),
        OwnerCall.Of<ByteStream>("Detach", static (stream, step) => stream.Detach(step.Other)),
        OwnerCall.Of<ByteStream>("DetachSlice", static (stream, step) => stream.DetachSlice(step.Other)),
        OwnerCall.Of<ByteStream>("TryGetBuffer", static (stream, _) => stream.GetBuffer()),
        OwnerCall.Of<ByteStream>("CopyFrom that throws", static (stream, step) => stream.CopyFrom(step.Number)),
    ];

    private static IReadOnlyList<OwnerCall> Endings =>
    [
        OwnerCall.Of<ByteStream>("disposed", static (stream, _) => stream.Dispose()),
        OwnerCall.Of<ByteStream>("disposed twice", static (stream, _) =>
        {
            stream.Dispose();
            stream.DisposeAgain();
        }),
        OwnerCall.Of<ByteStream>("disposed asynchronously", static (stream, _) =>
        {
            stream.IsOver = true;
            stream._stream.DisposeAsync().AsTask().Wait();
        }),
    ];

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver =>
    [
        ("Write", () => _stream.Write([1])), ("GetSpan", () => _stream.GetSpan(1)), ("Length", () => _ = _stream.Length),
        ("WriteAsync", () => _stream.WriteAsync(new byte[1]).AsTask().GetAwaiter().GetResult()),
        ("Detach", () => _stream.Detach().Dispose()), ("SetLength", () => _stream.SetLength(1)), ("ToArray", () => _stream.ToArray()),
    ];

    private int Left => _most - _contents.Count;

    /// <inheritdoc/>
    internal override void Charge(long[] held)
    {
        if (_stream.Bytes.Table is { } table)
        {
            foreach (ref Segment segment in table.Segments)
            {
                Charge(held, segment.Array?.Length ?? segment.BlockSize);
            }

            int pending = table.Pending?.Length ?? 0;
            Add(held, _node, pending);
            Add(held, _isNative || _node is not null ? null : Company.PoolNode, pending);
        }
        else
        {
            Charge(held, _stream.Bytes.CurrentArray?.Length ?? (_isNative ? _stream.Bytes.CurrentSize : 0));
        }
    }

    /// <inheritdoc/>
    internal override void Verify()
    {
        Require.Equal((_contents.Count, _contents.Count), (_stream.Length, _stream.Position), $"Length and position of #{Number}");
        Require.That(_stream.ToArray().AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"#{Number} has other bytes.");
        Require.That(_stream.GetReadOnlySequence().ToArray().AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"#{Number}");
    }

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        _stream.Dispose();
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => _stream.Dispose();

    private BufferPool<byte> PoolOf(Company company) => _node is null ? company.Pool : company.Plain;

    private void Charge(long[] held, long bytes)
    {
        Add(held, _node, bytes);
        if (_isNative)
        {
            Add(held, Company.HeapNode, bytes == 0 ? 0 : Company.HeapCharge(bytes));
        }
        else if (_node is null)
        {
            Add(held, Company.PoolNode, bytes);
        }
    }

    private void Write(int length)
    {
        byte[] bytes = Company.NextBytes(length);
        if (length > Left)
        {
            Company.Refuses<IOException>("A write above the maximum", () => _stream.Write(bytes));
        }
        else if (Company.Try(() => _stream.Write(bytes)))
        {
            _contents.AddRange(bytes);
        }
    }

    /// <summary>Writes. What the budget refuses at once, the asynchronous call waits for.</summary>
    private void WriteOrWait(int length)
    {
        byte[] bytes = Company.NextBytes(Math.Min(length, Left));
        long asked = 0;
        bool isWritten = Company.Try(() =>
        {
            try
            {
                _stream.Write(bytes);
            }
            catch (BufferBudgetExceededException e)
            {
                asked = e.Asked;
                throw;
            }
        });
        if (isWritten)
        {
            _contents.AddRange(bytes);
        }
        else if (_node is not null && asked > 0)
        {
            Company.Wait(
                this, "WriteAsync", _node, asked, cancellation => _stream.WriteAsync(bytes, cancellation).AsTask(),
                () => _contents.AddRange(bytes));
        }
    }

    private void WriteInRoom(int hint, int length)
    {
        byte[] bytes = Company.NextBytes(Math.Min(length, Left));
        if (Left > 0 && Company.Try(() => bytes.CopyTo(_stream.GetMemory(hint)))
            && Company.Try(() => _stream.Advance(bytes.Length), inPieces: true))
        {
            _contents.AddRange(bytes);
        }
    }

    private void SetLength(int length)
    {
        length = Math.Min(length, _most);
        if (Company.Try(() => _stream.SetLength(length)))
        {
            CollectionsMarshal.SetCount(_contents, Math.Min(length, _contents.Count));
            _contents.AddRange(new byte[length - _contents.Count]);
            _stream.Position = length;
        }
    }

    private void SetCapacity(int capacity) =>
        Company.Try(() => _stream.LongCapacity = Math.Max(_contents.Count, Math.Min(capacity, _most)));

    private void GetBuffer() => Company.Try(() =>
    {
        if (_stream.TryGetBuffer(out ArraySegment<byte> buffer))
        {
            Require.That(buffer.AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"The buffer of #{Number} has other bytes.");
        }
    });

    /// <summary>A source gives a part and throws: what it gave is written, or nothing is.</summary>
    private void CopyFrom(int length)
    {
        byte[] bytes = Company.NextBytes(Math.Min(length, Left));
        Company.Try(
            () => Company.Refuses<EndOfStreamException>("CopyFrom", () => _stream.CopyFrom(new ThrowingSource(bytes))), inPieces: true);
        int more = (int)(_stream.Length - _contents.Count);
        Require.That(more >= 0 && more <= bytes.Length, $"#{Number} has {_stream.Length} bytes after a source gave {bytes.Length}.");
        _contents.AddRange(bytes.AsSpan(0, more));
        _stream.Position = _contents.Count;
    }

    private void Detach(int number)
    {
        if (!Company.IsFree(number))
        {
            return;
        }

        (long[] held, byte[] contents) = TakeAll();
        OwnedSequence<byte> sequence = _stream.Detach();
        Detached detached = new(Company, sequence, contents, all => AddAll(all, held));
        Company.Add(Detached.Kind, number, () => detached);
        Company.Move(this, held, detached);
    }

    /// <summary>Contents in several segments, or in native memory, are copied; so only what one array holds is told.</summary>
    private void DetachSlice(int number)
    {
        if (_isNative || !Company.IsFree(number) || _contents.Count == 0 || !_stream.GetReadOnlySequence().IsSingleSegment
            || _stream.Bytes.Table is { Count: > 1 })
        {
            return;
        }

        (long[] held, byte[] contents) = TakeAll();
        CountedSlice<byte> slice = _stream.DetachSlice();
        Slices detached = new(Company, slice, contents, all => AddAll(all, held));
        Company.Add(Slices.Kind, number, () => detached);
        Company.Move(this, held, detached);
    }

    private (long[] Held, byte[] Contents) TakeAll()
    {
        if (_stream.Bytes.Table is { Pending: not null })
        {
            _stream.LongCapacity = _stream.LongCapacity;
        }

        long[] held = new long[Company.MostBudgets];
        Charge(held);
        byte[] contents = [.. _contents];
        _contents.Clear();
        return (held, contents);
    }
}
