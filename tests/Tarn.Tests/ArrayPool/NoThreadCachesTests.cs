using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Pools whose threads keep nothing: what one thread returns, any thread finds.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class NoThreadCachesTests : PoolWithManualClock
{
    private const int Length = 64 << 10;

    [Fact]
    public void No_more_buffers_exist_than_were_in_use_at_once_whichever_thread_returns_them()
    {
        BufferPool<byte> pool = Create();
        using Worker first = new();
        using Worker second = new();
        using Worker third = new();
        Worker[] threads = [first, second, third];
        for (int round = 0; round < 50; round++)
        {
            byte[][] rented = threads[round % 3].Run(() => Rent(pool, 40));
            threads[round / 3 % 3].Run(() => Return(pool, rented[..25]));
            threads[(round + 1) % 3].Run(() => Return(pool, rented[25..]));
            pool.Core.Validate();
        }

        BufferPoolStatistics now = pool.GetStatistics();
        Assert.Equal(40, now.Allocated);
        Assert.Equal(40L * Length, now.RetainedBytes);
        Assert.Equal((50 * 40, 50 * 40, 0), (now.Rented, now.Returned, now.InUseBytes));
        Assert.Empty(pool.Core.GetSections());
    }

    [Fact]
    public void Steady_traffic_allocates_nothing_over_many_timeouts()
    {
        BufferPool<byte> pool = Create();
        using Worker here = new();
        using Worker there = new();
        for (int tick = 0; tick < 100; tick++)
        {
            // Between two ticks most buffers are idle, and in every second one only few are needed.
            byte[][] rented = here.Run(() => Rent(pool, tick % 2 == 0 ? 30 : 3));
            there.Run(() => Return(pool, rented));
            _clock.Advance(s_idle / 4);
        }

        Assert.Equal(30, pool.GetStatistics().Allocated);
        Assert.Equal(0, pool.GetStatistics().Trimmed);
        _clock.Advance(s_idle * 2);
        AssertNothingKept(pool);
    }

    private BufferPool<byte> Create() => BufferPool<byte>.Create(new BufferPoolOptions
    {
        MaxRetainedBytes = 1 << 26,
        IdleTimeout = s_idle,
        ThreadCaches = false,
        Checks = BufferChecks.None,
        Clock = _clock.Trim,
    });

    private static byte[][] Rent(BufferPool<byte> pool, int count) => [.. Enumerable.Range(0, count).Select(_ => pool.Rent(Length))];

    private static void Return(BufferPool<byte> pool, byte[][] rented) => Array.ForEach(rented, array => pool.Return(array));
}
