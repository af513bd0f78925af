using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The costs of a thread's first use of a pool.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class FirstUseTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    [Fact]
    public void A_thread_joins_the_directory_at_its_fourth_use()
    {
        PutOneIntoDepot();
        using Worker worker = new();
        worker.Run(() => _pool.Return(_pool.Rent(1000)));
        Assert.False(worker.Run(HasJoined));
        worker.Run(() => _pool.Return(_pool.Rent(1000)));
        Assert.True(worker.Run(HasJoined));
        Assert.Equal(1, worker.Run(() => PoolThreads.Find(_pool.Core.Index)?.Find(IndexOf1000)?.FreeCount));
        Assert.Equal((1, 3, 3), (_pool.GetStatistics().Allocated, _pool.GetStatistics().Rented, _pool.GetStatistics().Returned));
        _pool.Core.Validate();
    }

    [Fact]
    public void A_pool_gets_a_section_at_its_fourth_use_by_a_thread_that_used_others()
    {
        for (int use = 0; use < 10; use++)
        {
            _pool.Return(_pool.Rent(1000));
        }

        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        pool.Return(pool.Rent(1000));
        byte[] array = pool.Rent(1000);
        Assert.Empty(pool.Core.GetSections());
        pool.Return(array);
        Assert.Single(pool.Core.GetSections());
        Assert.Same(array, pool.Rent(1000));
        Assert.Equal((1, 3, 2), (pool.GetStatistics().Allocated, pool.GetStatistics().Rented, pool.GetStatistics().Returned));
        pool.Core.Validate();
    }

    [Fact]
    public void A_thread_that_finds_nothing_joins_at_once()
    {
        using Worker worker = new();
        worker.Run(() => _pool.Return(_pool.Rent(1000)));
        Assert.True(worker.Run(HasJoined));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Whatever_it_found_first_a_thread_keeps_its_buffer_in_the_top_slot(bool isDepotFilled)
    {
        if (isDepotFilled)
        {
            PutOneIntoDepot();
        }

        using Worker worker = new();
        for (int use = 0; use < 5; use++)
        {
            worker.Run(() => _pool.Return(_pool.Rent(1000)));
        }

        CacheEntry entry = worker.Run(() => PoolThreads.Find(_pool.Core.Index)!.Entries[IndexOf1000]);
        Assert.NotNull(entry.Top);
        Assert.Equal((1, 0), (entry.IsTopFree, entry.Count));
    }

    [Fact]
    public void Threads_that_use_pools_once_each_go_round_one_buffer()
    {
        for (int thread = 0; thread < 20; thread++)
        {
            Worker.RunOnce(() => _pool.Return(_pool.Rent(1000)));
        }

        Assert.Equal((1, 20, 20), (_pool.GetStatistics().Allocated, _pool.GetStatistics().Rented, _pool.GetStatistics().Returned));
        Assert.Empty(_pool.Core.GetSections());
    }

    [Fact]
    public void The_cache_of_an_ended_thread_is_collected()
    {
        WeakReference section = SectionOfEndedThread();
        _pool.Trim();
        Eventually.TrueAfterCollections(() => !section.IsAlive, "the section is collected");
    }

    private uint IndexOf1000 => _pool.Core.IndexOf(1000);

    private static bool HasJoined() => PoolThreads.Local.Directory != 0;

    private void PutOneIntoDepot() => Worker.RunOnce(() => _pool.Return(_pool.Rent(1000)));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference SectionOfEndedThread()
    {
        WeakReference? section = null;
        Worker.RunOnce(() =>
        {
            for (int use = 0; use < 10; use++)
            {
                _pool.Return(_pool.Rent(1000));
            }

            CacheSection? mine = PoolThreads.Find(_pool.Core.Index);
            Assert.NotNull(mine);
            section = new WeakReference(mine);
        });
        return section!;
    }
}
