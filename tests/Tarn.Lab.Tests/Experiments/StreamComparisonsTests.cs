using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class StreamComparisonsTests
{
    [Theory]
    [InlineData("bulk", 256, 1.0)]
    [InlineData("bulk", 1 << 10, 1.0)]
    [InlineData("bulk", 4 << 10, 0.5)]
    [InlineData("bulk", 16 << 10, null)]
    [InlineData("bulk", 128 << 10, 0.85)]
    [InlineData("bulk", 960 << 10, 0.92)]
    [InlineData("bulk", 16 << 20, 0.95)]
    [InlineData("bulk", 200 << 20, 0.95)]
    [InlineData("4kib", 16 << 10, 0.5)]
    [InlineData("4kib", 128 << 10, 0.85)]
    [InlineData("4kib", 960 << 10, 0.92)]
    [InlineData("4kib", 16 << 20, 1.0)]
    [InlineData("4kib", 200 << 20, 1.0)]
    [InlineData("100b", 16 << 10, null)]
    [InlineData("byte", 256, 1.0)]
    [InlineData("byte", 1 << 10, 1.0)]
    [InlineData("byte", 960 << 10, 1.0)]
    public void Targets_against_peers_are_those_of_the_project(string series, int size, double? target)
    {
        StreamSeries measured = Find(series);

        Assert.Contains(size, measured.FullSizes);
        Assert.Equal(target, StreamComparisons.TargetOf(measured, size));
        string[] peers = [.. StreamPeers.Names.Select(NativeNames.Id)];
        Comparison[] comparisons = Compare(measured, size);
        Assert.All(
            peers,
            peer => Assert.Equal(target, comparisons.Single(one => one.Id == $"streams-{series}-{ByteSize.Id(size)}-{peer}").Target));
    }

    [Theory]
    [InlineData("bulk", 4 << 10, null, 1.0)]
    [InlineData("bulk", 16 << 10, null, null)]
    [InlineData("bulk", 128 << 10, 0.85, null)]
    [InlineData("4kib", 128 << 10, 0.85, null)]
    [InlineData("4kib", 960 << 10, null, null)]
    public void Streams_that_know_their_size_and_native_streams_have_targets_of_their_own(
        string series, int size, double? sized, double? native)
    {
        Comparison[] comparisons = Compare(Find(series), size);

        Assert.All(comparisons.Where(one => one.Ours == StreamNames.Sized(StreamNames.Tarn)), one => Assert.Equal(sized, one.Target));
        Assert.Equal(native, comparisons.Single(one => one.Ours == StreamNames.TarnNative).Target);
    }

    [Theory]
    [InlineData(16 << 20)]
    [InlineData(96 << 20)]
    [InlineData(200 << 20)]
    public void Large_streams_are_compared_with_two_copies_and_only_parallel_ones_have_a_target(int size)
    {
        var targets =
            Compare(Find("bulk"), size).Where(one => one.Peer == StreamNames.TwoCopies).ToDictionary(one => one.Id, one => one.Target);

        string id = $"streams-bulk-{ByteSize.Id(size)}";
        Assert.Null(targets[$"{id}-two-copies"]);
        Assert.Null(targets[$"{id}-sized-two-copies"]);
        Assert.Equal(Environment.ProcessorCount > 1 ? 1.0 : null, targets[$"{id}-parallel-two-copies"]);
        Assert.Equal(2, Compare(Find("4kib"), size).Count(one => one.Peer == StreamNames.TwoCopies));
    }

    [Fact]
    public void Every_comparison_has_an_id_of_its_own_that_begins_with_the_experiments()
    {
        Comparison[] all =
            [.. StreamsExperiment.AllSeries.SelectMany(series => series.FullSizes.SelectMany(size => Compare(series, size)))];

        Assert.Distinct(all.Select(one => one.Id));
        Assert.All(all, one => Assert.Matches("^streams-(bulk|4kib|100b|byte)-[0-9]+[kmib]+-[a-z-]+$", one.Id));
        Assert.All(all, one => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(one.Ours)));
        Assert.All(all, one => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(one.Peer)));
    }

    [Fact]
    public void A_quick_run_measures_no_size_that_a_full_run_does_not()
    {
        Assert.All(StreamsExperiment.AllSeries, series => Assert.Empty(series.Sizes.Except(series.FullSizes)));
        Assert.Equal([256, 1 << 10, 4 << 10, 16 << 10, 128 << 10, 960 << 10, 16 << 20, 96 << 20, 200 << 20], Find("bulk").FullSizes);
    }

    [Fact]
    public void Tables_have_a_dash_where_a_contender_took_no_part()
    {
        var small = Samples(Find("bulk"), 1 << 10);
        var large = Samples(Find("bulk"), 16 << 20);
        var samples = new StreamSamples(Find("bulk"), [1 << 10, 16 << 20], [small, large]);

        Table table = samples.ToTable();

        Assert.Equal(
            ["Size", .. large.Contenders.Order()],
            [table.Columns[0].Title, .. table.Columns.Skip(1).Select(column => column.Title).Order()]);
        int parallel = table.Columns.ToList().FindIndex(column => column.Title == StreamNames.TarnParallel);
        Assert.Null(table.Rows[0][parallel]);
        Assert.Equal(1.0, table.Rows[1][parallel]);
    }

    private static StreamSeries Find(string id) => StreamsExperiment.AllSeries.Single(series => series.Id == id);

    private static Comparison[] Compare(StreamSeries series, int size) =>
        [.. StreamComparisons.Of(new StreamSamples(series, [size], [Samples(series, size)]))];

    /// <summary>One round in which all took a nanosecond.</summary>
    private static RoundSamples Samples(StreamSeries series, int size)
    {
        using var heap = new NativeHeap();
        List<string> names = [.. StreamsExperiment.ContendersAt(series, size, heap).Select(contender => contender.Name)];
        if (series.IsCopied)
        {
            names.Add(StreamNames.TwoCopies);
        }

        return new RoundSamples(names, [.. names.Select(_ => Enumerable.Repeat(1.0, 1).ToArray())]);
    }
}
