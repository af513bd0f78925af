using System.Buffers;
using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>
/// A builder with a pool of its own, so that the arrays it holds are known: those with bytes in them, and one that has room. It may have a
/// budget of its own.
/// </summary>
#pragma warning disable CA1001 // it is disposed as a step of the program
internal sealed class Builder : Owner
#pragma warning restore CA1001
{
    private readonly BufferPool<byte> _pool;

    /// <summary>The budget of its own; null for none.</summary>
    private readonly BudgetNode? _own;
    private readonly SequenceBuilder<byte> _builder;
    private readonly List<byte> _contents = [];

    /// <summary>
    /// What was handed over and is not consumed: where it ends, counted from the first byte ever, and the bytes it holds.
    /// </summary>
    private readonly List<(long End, long[] Held, ThrowingOwner? Throws)> _taken = [];

    /// <summary>Arrays of others, which were handed over or are referred to.</summary>
    private readonly HashSet<byte[]> _foreign = [];

    private long _consumed;
    private long _detached;
    private long _detachedArrays;

    private Builder(Company company, BudgetNode? own)
        : base(company)
    {
        _own = own;
        _pool = company.CreatePool("composed builder's pool", company.PoolNode);
        _builder = new SequenceBuilder<byte>(_pool, own?.Budget);
    }

    internal static OwnerKind Kind { get; } = new(
        "builder", static (company, _) => new Builder(company, own: null), Calls, Endings);

    internal static OwnerKind OfBudget { get; } = new(
        "builder with a budget", static (company, _) => new Builder(company, company.StreamNode), Calls, Endings);

    private static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<Builder>("Write", static (builder, step) => builder.Write(step.Number)),
        OwnerCall.Of<Builder>("GetSpan and Advance", static (builder, step) => builder.WriteInRoom(step.Number, step.Number)),
        OwnerCall.Of<Builder>("GetMemory of more than is written", static (builder, step) => builder.WriteInRoom(step.Number * 2, 3)),
        OwnerCall.Of<Builder>("GetMemory, and nothing is written", static (builder, step) => builder.WriteInRoom(step.Number * 3, 0)),
        OwnerCall.Of<Builder>("Append of an owner", static (builder, step) => builder.Append(step.Other)),
        OwnerCall.Of<Builder>("Append of a slice", static (builder, step) => builder.AppendSlice(step.Other)),
        OwnerCall.Of<Builder>("Append of an owner that throws", static (builder, step) => builder.AppendThrowing(step.Number)),
        OwnerCall.Of<Builder>("AppendReference", static (builder, step) => builder.AppendReference(step.Number)),
        OwnerCall.Of<Builder>("AdvanceTo", static (builder, step) => builder.AdvanceTo(step.Number)),
        OwnerCall.Of<Builder>("Clear", static (builder, _) => builder.Clear()),
        OwnerCall.Of<Builder>("Slice", static (builder, step) => builder.SliceOf(step.Number, step.Other)),
        OwnerCall.Of<Builder>("Detach", static (builder, step) => builder.Detach(step.Other)),
    ];

    private static IReadOnlyList<OwnerCall> Endings =>
    [
        OwnerCall.Of<Builder>("disposed", static (builder, _) => builder.Dispose()),
        OwnerCall.Of<Builder>("disposed twice", static (builder, _) =>
        {
            builder.Dispose();
            builder.DisposeAgain();
        }),
    ];

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver =>
    [
        ("Write", () => _builder.Write([1])), ("GetSpan", () => _builder.GetSpan(1)), ("GetMemory", () => _builder.GetMemory(5_000)),
        ("Sequence", () => _ = _builder.Sequence), ("Length", () => _ = _builder.Length), ("Clear", _builder.Clear),
        ("Detach", () => _builder.Detach().Dispose()), ("AppendReference", () => _builder.AppendReference(new byte[1])),
        ("Slice", () => _builder.Slice(0, 0).Dispose()),
    ];

    /// <summary>The bytes of its pool in use, without those that were detached.</summary>
    private long Held => _pool.GetStatistics().InUseBytes - _detached;

    /// <inheritdoc/>
    internal override void Charge(long[] held)
    {
        Add(held, _own, Held);
        Add(held, Company.PoolNode, Held);
        _taken.ForEach(taken => AddAll(held, taken.Held));
    }

    /// <inheritdoc/>
    internal override void Verify()
    {
        ReadOnlySequence<byte> sequence = _builder.Sequence;
        Require.Equal(_contents.Count, sequence.Length, $"Bytes in #{Number}");
        Require.Equal(_contents.Count, _builder.Length, $"Length of #{Number}");
        Require.That(sequence.ToArray().AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"#{Number} has other bytes.");
        Require.That(
            sequence.IsEmpty || !sequence.FirstSpan.IsEmpty,
            $"The first segment of #{Number} is empty, and {sequence.Length} bytes follow.");
        VerifyArrays(sequence);
    }

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        GiveUp(_builder.Dispose);
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => _builder.Dispose();

    /// <summary>Of its own arrays, one may have no byte in it: that with the room that was asked for last.</summary>
    private void VerifyArrays(in ReadOnlySequence<byte> sequence)
    {
        HashSet<byte[]> written = OwnArrays(sequence);
        BufferPoolStatistics pool = _pool.GetStatistics();
        long idle = pool.Rented - pool.Returned - _detachedArrays - written.Count;
        Require.That(
            idle <= 1,
            $"#{Number} holds {pool.Rented - pool.Returned} arrays of its pool, and {written.Count} arrays have bytes in them.");
    }

    /// <summary>The arrays of its pool in which there are bytes.</summary>
    private HashSet<byte[]> OwnArrays(in ReadOnlySequence<byte> sequence)
    {
        HashSet<byte[]> arrays = [];
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            if (!segment.IsEmpty && ArrayOf(segment) is { } array && !_foreign.Contains(array))
            {
                arrays.Add(array);
            }
        }

        return arrays;
    }

    private static byte[]? ArrayOf(ReadOnlyMemory<byte> memory) =>
        MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> part) ? part.Array : null;

    private void NoteForeign(ReadOnlyMemory<byte> memory)
    {
        if (ArrayOf(memory) is { } array)
        {
            _foreign.Add(array);
        }
    }

    /// <summary>With a budget of its own, it has that one's bytes when the pool refuses.</summary>
    private bool Try(Action call) => Company.Try(call, inPieces: _own is not null);

    private void Write(int length)
    {
        byte[] bytes = Company.NextBytes(length);
        if (Try(() => _builder.Write(bytes)))
        {
            _contents.AddRange(bytes);
        }
    }

    private void WriteInRoom(int hint, int length)
    {
        byte[] bytes = Company.NextBytes(length);
        if (Try(() => bytes.CopyTo(_builder.GetMemory(hint))))
        {
            _builder.Advance(length);
            _contents.AddRange(bytes);
        }
    }

    private void Append(int number)
    {
        if (Company.Find<MemoryOwner>(number) is { } other)
        {
            (IMemoryOwner<byte> owner, byte[] contents) = other.HandOver();
            long[] held = new long[Company.MostBudgets];
            if (contents.Length > 0)
            {
                // One without contents goes back at once: it would be an empty segment.
                other.Charge(held);
            }

            NoteForeign(owner.Memory);
            _builder.Append(owner);
            Company.HandOver(other, this);
            Took(contents, held, throws: null);
        }
    }

    private void AppendSlice(int number)
    {
        if (Company.Find<Slices>(number) is { } other
            && other.TryHandOver(out CountedSlice<byte> slice, out byte[] contents, out long[] held))
        {
            NoteForeign(slice.Memory);
            _builder.Append(slice);
            Company.HandOver(other, this);
            Took(contents, held, throws: null);
        }
    }

    private void AppendThrowing(int length)
    {
        ThrowingOwner owner = new(Company.NextBytes(Math.Max(1, length)));
        NoteForeign(owner.Memory);
        _builder.Append(owner);
        Took(owner.Memory.ToArray(), new long[Company.MostBudgets], owner);
    }

    private void AppendReference(int length)
    {
        byte[] bytes = Company.NextBytes(length);
        NoteForeign(bytes);
        _builder.AppendReference(bytes);
        _contents.AddRange(bytes);
    }

    private void Took(byte[] contents, long[] held, ThrowingOwner? throws)
    {
        _contents.AddRange(contents);
        _taken.Add((_consumed + _contents.Count, held, throws));
    }

    /// <summary>Consumes a part. What was handed over goes with its last byte.</summary>
    private void AdvanceTo(int count)
    {
        count = Math.Min(count, _contents.Count);
        SequencePosition position = _builder.Sequence.GetPosition(count);
        int before = _taken.Count;
        ThrowingOwner.DisposalException? thrown = Catch(() => _builder.AdvanceTo(position));
        _contents.RemoveRange(0, count);
        _consumed += count;

        // At the very end of a segment, it depends on how the position was made whether the segment is consumed.
        bool isEmpty = _contents.Count == 0;
        _taken.RemoveAll(taken => taken.End < _consumed || (taken.End == _consumed && (isEmpty || !IsFirst(taken))));
        Require.That(thrown is null || before > _taken.Count, $"AdvanceTo threw, and consumed no owner: {thrown}");
    }

    private bool IsFirst((long End, long[] Held, ThrowingOwner? Throws) taken) => taken.Throws is { IsDisposed: false };

    private void Clear() => GiveUp(_builder.Clear);

    private void GiveUp(Action call)
    {
        ThrowingOwner.DisposalException? thrown = Catch(call);
        Require.That(
            (thrown is not null) == _taken.Exists(static taken => taken.Throws is not null),
            $"The end of #{Number} must tell what an owner threw, and told {thrown}.");
        Require.That(
            _taken.TrueForAll(static taken => taken.Throws is not { IsDisposed: false }), $"#{Number} left an owner undisposed.");
        _taken.Clear();
        _contents.Clear();
    }

    private static ThrowingOwner.DisposalException? Catch(Action call)
    {
        try
        {
            call();
            return null;
        }
        catch (ThrowingOwner.DisposalException e)
        {
            return e;
        }
    }

    private void SliceOf(int start, int number)
    {
        if (_contents.Count == 0 || !Company.IsFree(number))
        {
            return;
        }

        start %= _contents.Count;
        int length = Math.Min(_contents.Count - start, 100);
        byte[] contents = [.. _contents.Skip(start).Take(length)];
        long before = _pool.GetStatistics().InUseBytes;
        CountedSlice<byte> slice = default;
        if (Try(() => slice = _builder.Slice(start, length)))
        {
            Require.That(slice.Span.SequenceEqual(contents), $"A slice of #{Number} has other bytes.");
            Require.That(_pool.GetStatistics().InUseBytes >= before, $"A slice of #{Number} returned an array.");
            slice.Dispose();
        }
    }

    private void Detach(int number)
    {
        if (!Company.IsFree(number) || _taken.Exists(static taken => taken.Throws is not null))
        {
            return;
        }

        long before = Held;
        OwnedSequence<byte> sequence = _builder.Detach();
        HashSet<byte[]> arrays = OwnArrays(sequence.Sequence);
        long bytes = arrays.Sum(static array => (long)array.Length);
        long[] held = new long[Company.MostBudgets];
        Add(held, _own, bytes);
        Add(held, Company.PoolNode, bytes);
        _taken.ForEach(taken => AddAll(held, taken.Held));
        byte[] contents = [.. _contents];
        _taken.Clear();
        _contents.Clear();
        (_detached, _detachedArrays) = (_detached + bytes, _detachedArrays + arrays.Count);
        Detached detached = new(Company, sequence, contents, all => AddAll(all, held), () =>
        {
            _detached -= bytes;
            _detachedArrays -= arrays.Count;
        });
        Company.Add(Detached.Kind, number, () => detached);
        Company.Move(this, held, detached);
        Require.That(Held <= before - bytes, $"#{Number} holds {Held} bytes after it detached {bytes} of {before}.");
    }
}
