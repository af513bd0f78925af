using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Leases whose bytes are taken from a budget.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetedLeaseTests
{
    private readonly BufferPool<int> _pool = BufferPool<int>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
    private readonly BufferBudget _budget = new(1_000, "leases");

    [Fact]
    public async Task A_lease_takes_its_bytes_until_it_is_disposed()
    {
        IMemoryOwner<int> first = _budget.LeaseMemory(_pool, 100);
        IMemoryOwner<int> second = _budget.TryLeaseMemory(_pool, 100)!;
        Assert.Equal((800, 100, 100), (_budget.InUse, first.Memory.Length, second.Memory.Length));
        Assert.Null(_budget.TryLeaseMemory(_pool, 51));
        Assert.Throws<BufferBudgetExceededException>(() => _budget.LeaseMemory(_pool, 51));
        Task<IMemoryOwner<int>> waiting = _budget.LeaseMemoryAsync(_pool, 51).AsTask();
        Assert.False(waiting.IsCompleted);
        first.Dispose();
        first.Dispose();
        using IMemoryOwner<int> third = await waiting;
        third.Memory.Span.Fill(7);
        Assert.Equal(604, _budget.InUse);
        Assert.Throws<ObjectDisposedException>(() => first.Memory);
        second.Dispose();
        using IMemoryOwner<int> empty = await _budget.LeaseMemoryAsync(_pool, 0, TimeSpan.Zero);
        Assert.Equal((204, 204), (_budget.InUse, _pool.GetStatistics().Rented == 3 ? 204 : 0));
    }

    [Fact]
    public void A_pinned_lease_keeps_its_bytes_until_the_last_pin_is_released()
    {
        IMemoryOwner<int> owner = _budget.LeaseMemory(_pool, 100);
        owner.Memory.Span[3] = 42;
        MemoryHandle pin = owner.Memory[3..].Pin();
        owner.Dispose();
        Assert.Equal(400, _budget.InUse);
        unsafe
        {
            Assert.Equal(42, *(int*)pin.Pointer);
        }

        pin.Dispose();
        Assert.Equal((0, 0), (_budget.InUse, _pool.GetStatistics().InUseBytes));
    }

    [Fact]
    public async Task The_bytes_of_a_lost_lease_return_when_it_is_collected()
    {
        Lose();
        Task<IMemoryOwner<int>> waiting = _budget.LeaseMemoryAsync(_pool, 250).AsTask();
        Eventually.TrueAfterCollections(() => waiting.IsCompleted, "the lost bytes return");
        (await waiting).Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Fact]
    public async Task A_refused_or_cancelled_lease_rents_nothing()
    {
        using CancellationTokenSource source = new();
        _budget.Take(1_000);
        Task<IMemoryOwner<int>> waiting = _budget.LeaseMemoryAsync(_pool, 10, source.Token).AsTask();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => _budget.LeaseMemoryAsync(_pool, 1, TimeSpan.Zero).AsTask());
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => _budget.LeaseMemoryAsync(_pool, 251).AsTask());
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => _budget.LeaseMemory(_pool, -1)).ParamName);
        Assert.Equal("pool", Assert.Throws<ArgumentNullException>(() => _budget.LeaseMemory<int>(null!, 1)).ParamName);
        Assert.Equal("budget", Assert.Throws<ArgumentNullException>(() => ((BufferBudget)null!).TryLeaseMemory(_pool, 1)).ParamName);
        Assert.Equal((0, 1_000), (_pool.GetStatistics().Rented, _budget.InUse));
    }

    [Fact]
    public void A_lease_for_which_there_is_no_memory_takes_nothing()
    {
        BufferBudget large = new(long.MaxValue);
        BufferPool<decimal> pool = BufferPool<decimal>.Create();
        Assert.Throws<OutOfMemoryException>(() => large.LeaseMemory(pool, int.MaxValue));
        Assert.Equal(0, large.InUse);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Lose() => _ = _budget.LeaseMemory(_pool, 100);
}
