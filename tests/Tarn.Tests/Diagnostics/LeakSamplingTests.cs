namespace Tarn.Tests.Diagnostics;

public sealed class LeakSamplingTests
{
    [Theory]
    [InlineData(BufferChecks.Leaks, 1000)]
    [InlineData(BufferChecks.Leaks | BufferChecks.SampledLeaks, 1000)]
    [InlineData(BufferChecks.SampledLeaks, 1000 / LeakSampling.Interval)]
    [InlineData(BufferChecks.Returns | BufferChecks.SampledLeaks, 1000 / LeakSampling.Interval)]
    [InlineData(BufferChecks.Returns | BufferChecks.UseAfterReturn | BufferChecks.GuardPages, 0)]
    [InlineData(BufferChecks.None, 0)]
    public void Of_a_thousand_buffers_it_picks_all_a_sample_or_none(BufferChecks checks, int picked)
    {
        LeakSampling leaks = new(checks);
        Assert.Equal(picked, Enumerable.Range(0, 1000).Count(_ => leaks.PicksNext()));
    }
}
