using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class IdleGarbageTests
{
    private const long Burst = 100 << 20;

    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly List<bool> _collections = [];
    private bool _isEnabled = true;
    private long _heap = Burst;

    /// <summary>The full collections that have ended.</summary>
    private long _ended;

    /// <summary>The processor time used for each second that passes.</summary>
    private double _load;

    public IdleGarbageTests() => _clock.Trim.Garbage = new IdleGarbage(_clock.Trim)
    {
        IsEnabled = () => _isEnabled,
        ProcessorTime = () => _clock.Trim.Now * _load,
        HeapBytes = () => _heap,
        EndedCollections = () => _ended,
        Collect = _collections.Add,
    };

    [Fact]
    public void A_burst_that_several_pools_give_up_one_after_the_other_causes_one_collection()
    {
        BufferPool<byte> quick = Create<byte>(TimeSpan.FromSeconds(8));
        BufferPool<int> slow = Create<int>(TimeSpan.FromSeconds(30));
        Use(quick);
        Use(slow);
        for (int second = 0; second < 60; second++)
        {
            if (slow.Core.Trimmer.KeptBytes > Burst / 4)
            {
                Assert.Empty(_collections);
            }

            _clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(Assert.Single(_collections));
        _clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Single(_collections);
        Assert.False(_clock.Trim.IsRunning);

        Use(quick);
        _clock.Advance(TimeSpan.FromSeconds(17));
        Assert.Equal(2, _collections.Count);
    }

    [Fact]
    public void What_a_pool_dropped_at_its_cap_counts_too()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Clock = _clock.Trim,
            Checks = BufferChecks.None,
            MaxRetainedBytes = 1 << 20,
            IdleTimeout = TimeSpan.FromSeconds(8),
        });
        Use(pool);
        _clock.Advance(TimeSpan.FromSeconds(20));
        Assert.Single(_collections);
    }

    [Fact]
    public void A_busy_program_is_left_alone_until_it_is_idle()
    {
        BufferPool<byte> pool = Create<byte>(TimeSpan.FromSeconds(8));
        _load = 0.2;
        Use(pool);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Empty(_collections);
        _load = 0.001;
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Single(_collections);
    }

    [Theory]
    [InlineData(IdleGarbage.LeastBytes - 1, 0, false)]
    [InlineData(IdleGarbage.LeastBytes, 0, true)]
    [InlineData(Burst, 20 * Burst, false)]
    [InlineData(2 * Burst, 20 * Burst, true)]
    public void Little_memory_is_not_worth_a_collection(long bytes, long heap, bool collects)
    {
        _heap = heap;
        _clock.Trim.Garbage.Add(bytes);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(collects ? 1 : 0, _collections.Count);
        _ended++;
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(collects ? 1 : 0, _collections.Count);
        Assert.False(_clock.Trim.IsRunning);

        _clock.Trim.Garbage.Add(2 * Burst);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(collects ? 2 : 1, _collections.Count);
    }

    [Fact]
    public void What_a_program_keeps_using_does_not_put_the_collection_off_for_long()
    {
        BufferPool<byte> pool = Create<byte>(TimeSpan.FromSeconds(8));
        byte[][] used = [.. Enumerable.Range(0, 200).Select(_ => pool.Rent(900_000))];
        byte[] once = pool.Rent(8_000_000);
        pool.Return(once);
        for (int i = 0; i < 600; i++)
        {
            Array.ForEach(used, array => pool.Return(array));
            used = [.. Enumerable.Range(0, 200).Select(_ => pool.Rent(900_000))];
            _clock.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.Single(_collections);
    }

    [Fact]
    public void A_large_living_heap_is_collected_without_stopping_it_and_once()
    {
        _heap = (10 * Burst) + Burst;
        _clock.Trim.Garbage.Add(Burst);
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.False(Assert.Single(_collections));
        _ended++;
        _heap = 10 * Burst;
        _clock.Advance(TimeSpan.FromHours(1));
        Assert.Single(_collections);
        Assert.False(_clock.Trim.IsRunning);
    }

    /// <summary>What lived seemed to be large, but was garbage of the program's own.</summary>
    [Fact]
    public void What_a_collection_in_the_background_left_is_looked_at_when_it_has_ended()
    {
        _heap = 11 * Burst;
        _clock.Trim.Garbage.Add(Burst);
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal([false], _collections);

        // It still runs.
        _heap = Burst;
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal([false], _collections);

        // The program is busy again.
        _ended++;
        _load = 0.2;
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal([false], _collections);
        _load = 0.001;
        _clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal([false, true], _collections);
        _ended++;
        _clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal([false, true], _collections);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void Nothing_happens_unless_it_is_asked_for()
    {
        _isEnabled = false;
        BufferPool<byte> pool = Create<byte>(TimeSpan.FromSeconds(8));
        Use(pool);
        pool.Trim();
        _clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Empty(_collections);
    }

    private static void Use<T>(BufferPool<T> pool)
    {
        T[][] rented = [.. Enumerable.Range(0, 50).Select(_ => pool.Rent(500_000))];
        Array.ForEach(rented, array => pool.Return(array));
    }

    private BufferPool<T> Create<T>(TimeSpan idleTimeout) => BufferPool<T>.Create(new BufferPoolOptions
    {
        Clock = _clock.Trim,
        Checks = BufferChecks.None,
        IdleTimeout = idleTimeout,
    });
}
