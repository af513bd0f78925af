using Tarn.Lab.Experiments.ByteArrays;
using Tarn.Lab.Model;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Tests.Experiments;

public class FrameResultsTests
{
    private const int Large = 64 << 20;

    /// <summary>Each cell another number; no stack above the frame, no Debug code at the largest size.</summary>
    private static readonly FrameResults s_results = new(
        (from collector in FrameCell.Collectors
         from code in Enum.GetValues<LoopCode>()
         from way in new[] { AllocationNames.NewArray, AllocationNames.Stack, AllocationNames.Pool }
         from size in new[] { Frames.Size, 1 << 10, Large }
         where (way != AllocationNames.Stack || size <= Frames.Size) && (code == LoopCode.Release || size < Large)
         select new FrameCell(collector, code, way, size))
        .Select((cell, index) => KeyValuePair.Create(cell, index + 1.0)).ToDictionary());

    [Fact]
    public void The_documents_table_has_a_row_a_way_and_the_published_loops_beside_ours()
    {
        Table table = s_results.OfFrames("id", "note.", Frames.Allocation, Frames.AllocationInDebug);

        Assert.Equal("230,400 bytes, loops in 10 s", table.Title);
        Assert.Equal(
            [
                "Way",
                .. FrameCell.Collectors.SelectMany(collector => new[] { $"Release, {collector} GC", $"Debug, {collector} GC" }),
                "Published, Release",
                "Published, Debug",
            ],
            table.Columns.Select(column => column.Title));
        Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count));
        Assert.Equal([AllocationNames.NewArray, AllocationNames.Stack, AllocationNames.Pool], table.Rows.Select(row => row[0]));
        Assert.Equal(1e10, table.Rows[0][1]);
        Assert.Equal(425e6, (double)table.Rows[0][^2]!, 1);
        Assert.Equal(0.56e6, (double)table.Rows[1][^1]!, 1);
        Assert.Null(table.Rows[2][^1]);
        Assert.Contains(Frames.Allocation.Source, table.Note, StringComparison.Ordinal);
    }

    [Fact]
    public void There_is_a_table_by_size_for_each_code_and_collector()
    {
        IReadOnlyList<Table> tables = s_results.BySize("id", "note");

        Assert.Equal(
            FrameCell.Collectors.SelectMany(collector => new[] { $"id-release-{collector}", $"id-debug-{collector}" }),
            tables.Select(table => table.Id));
        Assert.All(tables.SelectMany(table => table.Rows), row => Assert.Equal(4, row.Count));
        Assert.Equal([1_024.0, (double)Frames.Size, (double)Large], tables[0].Rows.Select(row => row[0]));
        Assert.Equal([1_024.0, (double)Frames.Size], tables[1].Rows.Select(row => row[0]));
        Assert.Equal([(double)Large, 1e10 / 3, null, 1e10 / 8], tables[0].Rows[2]);
    }

    [Fact]
    public void Lines_are_of_optimized_code_and_the_workstation_collector()
    {
        Series[] series = [.. s_results.ToSeries((size, nanoseconds) => size / nanoseconds)];

        Assert.Equal([AllocationNames.NewArray, AllocationNames.Stack, AllocationNames.Pool], series.Select(line => line.Name));
        Assert.Equal([new Point(1_024, 512), new Point(Frames.Size, Frames.Size), new Point(Large, Large / 3.0)], series[0].Points);
        Assert.Equal(2, series[1].Points.Count);
        Assert.Equal(512.0, s_results.BySize("id", "title", "note", (size, nanoseconds) => size / nanoseconds).Rows[0][1]);
    }
}
