using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class OneWayExperimentTests
{
    private static readonly string[] s_whole =
        [MessageNames.Ring, MessageNames.Queue, MessageNames.Topic, .. MessageNames.Peers, MessageNames.Channel];

    private static readonly string[] s_inPlace =
        [MessageNames.RingInPlace, MessageNames.QueueInPlace, MessageNames.TopicInPlace, MessageNames.Word];

    private static readonly ExperimentResult s_result = new OneWayExperiment().ToResult(new(
        [.. OneWayMeasurements.Sizes.Select(_ => Rounds(s_whole, 1))],
        [.. OneWayMeasurements.Sizes.Select(_ => Rounds(s_inPlace, 1))],
        [.. OneWayMeasurements.Readers.Select(_ => Rounds(
            [
                .. s_inPlace, MessageNames.RingAwaited, MessageNames.QueueAwaited, MessageNames.TopicAwaited,
                MessageNames.RingInline, MessageNames.QueueInline, MessageNames.TopicInline, .. MessageNames.Peers,
            ],
            1_000))]));

    [Fact]
    public void The_projects_targets_are_100_ns_at_every_size_and_for_an_awaited_message_1_3_of_a_blocking_read()
    {
        Assert.Equal(
            ["16b", "64b", "1kib", "64kib", "4mib"],
            s_result.Figures.Where(static figure => figure.Id.StartsWith("one-way-seen-ring-", StringComparison.Ordinal))
                .Select(static figure => figure.Id["one-way-seen-ring-".Length..]));
        Assert.All(s_result.Figures.Where(static figure => figure.Unit == "ns"), static figure => Assert.Equal(100, figure.Bound));

        Figure[] awaited = [.. s_result.Figures.Where(static figure => figure is { Unit: "", Bound: not null })];
        Assert.Equal(
            [
                "one-way-awaited-ring", "one-way-awaited-queue", "one-way-awaited-topic",
                "one-way-inline-ring", "one-way-inline-queue", "one-way-inline-topic",
            ],
            awaited.Select(static figure => figure.Id));
        Assert.All(awaited, static figure => Assert.Equal(1.3, figure.Bound));
        Assert.Equal(1_004.0 / 1_000, awaited[0].Value, 6);
    }

    [Fact]
    public void What_is_above_the_time_of_the_processors_is_told()
    {
        Figure over = s_result.Figures.Single(static figure => figure.Id == "one-way-counter-ring");

        Assert.Equal(1.0 / 4, over.Value, 6);
        Assert.Null(over.Bound);
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column_and_no_id_twice()
    {
        Section section = s_result.Section;
        Assert.Distinct(section.Tables.Select(static table => table.Id).Concat(section.Charts.Select(static chart => chart.Id)));
        Assert.All(section.Tables, static table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Distinct(s_result.Comparisons.Select(static comparison => comparison.Id));
        Assert.All(s_result.Comparisons, static comparison => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(comparison.Ours)));
        Assert.All(s_result.Comparisons, static comparison => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(comparison.Peer)));
    }

    [Fact]
    public void What_has_no_99_9th_percentile_has_none_in_the_table()
    {
        Table latest = s_result.Section.Tables.Single(static table => table.Id == "one-way-latest");

        Assert.All(latest.Rows, static row => Assert.All(row.Skip(1), Assert.Null));
    }

    /// <summary>Each contender takes a nanosecond more than the one before.</summary>
    private static LatencyRounds Rounds(IReadOnlyList<string> names, double nanoseconds)
    {
        RoundSamples samples = new(names, [.. names.Select((_, index) => new[] { nanoseconds + index })]);
        return new(samples, samples, new RoundSamples(names, [.. names.Select(static _ => new[] { double.NaN })]));
    }
}
