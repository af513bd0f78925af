using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BufferPoolStressTests
{
    private readonly ManualClock _clock = new();
    private readonly int _seed = Random.Shared.Next();

    private BufferPool<long> Create(long cap, BufferChecks checks = BufferChecks.None) => BufferPool<long>.Create(new BufferPoolOptions
    {
        MaxRetainedBytes = cap,
        IdleTimeout = TimeSpan.FromSeconds(1),
        Checks = checks,
        Clock = _clock.Trim,
    });

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(64)]
    public void Left_alone(int threads) => new PoolStorm(Create(1 << 28), threads, StressLength.Duration).Run(_seed);

    [Theory]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(64)]
    public void Trimmed_ticked_and_traced_at_the_same_time_under_a_cap_that_is_never_exceeded(int threads)
    {
        const long cap = 8 << 20;
        BufferPool<long> pool = Create(cap);
        Random random = new(_seed);
        new PoolStorm(pool, threads, StressLength.Duration).Run(
            _seed,
            () => pool.Trim(),
            () =>
            {
                _clock.MemoryIsScarce = random.Next(4) == 0;
                _clock.Advance(TimeSpan.FromMilliseconds(random.Next(600)));
            },
            ToggleTracing,
            () => AssertWithinCap(pool, cap));
    }

    [Theory]
    [InlineData(4)]
    public void Under_a_cap_that_is_always_reached(int threads)
    {
        const long cap = 200_000;
        BufferPool<long> pool = Create(cap);
        new PoolStorm(pool, threads, StressLength.Duration).Run(_seed, () => AssertWithinCap(pool, cap));
    }

    [Theory]
    [InlineData(4)]
    public void Trimmed_without_pause(int threads)
    {
        BufferPool<long> pool = Create(1 << 28);
        new PoolStorm(pool, threads, StressLength.Duration).Run(_seed, () =>
        {
            for (int i = 0; i < 200; i++)
            {
                pool.Trim();
            }
        });
    }

    [Fact]
    public void With_all_checks_on()
    {
        BufferPool<long> pool = Create(1 << 26, BufferChecks.All);
        new PoolStorm(pool, threads: 4, StressLength.Duration).Run(_seed, () => pool.Trim());
    }

    [Fact]
    public void With_returns_checked()
    {
        BufferPool<long> pool = Create(1 << 26, BufferChecks.Returns | BufferChecks.SampledLeaks);
        new PoolStorm(pool, threads: 4, StressLength.Duration).Run(_seed, () => pool.Trim(), ToggleTracing);
    }

    private static void AssertWithinCap(BufferPool<long> pool, long cap)
    {
        for (int i = 0; i < 100; i++)
        {
            Assert.InRange(pool.Core.Budget.Granted, 0, cap);
            Assert.InRange(pool.GetStatistics().RetainedBytes, 0, cap);
        }
    }

    private static void ToggleTracing()
    {
        using TracingListener listener = new();
        Thread.Sleep(5);
    }
}
