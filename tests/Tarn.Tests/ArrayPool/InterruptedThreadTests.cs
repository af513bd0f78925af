using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Threads that are interrupted while they rent and return.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class InterruptedThreadTests
{
    private const int Threads = 8;

    public static TheoryData<string, BufferChecks, long> Pools => new()
    {
        { "plain", BufferChecks.None, 1L << 26 },
        { "at its cap", BufferChecks.None, 200_000 },
        { "checked", BufferChecks.Returns | BufferChecks.UseAfterReturn, 1L << 26 },
    };

    [Theory]
    [MemberData(nameof(Pools))]
    public void No_call_throws_and_nothing_is_left_half_done(string name, BufferChecks checks, long cap)
    {
        ManualClock clock = new();
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions
        {
            Name = name,
            Checks = checks,
            MaxRetainedBytes = cap,
            IdleTimeout = TimeSpan.FromSeconds(1),
            Clock = clock.Trim,
        });

        InterruptStorm storm = new(pool, Threads, StressLength.Duration);
        storm.Run(seed: 5, () => clock.Advance(TimeSpan.FromMilliseconds(300)));
        Assert.True(storm.Operations > 0);
    }
}
