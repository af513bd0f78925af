using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Memory that goes back, by a clock that the test moves.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PoolTrimTests : PoolWithManualClock
{
    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(70)]
    [InlineData(1000)]
    public void Idle_buffers_in_any_tier_go_within_twice_the_timeout(int depth)
    {
        BufferPool<byte> pool = Create();
        using Worker worker = new();
        worker.Run(() => RentAndReturn(pool, 1000, depth));
        RentAndReturn(pool, 3000, depth);
        Assert.True(pool.GetStatistics().RetainedBytes >= depth * 4000);
        _clock.Advance(s_idle / 2);
        Assert.True(pool.GetStatistics().RetainedBytes >= depth * 4000, "It went too early.");

        _clock.Advance(s_idle * 1.5);
        AssertNothingKept(pool);
        Assert.Equal(pool.GetStatistics().Allocated, pool.GetStatistics().Trimmed);
    }

    [Fact]
    public void Exact_lengths_go_within_twice_the_timeout()
    {
        BufferPool<byte> pool = Create();
        byte[][] exact = [.. Enumerable.Range(0, 10).Select(_ => pool.RentExact(1001))];
        Array.ForEach(exact, array => pool.Return(array));
        Assert.Equal(10 * 1001, pool.GetStatistics().RetainedBytes);
        _clock.Advance(s_idle * 2);
        AssertNothingKept(pool);
    }

    [Fact]
    public void Exact_lengths_that_lie_idle_go_while_one_of_the_same_length_is_in_steady_use()
    {
        BufferPool<byte> pool = Create();
        byte[][] exact = [.. Enumerable.Range(0, 10).Select(_ => pool.RentExact(1001))];
        Array.ForEach(exact, array => pool.Return(array));
        for (int i = 0; i < 60; i++)
        {
            pool.Return(pool.RentExact(1001));
            _clock.Advance(s_idle / 20);
        }

        Assert.Equal(1001, pool.GetStatistics().RetainedBytes);
        Assert.Equal(10, pool.GetStatistics().Allocated);
    }

    [Fact]
    public void The_quarantine_of_a_checked_pool_goes_too()
    {
        BufferPool<byte> pool = Create(checks: BufferChecks.All);
        RentAndReturn(pool, 1000, 30);
        Assert.Equal(30 * 1024, pool.GetStatistics().RetainedBytes);
        _clock.Advance(s_idle * 2);
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void Trimmed_buffers_are_unreachable_through_stale_references_too()
    {
        BufferPool<byte> pool = Create();
        using Worker worker = new();
        WeakReference[] here = RentAndReturn(pool, 1000, 200);
        WeakReference[] there = worker.Run(() => RentAndReturn(pool, 5000, 200));
        WeakReference[] handedOver = HandOver(pool, worker);
        WeakReference[] exact = RentAndReturnExact(pool, 1001, 10);
        _clock.Advance(s_idle * 2);
        AssertNothingKept(pool);
        WeakReference[] all = [.. here, .. there, .. handedOver, .. exact];
        Eventually.TrueAfterCollections(() => !Array.Exists(all, static array => array.IsAlive), "every idle buffer is collected");
        GC.KeepAlive(pool);
    }

    [Theory]
    [InlineData(1, 40)]
    [InlineData(1, 130)]
    [InlineData(1, 1000)]
    [InlineData(3, 100)]
    [InlineData(20, 129)]
    [InlineData(65, 129)]
    public void The_rest_of_a_burst_goes_while_its_thread_keeps_using_a_few(int used, int burst)
    {
        BufferPool<byte> pool = Create();
        RentAndReturn(pool, 1000, burst);
        for (int i = 0; i < 60; i++)
        {
            RentAndReturn(pool, 1000, used);
            _clock.Advance(s_idle / 20);
        }

        // One buffer is in the top slot. Of the buffers behind it, a thread keeps at most twice the number it uses.
        Assert.InRange(pool.GetStatistics().RetainedBytes, 1024, Math.Max(1, 2 * (used - 1)) * 1024);
        pool.Core.Validate();

        long allocated = pool.GetStatistics().Allocated;
        for (int i = 0; i < 100; i++)
        {
            RentAndReturn(pool, 1000, used);
            _clock.Advance(s_idle / 20);
        }

        Assert.InRange(pool.GetStatistics().Allocated - allocated, 0, used);
    }

    [Fact]
    public void Room_for_a_burst_that_ended_elsewhere_goes_while_its_thread_keeps_using_one()
    {
        BufferPool<byte> pool = Create();
        using Worker worker = new();
        WeakReference[] burst = RentHereReturnThere(pool, worker);
        for (int i = 0; i < 60; i++)
        {
            RentAndReturn(pool, 1000, 1);
            _clock.Advance(s_idle / 20);
        }

        Assert.Equal(1024, pool.GetStatistics().RetainedBytes);
        Assert.Equal(1024, pool.Core.Budget.Granted);
        Eventually.TrueAfterCollections(
            () => burst.Count(static array => array.IsAlive) <= 1, "no stale reference keeps buffers that others gave up");
        GC.KeepAlive(pool);
    }

    [Fact]
    public void The_rest_of_a_burst_goes_in_time_though_the_timer_jitters()
    {
        // The first watch ends a little late, so that the second is a little short: that must not cost a whole further tick.
        BufferPool<byte> pool = Create();
        TimeSpan tick = s_idle / 4;
        TimeSpan jitter = TimeSpan.FromMilliseconds(5);
        RentAndReturn(pool, 1000, 100);
        for (int i = 1; i <= 8; i++)
        {
            RentAndReturn(pool, 1000, 1);
            _clock.Wait(tick + (i == 4 ? jitter : i == 5 ? -jitter : TimeSpan.Zero));
            _clock.Tick();
        }

        Assert.Equal(1024, pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void A_thread_that_only_rents_gives_up_the_rest_of_the_magazine_it_fetched()
    {
        BufferPool<byte> pool = Create();
        using Worker renter = new();
        RentAndReturn(pool, 1000, 500);
        byte[] held = renter.Run(() => pool.Rent(1000));
        pool.Core.Validate();
        _clock.Advance(s_idle * 2);
        AssertNothingKept(pool);
        pool.Return(held);
    }

    [Fact]
    public void A_thread_that_fetched_a_magazine_keeps_no_more_than_was_granted()
    {
        BufferPool<byte> pool = Create();
        using Worker renter = new();
        RentAndReturn(pool, 1000, 500);
        renter.Run(() =>
        {
            byte[] first = pool.Rent(1000);
            byte[] second = pool.Rent(1000);
            pool.Return(first);
            pool.Return(second);
            RentAndReturn(pool, 1000, 3);
        });
        pool.Core.Validate();
        RentAndReturn(pool, 1000, 600);
        renter.Run(() => RentAndReturn(pool, 1000, 400));
        pool.Core.Validate();
    }

    [Fact]
    public void A_trim_that_is_asked_for_takes_everything_that_is_idle_and_nothing_that_is_in_use()
    {
        BufferPool<byte> pool = Create();
        byte[] held = pool.Rent(1000);
        held.AsSpan().Fill(7);
        using Worker worker = new();
        worker.Run(() => RentAndReturn(pool, 1000, 100));
        RentAndReturn(pool, 200, 100);
        pool.Return(pool.RentExact(333));
        long retained = pool.GetStatistics().RetainedBytes;
        Assert.Equal(retained, pool.Trim());
        AssertNothingKept(pool);
        Assert.Equal(0, pool.Trim());
        Assert.Equal(1024, pool.GetStatistics().InUseBytes);
        Assert.Equal(-1, held.AsSpan().IndexOfAnyExcept((byte)7));
        pool.Return(held);
        Assert.Equal(1024, pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void The_timer_runs_only_while_something_is_kept()
    {
        BufferPool<byte> pool = Create();
        Assert.False(_clock.Trim.IsRunning);
        byte[] array = pool.Rent(100);
        Assert.False(_clock.Trim.IsRunning);
        pool.Return(array);
        Assert.True(_clock.Trim.IsRunning);
        _clock.Advance(s_idle * 2);
        Assert.False(_clock.Trim.IsRunning);
        pool.Return(pool.Rent(100));
        Assert.True(_clock.Trim.IsRunning);
        pool.Return(pool.RentExact(101));
        _clock.Advance(s_idle * 2);
        Assert.False(_clock.Trim.IsRunning);
        pool.Return(pool.RentExact(101));
        Assert.True(_clock.Trim.IsRunning);
    }

    [Fact]
    public void The_timer_forgets_a_pool_that_is_gone()
    {
        KeepAndDrop();
        Eventually.TrueAfterCollections(
            () =>
            {
                _clock.Tick();
                return !_clock.Trim.IsRunning;
            },
            "the clock stops");

        [MethodImpl(MethodImplOptions.NoInlining)]
        void KeepAndDrop() => Worker.RunOnce(() => RentAndReturn(Create(), 100, 3));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] RentAndReturnExact(BufferPool<byte> pool, int length, int depth)
    {
        byte[][] rented = [.. Enumerable.Range(0, depth).Select(_ => pool.RentExact(length))];
        Array.ForEach(rented, array => pool.Return(array));
        return Array.ConvertAll(rented, static array => new WeakReference(array));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] RentHereReturnThere(BufferPool<byte> pool, Worker worker)
    {
        RentAndReturn(pool, 1000, 120);
        byte[][] rented = [.. Enumerable.Range(0, 120).Select(_ => pool.Rent(1000))];
        worker.Run(() => Array.ForEach(rented, array => pool.Return(array)));
        return Array.ConvertAll(rented, static array => new WeakReference(array));
    }

    /// <summary>Back and forth, so that both threads' magazines are left with references to buffers that others hold.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] HandOver(BufferPool<byte> pool, Worker worker)
    {
        List<WeakReference> all = [];
        for (int i = 0; i < 5; i++)
        {
            byte[][] mine = [.. Enumerable.Range(0, 150).Select(_ => pool.Rent(2000))];
            worker.Run(() => Array.ForEach(mine, array => pool.Return(array)));
            byte[][] theirs = worker.Run(() => Enumerable.Range(0, 150).Select(_ => pool.Rent(2000)).ToArray());
            Array.ForEach(theirs, array => pool.Return(array));
            all.AddRange(mine.Concat(theirs).Select(static array => new WeakReference(array)));
        }

        return [.. all];
    }
}
