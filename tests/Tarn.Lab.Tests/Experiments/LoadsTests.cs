using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Tests.Experiments;

public class LoadsTests
{
    private static readonly SizeDistribution s_sizes = SizeDistribution.Uniform("2mb", "uniform to 2 MB", 2_000_000);

    [Fact]
    public void A_full_run_has_every_load_once_and_those_of_a_short_run_first()
    {
        MixedLoad[] quick = [.. LoadsExperiment.LoadsOf(isFull: false)];
        MixedLoad[] full = [.. LoadsExperiment.LoadsOf(isFull: true)];

        Assert.Equal(8, quick.Length);
        Assert.Equal(27 + 9, full.Length);
        Assert.Equal(quick, full.Take(quick.Length));
        Assert.Distinct(full.Select(load => load.Id));
        Assert.Distinct(full.Select(load => load.Title));
        Assert.All(full, load => Assert.Matches("^[a-z0-9-]+$", load.Id));
    }

    [Fact]
    public void The_allowed_retained_bytes_grow_with_the_bytes_in_flight_and_the_threads()
    {
        Assert.Equal(5_000_000 + (4 * 1_048_576), MixedLoad.AllowedRetained(1_000_000, threads: 4));
    }

    [Theory]
    [InlineData(false, "loads-2mb-3-50mib", 1.0)]
    [InlineData(true, "loads-all-3-2mb-50mib", 0.8)]
    public void Each_load_gives_a_comparison_of_time_and_two_figures_with_bounds(bool isAllToAll, string id, double target)
    {
        MixedLoad load = isAllToAll ? MixedLoad.AllToAll(s_sizes, 50 << 20, 3) : MixedLoad.HandedOver(s_sizes, 50 << 20, 3);
        var allowed = MixedLoad.AllowedRetained(1_000_000, load.Threads);
        var result =
            new LoadResult(load, new RoundSamples(["ours", "peer"], [[1, 1, 1], [2, 2, 2]]), 0.25, 0, 1_000_000, (long)(allowed / 2))
            {
                SharedRetainedBytes = 3_000_000,
                CreatedRetainedBytes = 2_000_000,
            };

        var comparison = result.ToComparison("group");
        var figures = result.ToFigures().ToArray();

        Assert.Equal((id, 0.5, target), (comparison.Id, comparison.Ratio, comparison.Target));
        var suffix = id["loads-".Length..];
        Assert.Equal(["loads-allocated-" + suffix, "loads-retained-" + suffix], figures.Select(figure => figure.Id));
        Assert.Equal([(0.25, 0.01), (0.5, 1.0)], figures.Select(figure => (Math.Round(figure.Value, 6), figure.Bound ?? -1)));
        Assert.Equal([allowed, (long)(allowed / 2) / 1e6, 3.0, 2.0], result.ToRow().Skip(7));
    }

    [Theory]
    [InlineData(1_000_000)]
    [InlineData(16 << 10)]
    public void Lengths_are_drawn_from_all_of_the_range(int largest)
    {
        var uniform = SizeDistribution.Uniform("", "", largest).Take(20_000, new Random(1));
        var log = SizeDistribution.LogUniform("", "", largest).Take(20_000, new Random(1));

        Assert.InRange(uniform.Average(), 0.49 * largest, 0.51 * largest);
        Assert.InRange(log.Count(length => length < Math.Sqrt(largest)), 9_500, 10_500);
        Assert.All(uniform.Concat(log), length => Assert.InRange(length, 1, largest));
    }
}
