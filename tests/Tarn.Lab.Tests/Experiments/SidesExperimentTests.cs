using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class SidesExperimentTests
{
    private static readonly ExperimentResult s_queue = ResultOf(SidesExperiment.Queue);
    private static readonly ExperimentResult s_topic = ResultOf(SidesExperiment.Topic);

    [Fact]
    public void The_projects_targets_are_ten_million_messages_from_two_writers_and_eight_million_to_each_of_two_readers()
    {
        Figure queue = Assert.Single(s_queue.Figures);
        Figure topic = Assert.Single(s_topic.Figures);

        Assert.Equal(("queue-two-writers", 21.0, 100.0, "ns"), (queue.Id, queue.Value, queue.Bound, queue.Unit));
        Assert.Equal(("topic-two-readers", 12.0, 125.0, "ns"), (topic.Id, topic.Value, topic.Bound, topic.Unit));
    }

    [Fact]
    public void A_way_with_one_writer_and_one_reader_is_beside_those_who_have_no_more()
    {
        Assert.Equal("queue-times-1-1", Assert.Single(s_queue.Section.Tables, HasPipe).Id);
        Assert.All(s_topic.Section.Tables, static table => Assert.True(HasPipe(table)));

        static bool HasPipe(Table table) => table.Columns.Any(static column => column.Title == MessageNames.Pipe);
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column_and_no_id_twice()
    {
        foreach ((ExperimentResult result, int sides) in ((ExperimentResult, int)[])[(s_queue, 6), (s_topic, 3)])
        {
            Assert.Equal(sides, result.Section.Tables.Count);
            Assert.Distinct(result.Section.Tables.Select(static table => table.Id));
            Assert.All(result.Section.Tables, static table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
            Assert.Distinct(result.Comparisons.Select(static comparison => comparison.Id));
            Assert.All(result.Comparisons, static comparison => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(comparison.Ours)));
            Assert.All(result.Comparisons, static comparison => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(comparison.Peer)));
        }
    }

    /// <summary>A message takes ten nanoseconds for each writer and one for each reader.</summary>
    private static ExperimentResult ResultOf(SidesExperiment experiment) => experiment.ToResult(
    [
        .. experiment.Sides.SelectMany(sides => SidesExperiment.Sizes.Select(
                size => new MessageTraffic(sides.Writers, sides.Readers, size, experiment.IsTopic)))
            .Select(traffic => new SidesSamples(traffic, new RoundSamples(
                experiment.NamesFor(traffic),
                [.. experiment.NamesFor(traffic).Select(_ => new[] { (10.0 * traffic.Writers) + traffic.Readers })]))),
    ]);
}
