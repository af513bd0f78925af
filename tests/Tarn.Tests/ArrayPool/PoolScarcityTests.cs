using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Timeouts out of the ordinary, and memory that is scarce.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PoolScarcityTests : PoolWithManualClock
{
    [Fact]
    public void An_infinite_timeout_keeps_idle_buffers_until_a_trim_is_asked_for()
    {
        BufferPool<byte> pool = Create(idle: Timeout.InfiniteTimeSpan);
        RentAndReturn(pool, 1000, 100);
        pool.Return(pool.RentExact(1001));
        _clock.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal((100 * 1024) + 1001, pool.GetStatistics().RetainedBytes);
        pool.Trim();
        AssertNothingKept(pool);
    }

    [Fact]
    public void An_infinite_timeout_does_not_keep_a_checked_pool_from_reusing_quarantined_buffers()
    {
        BufferPool<byte> pool = Create(idle: Timeout.InfiniteTimeSpan, checks: BufferChecks.All);
        RentAndReturn(pool, 1000, 30);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(30 * 1024, pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void An_infinite_timeout_gives_idle_buffers_up_when_memory_is_scarce()
    {
        BufferPool<byte> pool = Create(idle: Timeout.InfiniteTimeSpan);
        RentAndReturn(pool, 1000, 100);
        _clock.MemoryIsScarce = true;
        _clock.Advance(TimeSpan.FromMinutes(10));
        AssertNothingKept(pool);
    }

    [Fact]
    public void The_longest_timeout_there_is_does_not_break_the_timer()
    {
        BufferPool<byte> pool = Create(idle: TimeSpan.MaxValue);
        RentAndReturn(pool, 1000, 10);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(10 * 1024, pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void Scarce_memory_takes_idle_buffers_at_once_and_leaves_those_in_use()
    {
        BufferPool<byte> pool = Create();
        using Worker worker = new();
        worker.Run(() => RentAndReturn(pool, 1000, 500));
        RentAndReturn(pool, 3000, 1);
        _clock.MemoryIsScarce = true;
        for (int i = 0; i < 20; i++)
        {
            RentAndReturn(pool, 3000, 1);
            _clock.Advance(s_idle / 20);
        }

        // One timeout, not two, has passed: untouched buffers are gone, and the buffer in steady use was allocated once.
        Assert.Equal(501, pool.GetStatistics().Allocated);
        Assert.Equal(3072, pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void Steady_work_allocates_nothing_in_the_long_run_while_memory_stays_scarce()
    {
        BufferPool<byte> pool = Create();
        _clock.MemoryIsScarce = true;
        Work();
        long warm = pool.GetStatistics().Allocated;
        Work();
        Work();
        Assert.Equal(warm, pool.GetStatistics().Allocated);

        void Work()
        {
            for (int i = 0; i < 100; i++)
            {
                RentAndReturn(pool, 1000, 20);
                RentAndReturn(pool, 50_000, 2);
                _clock.Tick();
                _clock.Advance(s_idle / 20);
            }
        }
    }

    [Fact]
    public void The_cap_is_whole_again_after_memory_was_scarce()
    {
        BufferPool<byte> pool = Create(cap: 1 << 20);
        RentAndReturn(pool, 1000, 500);
        _clock.MemoryIsScarce = true;
        for (int i = 0; i < 20; i++)
        {
            _clock.Tick();
        }

        Assert.True(pool.Core.Budget.Limit < 1 << 20);
        _clock.MemoryIsScarce = false;
        for (int i = 0; i < 20; i++)
        {
            RentAndReturn(pool, 1000, 5);
            _clock.Advance(s_idle / 4);
        }

        Assert.Equal(1 << 20, pool.Core.Budget.Limit);
    }

    [Fact]
    public void A_pool_that_scarcity_emptied_keeps_large_buffers_again()
    {
        // The cut cap is less than one of these buffers: when nothing can be kept, nothing wakes the clock that would raise it.
        BufferPool<byte> pool = Create(cap: 1 << 20);
        RentAndReturn(pool, 100_000, 1);
        _clock.MemoryIsScarce = true;
        _clock.Advance(s_idle * 2);
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        _clock.MemoryIsScarce = false;
        for (int i = 0; i < 100; i++)
        {
            RentAndReturn(pool, 100_000, 1);
            _clock.Advance(s_idle / 20);
        }

        long warm = pool.GetStatistics().Allocated;
        RentAndReturn(pool, 100_000, 1);
        Assert.Equal(warm, pool.GetStatistics().Allocated);
    }
}
