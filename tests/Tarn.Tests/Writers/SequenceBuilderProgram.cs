using System.Buffers;

namespace Tarn.Tests.Writers;

/// <summary>
/// A random program over one <see cref="SequenceBuilder{T}"/> beside a list that holds the same. A budget, if the builder has one, counts
/// the arrays of the builder, of what was detached and of slices after each step, and refuses some.
/// </summary>
internal sealed class SequenceBuilderProgram
{
    private readonly Random _random;
    private readonly BufferPool<byte> _pool;
    private readonly BufferBudget? _budget;
    private readonly BufferPool<byte> _owners = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly List<(OwnedSequence<byte> Owner, byte[] Contents)> _detached = [];
    private readonly List<(CountedSlice<byte> Slice, byte[] Contents)> _slices = [];
    private List<byte> _model = [];

    /// <param name="seed">The seed.</param>
    /// <param name="checks">The checks of the pool.</param>
    /// <param name="limit">The limit of the builder's own budget, in bytes; 0 for no budget.</param>
    internal SequenceBuilderProgram(int seed, BufferChecks checks, long limit = 0)
    {
        _budget = limit > 0 ? new BufferBudget(limit).CreateChild(limit) : null;
        _random = new Random(seed);
        _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks });
    }

    internal void Run(int steps)
    {
        using (SequenceBuilder<byte> builder = new(_pool, _budget))
        {
            for (int step = 0; step < steps; step++)
            {
                Step(builder);
                Assert.Equal(_model.Count, builder.Length);
                Assert.True(builder.Sequence.ToArray().AsSpan().SequenceEqual(_model.ToArray()), $"The contents differ after step {step}.");
                Assert.Equal(_model.Count == 0, builder.Sequence.IsEmpty);
                AssertTaken();
                foreach (ReadOnlyMemory<byte> segment in builder.Sequence)
                {
                    Assert.True(_model.Count == 0 || !segment.IsEmpty, $"A segment is empty after step {step}.");
                }
            }
        }

        _detached.ForEach(static one => one.Owner.Dispose());
        while (_slices.Count > 0)
        {
            EndOneSlice();
        }

        AssertTaken();
        AssertAllReturned(_pool);
        AssertAllReturned(_owners);
    }

    private static void AssertAllReturned(BufferPool<byte> pool)
    {
        BufferPoolStatistics statistics = pool.GetStatistics();
        Assert.Equal((0L, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
    }

    /// <summary>What was rented of the pool counts in the budget and its parent, wherever it is now.</summary>
    private void AssertTaken()
    {
        if (_budget is { Parent: { } parent })
        {
            long rented = _pool.GetStatistics().InUseBytes;
            Assert.Equal((rented, rented), (_budget.InUse, parent.InUse));
        }
    }

    /// <summary>Makes a call that the budget may refuse, which then has taken nothing.</summary>
    private bool Try(Action call)
    {
        long? before = _budget?.InUse;
        try
        {
            call();
            return true;
        }
        catch (BufferBudgetExceededException) when (before is not null)
        {
            Assert.Equal(before, _budget?.InUse);
            return false;
        }
    }

    private void Step(SequenceBuilder<byte> builder)
    {
        byte[] bytes = new byte[_random.Next(4) == 0 ? _random.Next(3000) : _random.Next(30)];
        _random.NextBytes(bytes);
        if (_random.Next(4) == 0 && Try(() => builder.GetMemory(bytes.Length)))
        {
            Assert.InRange(builder.GetMemory(bytes.Length).Length, Math.Max(1, bytes.Length), int.MaxValue);
        }

        switch (_random.Next(26))
        {
            case < 4:
                Write(builder, bytes);
                break;
            case < 8:
                WriteInRoom(builder, bytes);
                break;
            case < 11:
                builder.AppendReference(bytes);
                _model.AddRange(bytes);
                break;
            case < 14:
                IMemoryOwner<byte> owner = _owners.LeaseMemory(bytes.Length);
                bytes.CopyTo(owner.Memory);
                builder.Append(owner);
                _model.AddRange(bytes);
                break;
            case < 18:
                Consume(builder);
                break;
            case < 20:
                CountedBuffer<byte> shared = CountedBuffer<byte>.Rent(_owners, bytes.Length + 5);
                bytes.CopyTo(shared.Span[3..]);
                builder.Append(shared.Slice(3, bytes.Length));
                shared.Dispose();
                _model.AddRange(bytes);
                break;
            case < 24:
                KeepSlice(builder.Slice, _model);
                break;
            case 24:
                if (_random.Next(5) == 0)
                {
                    builder.Clear();
                    _model.Clear();
                }

                break;
            default:
                Detach(builder);
                break;
        }
    }

    private void Write(SequenceBuilder<byte> builder, byte[] bytes)
    {
        if (Try(() => builder.Write(bytes)))
        {
            _model.AddRange(bytes);
        }
    }

    private void WriteInRoom(SequenceBuilder<byte> builder, byte[] bytes)
    {
        if (!Try(() => builder.GetMemory(bytes.Length)))
        {
            return;
        }

        Span<byte> room = _random.Next(2) == 0 ? builder.GetSpan(bytes.Length) : builder.GetMemory(bytes.Length).Span;
        Assert.InRange(room.Length, Math.Max(1, bytes.Length), int.MaxValue);
        bytes.CopyTo(room);
        builder.Advance(bytes.Length);
        _model.AddRange(bytes);
    }

    private void Consume(SequenceBuilder<byte> builder)
    {
        int count = _random.Next(4) == 0 ? _model.Count : _random.Next(Math.Min(_model.Count, 2000) + 1);
        builder.AdvanceTo(builder.Sequence.GetPosition(count));
        _model.RemoveRange(0, count);
    }

    private void Detach(SequenceBuilder<byte> builder)
    {
        _detached.Add((builder.Detach(), [.. _model]));
        _model = [];
        if (_detached.Count > 5)
        {
            (OwnedSequence<byte> owner, byte[] contents) = _detached[_random.Next(5)];
            KeepSlice(owner.Slice, contents);
            Assert.Equal(contents, owner.Sequence.ToArray());
            owner.Dispose();
            _detached.RemoveAll(one => one.Owner == owner);
        }
    }

    /// <summary>Takes a slice of a random part, and lets another go.</summary>
    private void KeepSlice(Func<long, int, CountedSlice<byte>> take, IReadOnlyList<byte> contents)
    {
        int start = _random.Next(contents.Count + 1);
        int length = _random.Next(Math.Min(contents.Count - start, _random.Next(2) * 50) + 1);
        CountedSlice<byte> slice = default;
        if (Try(() => slice = take(start, length)))
        {
            _slices.Add((slice, [.. contents.Skip(start).Take(length)]));
        }

        if (_slices.Count > 10)
        {
            EndOneSlice();
        }
    }

    private void EndOneSlice()
    {
        int index = _random.Next(_slices.Count);
        (CountedSlice<byte> slice, byte[] contents) = _slices[index];
        Assert.True(slice.Span.SequenceEqual(contents), "A slice has changed.");
        slice.Dispose();
        _slices.RemoveAt(index);
    }
}
