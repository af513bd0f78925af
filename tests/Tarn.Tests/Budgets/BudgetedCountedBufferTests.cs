using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Counted buffers whose bytes are taken from a budget: they return with the last holder, wherever that ends.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetedCountedBufferTests
{
    private readonly BufferPool<int> _pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly BufferBudget _all = new(10_000, "all");
    private readonly BufferBudget _budget;

    public BudgetedCountedBufferTests() => _budget = _all.CreateChild(1_000, "client");

    [Fact]
    public void The_last_holder_returns_the_bytes_on_whichever_thread()
    {
        CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100, _budget);
        long bytes = _pool.GetStatistics().InUseBytes;
        Assert.InRange(bytes, 400, 500);
        CountedSlice<int> slice = buffer.Slice(10, 20);
        CountedSlice<int> part = slice.Slice(3);
        Assert.Equal((bytes, bytes, 100), (_budget.InUse, _all.InUse, buffer.Length));
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(buffer.Dispose);
        Worker.RunOnce(slice.Dispose);
        Assert.Equal(bytes, _budget.InUse);
        Worker.RunOnce(part.Dispose);
        Assert.Equal((0, 0, 0), (_budget.InUse, _all.InUse, _pool.GetStatistics().InUseBytes));
        Assert.Throws<ObjectDisposedException>(part.Dispose);
        Assert.Throws<ObjectDisposedException>(() => slice.Slice());
        Assert.Equal(0, _budget.InUse);
    }

    [Fact]
    public void A_refused_buffer_takes_nothing()
    {
        using CountedBuffer<int> first = CountedBuffer<int>.Rent(_pool, 100, _budget);
        long bytes = _budget.InUse;
        BufferBudgetExceededException e =
            Assert.Throws<BufferBudgetExceededException>(() => CountedBuffer<int>.Rent(_pool, 200, _budget));
        Assert.Equal(("client", false), (e.BudgetName, e.ExceedsLimit));
        Assert.True(Assert.Throws<BufferBudgetExceededException>(() => CountedBuffer<int>.Rent(_pool, 300, _budget)).ExceedsLimit);
        _all.Take(9_200);
        Assert.Equal("all", Assert.Throws<BufferBudgetExceededException>(() => CountedBuffer<int>.Rent(_pool, 100, _budget)).BudgetName);
        _all.Return(9_200);
        Assert.Equal((bytes, bytes), (_budget.InUse, _all.InUse));
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => CountedBuffer<int>.Rent(_pool, -1, _budget)).ParamName);
        Assert.Equal("pool", Assert.Throws<ArgumentNullException>(() => CountedBuffer<int>.Rent(null!, 1, _budget)).ParamName);
        CountedBuffer<int>.Rent(_pool, 0, _budget).Dispose();
        Assert.Equal(bytes, _budget.InUse);
    }

    /// <summary>The buffer's own budget has granted the bytes when that of the pool refuses them, or the system.</summary>
    [Fact]
    public void What_the_pool_refuses_the_budget_gets_back()
    {
        BufferBudget pools = new(300, "pools");
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Budget = pools, Checks = BufferChecks.Returns });
        Assert.Equal("pools", Assert.Throws<BufferBudgetExceededException>(() => CountedBuffer<int>.Rent(pool, 100, _budget)).BudgetName);
        Assert.Equal((0, 0), (_budget.InUse, pools.InUse));
        CountedBuffer<int> buffer = CountedBuffer<int>.Rent(pool, 50, _budget);
        Assert.Equal((_budget.InUse, true), (pools.InUse, pools.InUse > 0));
        buffer.Dispose();
        Assert.Equal((0, 0), (_budget.InUse, pools.InUse));
        BufferBudget large = new(long.MaxValue);
        Assert.Throws<OutOfMemoryException>(() => CountedBuffer<Huge>.Rent(BufferPool<Huge>.Shared, 1 << 30, large));
        Assert.Equal(0, large.InUse);
    }

    [Fact]
    public void The_same_budget_for_the_pool_and_the_buffer_counts_twice()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Budget = _budget, Checks = BufferChecks.Returns });
        CountedBuffer<int> buffer = CountedBuffer<int>.Rent(pool, 100, _budget);
        Assert.Equal(2 * pool.GetStatistics().InUseBytes, _budget.InUse);
        Assert.Throws<BufferBudgetExceededException>(() => CountedBuffer<int>.Rent(pool, 30, _budget));
        Assert.Equal(2 * pool.GetStatistics().InUseBytes, _budget.InUse);
        buffer.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    /// <summary>What notes the holders is used again, by this thread or by all, and has forgotten the budget.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nothing_that_is_kept_for_another_buffer_keeps_the_budget(bool passesOn)
    {
        WeakReference<BufferBudget> budget = null!;
        using Worker renter = new();
        renter.Run(() => budget = Use(passesOn));
        Eventually.TrueAfterCollections(() => !budget.TryGetTarget(out _), "the budget is collected while its thread lives");
        renter.Run(() => CountedBuffer<int>.Rent(_pool, 10).Dispose());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference<BufferBudget> Use(bool passesOn)
    {
        BufferBudget budget = new(10_000);
        for (int i = 0; i < 5; i++)
        {
            CountedBuffer<int> buffer = CountedBuffer<int>.Rent(_pool, 100, budget);
            CountedSlice<int> slice = buffer.Slice();
            buffer.Dispose();
            if (passesOn)
            {
                Worker.RunOnce(slice.Dispose);
            }
            else
            {
                slice.Dispose();
            }
        }

        using (SequenceBuilder<int> builder = new(_pool, budget))
        using (PooledWriter<int> writer = new(_pool, budget: budget))
        {
            builder.Write([1, 2]);
            writer.Write([1, 2]);
            builder.Slice(0, 1).Dispose();
            writer.Detach().Dispose();
            builder.Detach().Dispose();
        }

        Assert.Equal(0, budget.InUse);
        return new WeakReference<BufferBudget>(budget);
    }
}
