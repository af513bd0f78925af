using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Threads that end, and pools that are dropped.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ThreadCacheTests
{
    private readonly ManualClock _clock = new();

    private BufferPool<byte> Create(long? cap = 1 << 26) =>
        BufferPool<byte>.Create(new BufferPoolOptions { MaxRetainedBytes = cap, Checks = BufferChecks.None, Clock = _clock.Trim });

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(200)]
    public void The_buffers_of_an_ended_thread_go_to_the_next_thread(int depth)
    {
        BufferPool<byte> pool = Create();
        for (int i = 0; i < 20; i++)
        {
            Worker.RunOnce(() => RentAndReturn(pool, 1000, depth));
            pool.Core.Validate();
        }

        // Where threads of other tests live, a new one may look at a few that live on first, and allocate a little before it finds the
        // ended one.
        BufferPoolStatistics now = pool.GetStatistics();
        Assert.InRange(now.Allocated, depth, 2 * depth);
        Assert.Equal((20 * depth, 20 * depth), (now.Rented, now.Returned));
        Assert.Equal(now.Allocated * 1024, now.RetainedBytes);
    }

    [Fact]
    public void A_thread_that_ended_holding_buffers_loses_nothing_else()
    {
        BufferPool<byte> pool = Create();
        List<byte[]> held = [];
        for (int i = 0; i < 10; i++)
        {
            Worker.RunOnce(() =>
            {
                held.Add(pool.Rent(1000));
                RentAndReturn(pool, 1000, 5);
                held.Add(pool.Rent(1000));
            });
        }

        Assert.Equal(20 * 1024, pool.GetStatistics().InUseBytes);
        held.ForEach(array => pool.Return(array));
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        Assert.Equal(pool.GetStatistics().Allocated * 1024, pool.GetStatistics().RetainedBytes);

        // Six for each thread, where other tests' threads keep the pool from finding those that ended here.
        Assert.InRange(pool.GetStatistics().Allocated, 20, 10 * 6);
        pool.Core.Validate();
    }

    [Fact]
    public void The_clock_alone_takes_over_from_threads_that_ended_and_then_lets_go()
    {
        BufferPool<byte> pool = Create();
        Worker.RunOnce(() => RentAndReturn(pool, 1000, 100));
        _clock.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(0, pool.Core.Budget.Granted);
        Assert.False(_clock.Trim.IsRunning);
        Assert.Equal(100, pool.GetStatistics().Trimmed);
    }

    [Fact]
    public void Counters_are_exact_while_other_threads_are_born_and_die()
    {
        // Threads that never use this pool sweep the caches of its dead threads. No intermediate state may be visible.
        BufferPool<byte> pool = Create();
        BufferPool<byte> other = Create();
        for (int round = 0; round < 200; round++)
        {
            using (Worker worker = new())
            {
                worker.Run(() => RentAndReturn(pool, 1000, 100));
            }

            Thread sweeper = new(() => other.Return(other.Rent(1)));
            sweeper.Start();
            while (sweeper.IsAlive)
            {
                BufferPoolStatistics now = pool.GetStatistics();
                if (now.Rented != (round + 1) * 100 || now.Returned != now.Rented || now.RetainedBytes != now.Allocated * 1024)
                {
                    Assert.Fail($"In round {round}: {now}.");
                }
            }

            sweeper.Join();
        }
    }

    [Fact]
    public void A_dropped_pool_is_collected_with_all_it_kept_and_its_index_is_used_again()
    {
        using Worker worker = new();
        (WeakReference core, WeakReference[] arrays, int index) = UseAndDrop(worker);
        Eventually.TrueAfterCollections(
            () => !core.IsAlive && !Array.Exists(arrays, static array => array.IsAlive), "the pool and its buffers are collected");
        List<BufferPool<byte>> next = [];
        Eventually.True(
            () =>
            {
                next.Add(Create());
                return next[^1].Core.Index == index;
            },
            "the index is used again");

        // The threads that served the old pool under this index start again for the new one.
        foreach (BufferPool<byte> pool in next)
        {
            RentAndReturn(pool, 1000, 10);
            worker.Run(() => RentAndReturn(pool, 1000, 10));
            worker.Run(() => RentAndReturn(pool, 3000, 10));
            Assert.Equal(30, pool.GetStatistics().Rented);

            // For the length that both threads rent, one may use buffers that the other handed over.
            Assert.InRange(pool.GetStatistics().Allocated, 20, 30);
            pool.Core.Validate();
        }
    }

    [Fact]
    public void A_lease_keeps_its_pool_alive()
    {
        System.Buffers.IMemoryOwner<byte> owner = LeaseAndDrop();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        owner.Memory.Span.Fill(1);
        owner.Dispose();

        [MethodImpl(MethodImplOptions.NoInlining)]
        System.Buffers.IMemoryOwner<byte> LeaseAndDrop() => Create().LeaseMemory(100);
    }

    [Fact]
    public void Buffers_of_a_dropped_pool_stay_valid()
    {
        byte[] array = RentAndDrop();
        array.AsSpan().Fill(9);
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            RentAndReturn(Create(), 1000, 100);
        }

        Assert.Equal(-1, array.AsSpan().IndexOfAnyExcept((byte)9));

        [MethodImpl(MethodImplOptions.NoInlining)]
        byte[] RentAndDrop()
        {
            BufferPool<byte> pool = Create();
            pool.Return(pool.Rent(1000));
            return pool.Rent(1000);
        }
    }

    [Fact]
    public void Many_pools_on_one_thread_do_not_meet()
    {
        BufferPool<byte>[] pools = [.. Enumerable.Range(0, 100).Select(_ => Create())];
        byte[][] live = Array.ConvertAll(pools, static pool => pool.Rent(1000));
        for (int i = 0; i < pools.Length; i++)
        {
            pools[i].Return(live[i]);
        }

        for (int i = 0; i < pools.Length; i++)
        {
            Assert.Same(live[i], pools[i].Rent(1000));
            Assert.Equal(1, pools[i].GetStatistics().Allocated);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private (WeakReference Core, WeakReference[] Arrays, int Index) UseAndDrop(Worker worker)
    {
        BufferPool<byte> pool = Create();
        List<byte[]> arrays = [.. RentAndReturn(pool, 1000, 150), .. worker.Run(() => RentAndReturn(pool, 1000, 150))];
        return (new WeakReference(pool.Core), [.. arrays.Select(static array => new WeakReference(array))], pool.Core.Index);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] RentAndReturn(BufferPool<byte> pool, int length, int depth)
    {
        byte[][] rented = [.. Enumerable.Range(0, depth).Select(_ => pool.Rent(length))];
        Array.ForEach(rented, array => pool.Return(array));
        return rented;
    }
}
