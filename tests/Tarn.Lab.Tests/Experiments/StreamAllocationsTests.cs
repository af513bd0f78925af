using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class StreamAllocationsTests
{
    private const int Large = 200 << 20;
    private static readonly int[] s_collections = [3, 2, 1];

    [Fact]
    public void Ours_may_allocate_no_more_than_the_targets_say_and_cause_no_collection()
    {
        var allocations = new StreamAllocations(
        [
            new(StreamNames.Tarn, 256, 1_000, 100, s_collections),
            new(StreamNames.Tarn, 16 << 10, 1_000, 120, s_collections),
            new(StreamNames.Tarn, Large, 5, 2_000, s_collections),
            new(StreamNames.Bcl, Large, 5, 1e9, s_collections),
        ]);

        Figure[] figures = [.. allocations.ToFigures()];

        Assert.Equal(
            [
                ("streams-allocated-256b", 100, 136), ("streams-allocated-16kib", 120, 136), ("streams-allocated-200mib", 2_000, 8_192),
                ("streams-collections-16kib-gen0", 3, 0), ("streams-collections-16kib-gen1", 2, 0),
                ("streams-collections-16kib-gen2", 1, 0),
                ("streams-collections-200mib-gen0", 3, 0), ("streams-collections-200mib-gen1", 2, 0),
                ("streams-collections-200mib-gen2", 1, 0),
            ],
            figures.Select(figure => (figure.Id, figure.Value, figure.Bound ?? -1)));
    }

    [Fact]
    public void The_table_has_every_stream_by_size()
    {
        Table table = new StreamAllocations(
            [new(StreamNames.Tarn, Large, 5, 2_000, s_collections), new(StreamNames.Bcl, 256, 1_000, 64, s_collections)]).ToTable();

        Assert.Equal([256.0, StreamNames.Bcl, 64.0, 1_000.0, 3.0, 2.0, 1.0], table.Rows[0]);
        Assert.Equal([(double)Large, StreamNames.Tarn, 2_000.0, 5.0, 3.0, 2.0, 1.0], table.Rows[1]);
        Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count));
    }
}
