using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Builders whose segments are taken from a budget of their own: what was taken returns with whoever holds it last.</summary>
public sealed class BudgetedBuilderTests : IDisposable
{
    private const int Limit = 10_000;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly BufferBudget _all = new(100_000, "all");
    private readonly BufferBudget _budget;

    public BudgetedBuilderTests() => _budget = _all.CreateChild(Limit, "client");

    /// <summary>Builders rent nothing else of this pool, so the two figures are the same at every moment.</summary>
    private long InUse
    {
        get
        {
            Assert.Equal((_pool.GetStatistics().InUseBytes, _all.InUse), (_budget.InUse, _budget.InUse));
            return _budget.InUse;
        }
    }

    public void Dispose() => Assert.Equal(0, InUse);

    [Fact]
    public void Segments_count_until_they_are_consumed_cleared_or_disposed()
    {
        SequenceBuilder<byte> builder = new(_pool, _budget);
        Assert.Equal(0, InUse);
        builder.Write(new byte[300]);
        long first = InUse;
        Assert.InRange(first, 300, 400);
        builder.Write(new byte[1_000]);
        Assert.True(InUse >= 1_300);
        builder.AdvanceTo(builder.Sequence.GetPosition(700));
        Assert.InRange(InUse, 600, 1_300);
        builder.GetMemory(2_000);
        Assert.True(InUse >= 2_600);
        builder.Clear();
        Assert.Equal(0, InUse);
        builder.Write([1]);
        Assert.NotEqual(0, InUse);
        builder.Dispose();
        builder.Dispose();
        Assert.Equal(0, InUse);
    }

    [Fact]
    public void What_was_detached_counts_until_it_is_disposed()
    {
        SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Write(new byte[300]);
        long first = InUse;
        OwnedSequence<byte> owned = builder.Detach();
        Assert.Equal(first, InUse);
        builder.Write(new byte[300]);
        Assert.True(InUse > first);
        builder.Dispose();
        Assert.Equal(first, InUse);
        owned.Dispose();
        owned.Dispose();
        Assert.Equal(0, InUse);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_slice_holds_the_bytes_of_its_array_and_the_last_one_returns_them_on_any_thread(bool detaches)
    {
        SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Write(new byte[300]);
        long first = InUse;
        Action end = builder.Dispose;
        CountedSlice<byte> slice;
        if (detaches)
        {
            OwnedSequence<byte> owned = builder.Detach();
            builder.Dispose();
            (slice, end) = (owned.Slice(10, 20), owned.Dispose);
        }
        else
        {
            slice = builder.Slice(10, 20);
        }

        CountedSlice<byte> other = slice.Slice(3, 4);
        end();
        slice.Dispose();
        Assert.Equal(first, InUse);
        Worker.RunOnce(other.Dispose);
        Assert.Equal(0, InUse);
        Assert.Throws<ObjectDisposedException>(other.Dispose);
    }

    [Fact]
    public void A_slice_that_must_be_copied_counts_for_itself()
    {
        using SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Write([1, 2]);
        builder.AppendReference(new byte[] { 3, 4 });
        long before = InUse;
        CountedSlice<byte> slice = builder.Slice(1, 2);
        Assert.Equal([2, 3], slice.Span.ToArray());
        Assert.True(InUse > before);
        builder.Clear();
        Assert.InRange(InUse, 2, before);
        slice.Dispose();
        Assert.Equal(0, InUse);

        // Memory of others does not count, but a copy of it does.
        builder.AppendReference(new byte[Limit]);
        builder.AppendReference(new byte[1]);
        Assert.Throws<BufferBudgetExceededException>(() => builder.Slice(0, Limit + 1));
        Assert.Equal((0, Limit + 1), (InUse, builder.Length));
        OwnedSequence<byte> owned = builder.Detach();
        Assert.Throws<BufferBudgetExceededException>(() => owned.Slice(0, Limit + 1));
        owned.Slice(Limit - 1, 2).Dispose();
        owned.Dispose();
    }

    [Fact]
    public void What_was_appended_counts_where_it_comes_from()
    {
        BufferBudget others = new(1_000);
        using SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Append(others.LeaseMemory(BufferPool<byte>.Shared, 100));
        CountedBuffer<byte> counted = CountedBuffer<byte>.Rent(BufferPool<byte>.Shared, 200, others);
        builder.Append(counted.Slice());
        counted.Dispose();
        Assert.Equal(0, InUse);
        Assert.InRange(others.InUse, 300, 400);
        CountedSlice<byte> slice = builder.Slice(150, 10);
        builder.Clear();
        Assert.InRange(others.InUse, 200, 256);
        slice.Dispose();
        Assert.Equal((0, 0), (InUse, others.InUse));
    }

    [Fact]
    public void A_refused_segment_leaves_the_builder_as_it_was()
    {
        using SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Write([1, 2, 3]);
        builder.AppendReference(new byte[] { 4 });
        long before = InUse;
        Action[] calls = [() => builder.Write(new byte[Limit]), () => builder.GetSpan(Limit), () => builder.GetMemory(Limit)];
        foreach (Action call in calls)
        {
            Assert.Equal("client", Assert.Throws<BufferBudgetExceededException>(call).BudgetName);
            Assert.Equal(before, InUse);
        }

        builder.Write([5]);
        Assert.Equal([1, 2, 3, 4, 5], builder.Sequence.ToArray());
        _all.Take(100_000 - _all.InUse);
        Assert.Equal("all", Assert.Throws<BufferBudgetExceededException>(() => builder.Write(new byte[1_000])).BudgetName);
        _all.Return(100_000 - before);
        Assert.Equal(before, InUse);
        Assert.Equal(5, builder.Length);
    }

    /// <summary>The builder's own budget has granted the bytes when that of the pool refuses them.</summary>
    [Fact]
    public void What_the_pool_refuses_the_budget_gets_back()
    {
        BufferBudget pools = new(1_000, "pools");
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = pools, Checks = BufferChecks.Returns });
        SequenceBuilder<byte> builder = new(pool, _budget);
        builder.Write([1, 2, 3]);
        Assert.Equal(_budget.InUse, pools.InUse);
        long before = _budget.InUse;
        Assert.Equal("pools", Assert.Throws<BufferBudgetExceededException>(() => builder.GetSpan(5_000)).BudgetName);
        Assert.Equal((before, before), (_budget.InUse, pools.InUse));
        Assert.Equal([1, 2, 3], builder.Sequence.ToArray());
        builder.Dispose();
        Assert.Equal((0, 0), (_budget.InUse, pools.InUse));
    }

    /// <summary>A segment is as long as all before it, where there is room for that. Near the limit it is as long as it must be.</summary>
    [Fact]
    public void Near_the_limit_a_builder_takes_no_more_than_it_needs()
    {
        using SequenceBuilder<byte> builder = new(_pool, _budget);
        int written = 0;
        Assert.Throws<BufferBudgetExceededException>(() =>
        {
            for (; written <= Limit; written++)
            {
                builder.Write([(byte)written]);
            }
        });
        Assert.Equal(written, builder.Length);
        Assert.InRange(written, Limit * 95 / 100, Limit);
    }

    /// <summary>The user returned an array of the builder, and the pool refuses the second return. The bytes were the builder's.</summary>
    [Fact]
    public void A_segment_that_the_pool_refuses_returns_its_bytes()
    {
        SequenceBuilder<byte> builder = new(_pool, _budget);
        builder.Write(new byte[100]);
        Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray(builder.Sequence.First, out ArraySegment<byte> array));
        _pool.Return(array.Array!);
        builder.Write(new byte[3_000]);
        Assert.Throws<InvalidOperationException>(builder.Dispose);
        Assert.Equal(0, InUse);
    }
}
