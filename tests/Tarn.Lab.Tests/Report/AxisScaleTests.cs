using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Report;

public class AxisScaleTests
{
    private static readonly Axis s_bytes = new("Size", "B", Logarithmic: true);
    private static readonly Axis s_time = new("Time", "ns", Logarithmic: true);
    private static readonly Axis s_memory = new("Memory", "B", Logarithmic: false);
    private static readonly Axis s_seconds = new("Time", "s", Logarithmic: false);

    [Fact]
    public void Powers_of_two_get_ticks_at_powers_of_two()
    {
        double[] sizes = [.. Enumerable.Range(4, 24).Select(i => Math.Pow(2, i))];
        Assert.Equal(["64 B", "512 B", "4 KiB", "32 KiB", "256 KiB", "2 MiB", "16 MiB", "128 MiB"], Labels(s_bytes, sizes, 9));
        Assert.Equal(["32 B", "1 KiB", "32 KiB", "1 MiB", "32 MiB"], Labels(s_bytes, sizes, 5));
    }

    [Fact]
    public void Round_decimal_sizes_get_decades() =>
        Assert.Equal(["100 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB"], Labels(s_bytes, [100, 1e3, 1e4, 1e5, 1e6, 1e7], 8));

    [Fact]
    public void Times_get_decades_and_within_few_of_them_two_and_five()
    {
        Assert.Equal(["1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"], Labels(s_time, [2, 2_900_000], 8, padded: true));
        Assert.Equal(["5 ns", "10 ns", "20 ns", "50 ns", "100 ns", "200 ns"], Labels(s_time, [5, 200], 8, padded: true));
    }

    [Fact]
    public void Within_one_decade_ticks_are_evenly_spaced() =>
        Assert.Equal(["12 ns", "14 ns", "16 ns", "18 ns"], Labels(s_time, [12, 18], 5));

    [Fact]
    public void Linear_memory_counts_in_binary_and_starts_at_zero() =>
        Assert.Equal(["0", "64 MiB", "128 MiB", "192 MiB", "256 MiB"], Labels(s_memory, [90e6, 280e6], 6, padded: true));

    [Fact]
    public void Linear_seconds_count_in_fives() =>
        Assert.Equal(["0", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s"], Labels(s_seconds, [0, 30], 8));

    [Theory]
    [InlineData(1, 1e9, 2)]
    [InlineData(1e-9, 3, 4)]
    [InlineData(7, 7.000001, 8)]
    public void There_are_never_more_ticks_than_asked_for_and_all_lie_on_the_axis(double low, double high, int limit)
    {
        foreach (var axis in (Axis[])[s_bytes, s_time, s_memory, s_seconds])
        {
            var scale = AxisScale.Over(axis, [low, high], 0, 100, padded: true);
            var ticks = scale.Ticks(limit);
            Assert.InRange(ticks.Count, 0, limit);
            Assert.All(ticks, t => Assert.InRange(scale.Map(t), -0.001, 100.001));
        }
    }

    [Fact]
    public void A_value_without_a_logarithm_is_not_shown_and_does_not_stretch_the_axis()
    {
        var scale = AxisScale.Over(
            s_time, [0, -5, double.NaN, double.PositiveInfinity, double.Epsilon, double.MaxValue, 10, 1000], 0, 100, padded: false);

        Assert.Equal(0, scale.Map(10), 6);
        Assert.Equal(50, scale.Map(100), 6);
        Assert.Equal(100, scale.Map(1000), 6);
        Assert.False(scale.CanShow(0));
        Assert.False(scale.CanShow(double.NaN));
    }

    [Fact]
    public void One_value_or_none_still_makes_an_axis()
    {
        foreach (var axis in (Axis[])[s_bytes, s_memory])
        {
            Assert.True(double.IsFinite(AxisScale.Over(axis, [5], 0, 100, padded: false).Map(5)));
            Assert.True(double.IsFinite(AxisScale.Over(axis, [], 0, 100, padded: true).Map(1)));
            Assert.True(double.IsFinite(AxisScale.Over(axis, [0, 0], 0, 100, padded: true).Map(1)));
        }
    }

    private static IEnumerable<string> Labels(Axis axis, double[] values, int limit, bool padded = false)
    {
        var scale = AxisScale.Over(axis, values, 0, 100, padded);
        return scale.Ticks(limit).Select(scale.Label);
    }
}
