using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class TopicExperimentTests
{
    private static readonly string[] s_names =
        [MessageNames.Topic, MessageNames.TopicInPlace, MessageNames.Ring, MessageNames.Channel];

    private static readonly ExperimentResult s_result = new TopicExperiment().ToResult(
        [.. TopicExperiment.Readers.Select(readers => (IReadOnlyList<RoundSamples>)[.. TopicExperiment.Sizes.Select(
            _ => new RoundSamples(s_names, [.. s_names.Select(_ => new[] { 20.0 * readers })]))])]);

    [Fact]
    public void The_projects_target_is_eight_million_messages_of_64_bytes_a_second_to_each_of_two_readers()
    {
        Figure figure = Assert.Single(s_result.Figures);
        Assert.Equal(("topic-two-readers", 40.0, 125.0, "ns"), (figure.Id, figure.Value, figure.Bound, figure.Unit));
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column_and_no_id_twice()
    {
        Section section = s_result.Section;
        Assert.Equal(TopicExperiment.Readers.Count, section.Tables.Count);
        Assert.Distinct(section.Tables.Select(table => table.Id));
        Assert.All(section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Distinct(s_result.Comparisons.Select(static comparison => comparison.Id));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(comparison.Ours)));
        Assert.All(s_result.Comparisons, comparison => Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(comparison.Peer)));
    }

    [Theory]
    [InlineData(MessageNames.Topic)]
    [InlineData(MessageNames.TopicInPlace)]
    [InlineData(MessageNames.Ring)]
    [InlineData(MessageNames.Channel)]
    public void Every_contender_carries_each_message_to_each_reader(string name)
    {
        using Crew crew = new(3, isPinned: false);
        TopicEnd[] ends = TopicEnd.Create(name, readers: 2, messages: 4, length: 100);
        try
        {
            Assert.True(new TopicTrial(name, crew, ends, 100).Run(1000) > 0);
        }
        finally
        {
            Array.ForEach(ends, static end => end.Dispose());
        }
    }
}
