using Tarn.Tests.Support;

namespace Tarn.Tests.Caching;

/// <summary>The room of a pool's threads: what one thread alone may have, what several may, and that it is given back.</summary>
public sealed class ThreadRoomTests
{
    private const long Cap = 1 << 30;
    private const long Mi = 1 << 20;

    private readonly MemoryBudget _all = new(Cap);
    private readonly ThreadRoom _room;

    public ThreadRoomTests() => _room = new ThreadRoom(_all);

    [Fact]
    public void One_thread_alone_may_have_half_of_the_cap()
    {
        _room.AddThreads(1);
        Assert.True(_room.TryReserve(Cap / 2, isGuaranteed: false));
        Assert.False(_room.TryReserve(1, isGuaranteed: false));
        Assert.False(_room.TryReserve(1, isGuaranteed: true));
        Assert.Equal(Cap / 2, _room.Granted);
    }

    [Theory]
    [InlineData(2, 0)]
    [InlineData(2, 100)]
    [InlineData(32, 0)]
    [InlineData(32, 100)]
    public void Several_threads_have_an_amount_each_and_a_quarter_of_what_the_depots_have(int threads, long depotsMi)
    {
        _room.AddThreads(threads);
        Assert.True(_all.TryReserve(depotsMi * Mi));
        long most = (threads * ThreadRoom.BytesPerThread) + (depotsMi * Mi / 4);
        Reserve(most);
        Assert.False(_room.TryReserve(1, isGuaranteed: false));

        // What is a class's own is not refused because other classes came first.
        Reserve(Mi, isGuaranteed: true);
    }

    [Fact]
    public void Room_that_one_thread_alone_had_stays_when_others_come_and_grows_no_more()
    {
        _room.AddThreads(1);
        Reserve(100 * Mi);
        _room.AddThreads(1);
        Assert.False(_room.TryReserve(1, isGuaranteed: false));
        _room.Release(100 * Mi);
        _all.Release(100 * Mi);
        Reserve(2 * ThreadRoom.BytesPerThread);
        Assert.False(_room.TryReserve(1, isGuaranteed: false));
    }

    [Fact]
    public void A_thread_is_not_alone_while_others_without_a_cache_use_the_pool()
    {
        _room.NoteVisit();
        _room.AddThreads(1);
        Assert.Equal(Cap / 2, _room.Limit);
        _room.NoteVisit();
        Assert.Equal(ThreadRoom.BytesPerThread, _room.Limit);
        _room.EndVisits();
        Assert.Equal(Cap / 2, _room.Limit);
    }

    [Fact]
    public void A_refused_request_takes_nothing()
    {
        _room.AddThreads(2);
        Assert.False(_room.TryReserve(3 * ThreadRoom.BytesPerThread, isGuaranteed: false));
        Assert.Equal(0, _room.Granted);
    }

    /// <summary>The part of the bound that a thread's own buffers of all classes add.</summary>
    [Theory]
    [InlineData(1 << 20)]
    [InlineData(1 << 26)]
    [InlineData(long.MaxValue)]
    public void Over_all_classes_a_threads_own_is_little(long cap)
    {
        PoolCore core = new(
            new BufferPoolOptions { Name = "own", MaxRetainedBytes = cap, Clock = new ManualClock(followsCollections: false).Trim }, 1, 0);
        long own = 0;
        for (uint index = core.IndexOf(1); index <= core.IndexOf(core.MaxLength); index++)
        {
            ArrayClass shared = core.ClassOf(index);
            own += shared.Room.Guaranteed * shared.Bytes;
        }

        Assert.InRange(own, 0, Math.Min(384 << 10, cap / 16));
    }

    [Fact]
    public void A_thread_counts_from_its_first_use_until_it_is_idle()
    {
        ManualClock clock = new(followsCollections: false);
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Checks = BufferChecks.None,
            Clock = clock.Trim,
            IdleTimeout = TimeSpan.FromSeconds(10),
        });
        using Worker first = new();
        using Worker second = new();
        first.Run(() => Use(pool));
        second.Run(() => Use(pool));
        Assert.Equal(2, pool.Core.ThreadRoom.Threads);
        for (int i = 0; i < 20; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            first.Run(() => Use(pool));
        }

        Assert.Equal(1, pool.Core.ThreadRoom.Threads);
        pool.Trim();
        Assert.Equal((0, 0L), (pool.Core.ThreadRoom.Threads, pool.Core.ThreadRoom.Granted));
        pool.Core.Validate();
    }

    /// <summary>Its own first uses, before it has a cache, are not another thread's.</summary>
    [Fact]
    public void A_thread_that_alone_uses_a_pool_keeps_a_buffer_larger_than_its_part()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using Worker worker = new();
        worker.Run(() => Use(pool, length: 2 << 20));
        Assert.True(pool.Core.ThreadRoom.Granted >= 2 << 20, $"granted are {pool.Core.ThreadRoom.Granted} bytes");
    }

    private static void Use(BufferPool<byte> pool, int length = 1000)
    {
        for (int i = 0; i < 10; i++)
        {
            pool.Return(pool.Rent(length));
        }
    }

    private void Reserve(long bytes, bool isGuaranteed = false)
    {
        Assert.True(_room.TryReserve(bytes, isGuaranteed));
        Assert.True(_all.TryReserve(bytes));
    }
}
