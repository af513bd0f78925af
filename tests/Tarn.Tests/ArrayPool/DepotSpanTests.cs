using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>
/// Two causes end a span of the depots' time: the clock, and as many refused buffers as the depots hold. A buffer goes only after two
/// spans that did not need it.
/// </summary>
public sealed class DepotSpanTests
{
    private const int Length = 1024;
    private const int Kept = 10;

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    private readonly ManualClock _clock = new(followsCollections: false);

    [Fact]
    public void A_span_that_the_clock_has_just_ended_is_not_ended_again_by_a_refusal()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Checks = BufferChecks.None,
            ThreadCaches = false,
            MaxRetainedBytes = Kept * Length,
            IdleTimeout = s_idle,
            Clock = _clock.Trim,
        });
        Return(pool, Kept);
        _clock.Advance(s_idle / 2);
        byte[][] needed = [.. Enumerable.Range(0, 4).Select(_ => pool.Rent(Length))];
        Array.ForEach(needed, array => pool.Return(array));
        Return(pool, 63);
        _clock.Advance(s_idle / 2);
        Assert.Equal(Kept * Length, pool.GetStatistics().RetainedBytes);

        // With this buffer, as many were refused as make a span, if those before the tick still counted.
        Return(pool, 1);

        Assert.Equal(Kept * Length, pool.GetStatistics().RetainedBytes);
        pool.Core.Validate();
    }

    private static void Return(BufferPool<byte> pool, int buffers)
    {
        for (int i = 0; i < buffers; i++)
        {
            pool.Return(new byte[Length]);
        }
    }
}
