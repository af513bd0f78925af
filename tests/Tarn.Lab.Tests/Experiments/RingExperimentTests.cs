using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.SharedMemory;

namespace Tarn.Lab.Tests.Experiments;

public class RingExperimentTests
{
    private static readonly ExperimentResult s_result = new RingExperiment().ToResult(Measured());

    [Fact]
    public void The_projects_target_is_a_message_of_64_bytes_in_40_ns()
    {
        Assert.Equal(["ring-time", "ring-time-in-place"], s_result.Figures.Select(figure => figure.Id));
        Assert.All(s_result.Figures, figure => Assert.Equal((40.0, "ns"), (figure.Bound, figure.Unit)));
        Assert.Equal(20, s_result.Figures[0].Value);
        Assert.Equal(21, s_result.Figures[1].Value);
    }

    [Fact]
    public void The_ring_is_compared_with_every_peer_at_every_size_by_time_and_by_latency()
    {
        string[] peers = ["anonymous-pipe", "unix-domain-socket", "tcp-on-loopback"];
        string[] sizes = ["16b", "64b", "100b", "256b", "1kib", "4kib", "64kib", "4mib"];

        Assert.Equal(
            [
                .. sizes.SelectMany(size => peers.Select(peer => $"ring-{size}-{peer}")),
                .. sizes.SelectMany(size => peers.Select(peer => $"ring-latency-{size}-{peer}")),
                .. peers.Select(peer => $"ring-one-processor-{peer}"),
            ],
            s_result.Comparisons.Select(comparison => comparison.Id));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(comparison.Ours)));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(comparison.Peer)));
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column_and_no_id_twice()
    {
        Section section = s_result.Section;

        Assert.Distinct(section.Tables.Select(table => table.Id).Concat(section.Charts.Select(chart => chart.Id)));
        Assert.All(section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Equal(RingExperiment.Sizes.Count, Find("ring-rates").Rows.Count);
        Assert.Equal(MessageNames.All, Find("ring-one-processor-latency").Rows.Select(row => row[0]));
        Assert.Null(Find("ring-switches").Rows[0][1]);
    }

    [Fact]
    public void Rates_are_of_times_and_latency_is_half_of_there_and_back()
    {
        Assert.Equal(50_000_000.0, Find("ring-rates").Rows[0][1]);
        Assert.Equal(10.0, Find("ring-latency-median").Rows[0][1]);
        Assert.Equal([10.0, 10.0], Find("ring-one-processor-latency").Rows[0].Skip(1));
        Assert.Equal(new Point(16, 50_000_000), s_result.Section.Charts[0].Series[0].Points[0]);
    }

    [Fact]
    public void Published_figures_are_beside_the_most_similar_measurements()
    {
        Assert.Equal(
            [
                "iceoryx2, 64, SharedRing",
                "ipc-bench, memory-mapped file, 100, SharedRing",
                "ipc-bench, shared memory, 100, SharedRing",
                "ipc-bench, pipe, 100, Anonymous pipe",
                "ipc-bench, Unix domain socket, 100, Unix domain socket",
                "ipc-bench, TCP, 100, TCP on loopback",
                "iceoryx2, 65536, SharedRing",
                "cloudtoid/interprocess, 3, SharedRing",
            ],
            Find("ring-published").Rows.Select(row => $"{row[0]}, {row[2]}, {row[5]}"));
    }

    private static Table Find(string id) => s_result.Section.Tables.Single(table => table.Id == id);

    /// <summary>All took 20 ns and each contender one more than the one before.</summary>
    private static RingMeasurements Measured()
    {
        RoundSamples samples = Samples(MessageNames.All);
        LatencyRounds latency = new(samples, samples, samples);
        return new RingMeasurements(
            RingExperiment.Sizes,
            [.. RingExperiment.Sizes.Select(_ => samples)],
            [.. RingExperiment.Sizes.Select(_ => new double?[MessageNames.All.Count])],
            [.. RingExperiment.Sizes.Select(_ => latency)],
            latency,
            [.. RingMeasurements.OneThreadSizes.Select(_ => Samples([MessageNames.Ring, MessageNames.RingInPlace]))]);
    }

    private static RoundSamples Samples(IReadOnlyList<string> names) =>
        new(names, [.. names.Select((_, index) => new double[] { 20 + index })]);
}
