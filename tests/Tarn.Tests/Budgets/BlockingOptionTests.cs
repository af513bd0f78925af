using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Pools, heaps and streams whose synchronous calls block for room in their budget.</summary>
public sealed class BlockingOptionTests
{
    private const int Limit = 64 << 10;

    private readonly BufferBudget _budget = new(Limit, "blocking");

    public static TheoryData<string> Ways => [.. s_ways.Keys];

    /// <summary>Calls that take 8 KiB or a little more of a budget for which they wait; each returns what gives them back.</summary>
    private static readonly Dictionary<string, Func<BufferBudget, TimeSpan, Func<IDisposable>>> s_ways = new()
    {
        ["rent"] = static (budget, timeout) =>
        {
            BufferPool<byte> pool = Create(budget, timeout, BufferChecks.None);
            return () => Return(pool, pool.Rent(8_000));
        },
        ["rent with checks"] = static (budget, timeout) =>
        {
            BufferPool<byte> pool = Create(budget, timeout, BufferChecks.All);
            return () => Return(pool, pool.Rent(8_000));
        },
        ["rent exactly"] = static (budget, timeout) =>
        {
            BufferPool<byte> pool = Create(budget, timeout, BufferChecks.None);
            return () => Return(pool, pool.RentExact(8_001));
        },
        ["lease"] = static (budget, timeout) =>
        {
            BufferPool<byte> pool = Create(budget, timeout, BufferChecks.None);
            return () => pool.LeaseMemory(8_000);
        },
        ["memory pool"] = static (budget, timeout) =>
        {
            MemoryPool<byte> pool = Create(budget, timeout, BufferChecks.None).AsMemoryPool();
            return () => pool.Rent(8_000);
        },
        ["native"] = static (budget, timeout) => Allocate(budget, timeout, BufferChecks.None),
        ["native with checks"] = static (budget, timeout) => Allocate(budget, timeout, BufferChecks.All),
        ["stream"] = static (budget, timeout) =>
        {
            PooledMemoryStreamOptions options = new() { Budget = budget, BudgetTimeout = timeout };
            return () => Write(options);
        },
        ["native stream"] = static (budget, timeout) =>
        {
            NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
            PooledMemoryStreamOptions options = new() { Budget = budget, BudgetTimeout = timeout, Heap = heap };
            return () => Write(options);
        },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_call_waits_until_others_have_returned_their_bytes(string way)
    {
        Func<IDisposable> take = s_ways[way](_budget, TimeSpan.FromMinutes(10));
        take().Dispose();
        Assert.Equal(0, _budget.InUse);
        _budget.Take(Limit);
        Task<IDisposable> taken = Task.Factory.StartNew(take, TaskCreationOptions.LongRunning);
        Eventually.True(() => _budget.Waiting == 1, "the call waits");
        _budget.Return(1_000);
        Assert.False(taken.IsCompleted);
        _budget.Return(Limit - 1_000);
        using IDisposable owner = await taken;
        Assert.InRange(_budget.InUse, 8_000, 12_000);
        owner.Dispose();
        Assert.Equal((0, 0, 0), (_budget.InUse, _budget.Waiting, _budget.Refused));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_call_whose_time_is_over_or_whose_thread_is_interrupted_changes_nothing(string way)
    {
        Func<IDisposable> take = s_ways[way](_budget, TimeSpan.FromMilliseconds(20));
        _budget.Take(Limit);
        BufferBudgetExceededException e = Assert.Throws<BufferBudgetExceededException>(take);
        Assert.Contains("waited 00:00:00.02", e.Message, StringComparison.Ordinal);
        Assert.Equal((Limit, 0, 1), (_budget.InUse, _budget.Waiting, _budget.Refused));

        take = s_ways[way](_budget, Timeout.InfiniteTimeSpan);
        Exception? thrown = null;
        Thread thread = new(() => thrown = Record.Exception(() => take().Dispose()));
        thread.Start();
        Eventually.True(() => _budget.Waiting == 1, "the call waits");
        thread.Interrupt();
        thread.Join();
        Assert.IsType<ThreadInterruptedException>(thrown);
        Assert.Equal((Limit, 0), (_budget.InUse, _budget.Waiting));
        _budget.Return(Limit);
        take().Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Fact]
    public async Task An_asynchronous_write_never_blocks()
    {
        _budget.Take(Limit);
        PooledMemoryStreamOptions options = new() { Budget = _budget, BudgetTimeout = Timeout.InfiniteTimeSpan };
        using PooledMemoryStream stream = new(options);
        Task writing = stream.WriteAsync(new byte[8_000]).AsTask();
        Assert.Equal((1, false), (_budget.Waiting, writing.IsCompleted));
        _budget.Return(Limit);
        await writing;
        Assert.Equal((8_000, 0), (stream.Length, _budget.Refused));
    }

    [Theory]
    [InlineData(100, BufferChecks.None)]
    [InlineData(1_000_000, BufferChecks.None)]
    [InlineData(100, BufferChecks.All)]
    [InlineData(1_000_000, BufferChecks.All)]
    public async Task A_heap_disposed_during_a_wait_refuses_the_call(int size, BufferChecks checks)
    {
        BufferBudget budget = new(2 << 20);
        NativeHeap heap = new(new NativeHeapOptions { Budget = budget, BudgetTimeout = Timeout.InfiniteTimeSpan, Checks = checks });
        heap.AllocateBuffer<byte>(size).Dispose();
        budget.Take(budget.Limit);
        Task<Exception?> call = Task.Factory.StartNew(
            () => (Exception?)Record.Exception(() => heap.AllocateBuffer<byte>(size)), TaskCreationOptions.LongRunning);
        Eventually.True(() => budget.Waiting == 1, "the call waits");
        Task behind = budget.TakeAsync(1).AsTask();
        heap.Dispose();
        await Eventually.Ends(call, "the disposal ends the wait");
        Assert.IsType<ObjectDisposedException>(await call);
        Assert.Equal((budget.Limit, 1), (budget.InUse, budget.Waiting));
        budget.Return(budget.Limit);
        await behind;
        Assert.Equal(1, budget.InUse);
    }

    [Fact]
    public async Task A_lease_blocks_for_its_time_only()
    {
        _budget.Take(Limit);
        Assert.Null(_budget.TryLeaseMemory(BufferPool<byte>.Shared, 10, TimeSpan.FromMilliseconds(1)));
        Task<IMemoryOwner<byte>?> lease = Task.Factory.StartNew(
            () => _budget.TryLeaseMemory(BufferPool<byte>.Shared, 10, Timeout.InfiniteTimeSpan), TaskCreationOptions.LongRunning);
        Eventually.True(() => _budget.Waiting == 1, "the call waits");
        _budget.Return(Limit);
        using (IMemoryOwner<byte>? owner = await lease)
        {
            Assert.Equal((10, 10), (owner!.Memory.Length, _budget.InUse));
        }

        Assert.Equal(0, _budget.InUse);
    }

    private static BufferPool<byte> Create(BufferBudget budget, TimeSpan timeout, BufferChecks checks) =>
        BufferPool<byte>.Create(new BufferPoolOptions { Budget = budget, BudgetTimeout = timeout, Checks = checks });

    private static Func<IDisposable> Allocate(BufferBudget budget, TimeSpan timeout, BufferChecks checks)
    {
        NativeHeap heap = new(new NativeHeapOptions { Budget = budget, BudgetTimeout = timeout, Checks = checks });
        return () => heap.AllocateBuffer<byte>(8_000);
    }

    private static PooledMemoryStream Write(PooledMemoryStreamOptions options)
    {
        PooledMemoryStream stream = new(options);
        try
        {
            stream.Write(new byte[8_000]);
            return stream;
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    private static Returning Return(BufferPool<byte> pool, byte[] array) => new(pool, array);

    private sealed class Returning(BufferPool<byte> pool, byte[] array) : IDisposable
    {
        private byte[]? _array = array;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _array, null) is { } rented)
            {
                pool.Return(rented);
            }
        }
    }
}
