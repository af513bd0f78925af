using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class QueueExperimentTests
{
    private static readonly string[] s_many = [MessageNames.Queue, MessageNames.QueueInPlace, MessageNames.Channel];

    private static readonly ExperimentResult s_result = new QueueExperiment().ToResult(
        [.. QueueExperiment.Sides.Select((sides, index) => (IReadOnlyList<RoundSamples>)[.. QueueExperiment.Sizes.Select(_ => Samples(
            sides is (1, 1) ? [.. s_many, MessageNames.Ring] : s_many, 20 * (index + 1)))])]);

    [Fact]
    public void The_projects_target_is_ten_million_messages_of_64_bytes_a_second_from_two_writers()
    {
        Figure figure = Assert.Single(s_result.Figures);
        Assert.Equal(("queue-two-writers", 40.0, 100.0, "ns"), (figure.Id, figure.Value, figure.Bound, figure.Unit));
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column_and_no_id_twice()
    {
        Section section = s_result.Section;
        Assert.Equal(QueueExperiment.Sides.Count, section.Tables.Count);
        Assert.Distinct(section.Tables.Select(table => table.Id));
        Assert.All(section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Distinct(s_result.Comparisons.Select(static comparison => comparison.Id));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(comparison.Ours)));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(comparison.Peer)));
    }

    [Theory]
    [InlineData(MessageNames.Queue, 2, 3)]
    [InlineData(MessageNames.QueueInPlace, 3, 1)]
    [InlineData(MessageNames.Channel, 2, 2)]
    [InlineData(MessageNames.Ring, 1, 1)]
    public void Every_contender_carries_each_message_once(string name, int writers, int readers)
    {
        using Crew crew = new(writers + readers, isPinned: false);
        QueueEnd[] ends = QueueEnd.Create(name, crew.Size, messages: 4, length: 100);
        try
        {
            Assert.True(new QueueTrial(name, crew, writers, ends, 100).Run(1000) > 0);
        }
        finally
        {
            Array.ForEach(ends, static end => end.Dispose());
        }
    }

    private static RoundSamples Samples(IReadOnlyList<string> names, double time) =>
        new(names, [.. names.Select(_ => new[] { time })]);
}
