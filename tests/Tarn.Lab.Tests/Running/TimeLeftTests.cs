using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Running;

public class TimeLeftTests
{
    private readonly SetClock _clock = new();

    [Fact]
    public void Before_a_part_has_finished_the_expectation_stands()
    {
        var left = new TimeLeft([10, 30], _clock);
        _clock.Seconds = 25;
        left.Report(0.5);

        Assert.Equal(35, left.Seconds);
        Assert.Equal(0.125, left.FractionDone);
        Assert.Equal("35 s", left.Text);
    }

    [Fact]
    public void Afterwards_it_is_scaled_by_how_long_the_finished_parts_took_here()
    {
        var left = new TimeLeft([10, 30], _clock);
        _clock.Seconds = 20;
        left.Finish();

        Assert.Equal(60, left.Seconds, 6);
        Assert.Equal(0.25, left.FractionDone);

        left.Report(0.5);
        Assert.Equal(12, left.Seconds, 6);
        Assert.Equal(0.625, left.FractionDone);
    }

    [Theory]
    [InlineData(1000, 120, "2.0 min")]
    [InlineData(0.1, 7.5, "8 s")]
    public void One_odd_part_scales_by_no_more_than_four(double tookSeconds, double left, string text)
    {
        var time = new TimeLeft([10, 30], _clock);
        _clock.Seconds = tookSeconds;
        time.Finish();

        Assert.Equal(left, time.Seconds, 6);
        Assert.Equal(text, time.Text);
    }

    [Fact]
    public void A_finished_run_has_done_all_of_it()
    {
        var left = new TimeLeft([10, 30], _clock);
        _clock.Seconds = 40;
        left.Finish();
        left.Finish();

        Assert.Equal(0, left.Seconds);
        Assert.Equal(1, left.FractionDone);
        Assert.Equal("1 s", left.Text);
    }

    [Fact]
    public void A_fraction_out_of_range_counts_as_the_nearest_in_it()
    {
        var left = new TimeLeft([10, 30], _clock);
        left.Report(7);
        Assert.Equal(0.25, left.FractionDone);

        left.Report(-7);
        Assert.Equal(0, left.FractionDone);
    }

    private sealed class SetClock : TimeProvider
    {
        public double Seconds { get; set; }

        public override long TimestampFrequency => 1_000_000;

        public override long GetTimestamp() => (long)(Seconds * TimestampFrequency);
    }
}
