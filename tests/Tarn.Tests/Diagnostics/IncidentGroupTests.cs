namespace Tarn.Tests.Diagnostics;

public class IncidentGroupTests
{
    private readonly IncidentGroups _groups = new();

    [Fact]
    public void Incidents_of_one_kind_source_and_place_are_one_group_with_the_first_and_the_last()
    {
        Assert.True(_groups.Add(IncidentOf("a", place: "X", size: 1)));
        Assert.False(_groups.Add(IncidentOf("a", place: "X", size: 2)));
        Assert.False(_groups.Add(IncidentOf("a", place: "X", size: 3)));

        BufferIncidentReport report = _groups.Read();

        BufferIncidentGroup group = Assert.Single(report.Groups);
        Assert.Equal((3L, 0L), (report.Count, report.Ungrouped));
        Assert.Equal((BufferIncidentKind.Leak, "a", "X", 3L), (group.Kind, group.SourceName, group.Place, group.Count));
        Assert.Equal((1L, 3L), (group.First.SizeInBytes, group.Last.SizeInBytes));
    }

    [Fact]
    public void Another_kind_source_or_place_is_another_group()
    {
        Assert.True(_groups.Add(IncidentOf("a", place: "X")));
        Assert.True(_groups.Add(IncidentOf("b", place: "X")));
        Assert.True(_groups.Add(IncidentOf("a", place: "Y")));
        Assert.True(_groups.Add(IncidentOf("a", place: null)));
        Assert.True(_groups.Add(IncidentOf("a", place: "X") with { Kind = BufferIncidentKind.Overrun }));

        Assert.All(_groups.Read().Groups, static group => Assert.Equal(1, group.Count));
        Assert.Equal(5, _groups.Read().Count);
    }

    [Fact]
    public void The_most_frequent_group_comes_first_and_of_equals_the_older()
    {
        foreach (string source in new[] { "once", "thrice", "twice", "thrice", "again", "twice", "thrice", "again" })
        {
            _groups.Add(IncidentOf(source, place: null));
        }

        Assert.Equal(["thrice", "twice", "again", "once"], _groups.Read().Groups.Select(static group => group.SourceName));
    }

    [Fact]
    public void Incidents_beyond_the_most_groups_are_counted()
    {
        for (int i = 0; i < IncidentGroups.Most; i++)
        {
            Assert.True(_groups.Add(IncidentOf($"source {i}", place: null)));
        }

        Assert.False(_groups.Add(IncidentOf("one more", place: null)));
        Assert.False(_groups.Add(IncidentOf("one more", place: null)));
        Assert.False(_groups.Add(IncidentOf("source 3", place: null)));

        BufferIncidentReport report = _groups.Read();
        Assert.Equal(IncidentGroups.Most, report.Groups.Count);
        Assert.Equal((IncidentGroups.Most + 3L, 2L), (report.Count, report.Ungrouped));
        Assert.Equal(2, report.Groups.Single(static group => group.SourceName == "source 3").Count);
        Assert.EndsWith("2 × in no group: there are too many groups", report.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Incidents_from_many_threads_are_all_counted()
    {
        Parallel.For(0, 10_000, i => _groups.Add(IncidentOf($"source {i % 300}", place: null)));

        BufferIncidentReport report = _groups.Read();
        Assert.Equal(10_000, report.Count);
        Assert.Equal(10_000, report.Groups.Sum(static group => group.Count) + report.Ungrouped);
        Assert.Equal(IncidentGroups.Most, report.Groups.Count);
    }

    [Fact]
    public void The_text_states_count_kind_and_place()
    {
        _groups.Add(IncidentOf("documents", place: $"rented by A.B() ← C.D(){Environment.NewLine}returned by E.F()"));
        _groups.Add(IncidentOf("documents", place: $"rented by A.B() ← C.D(){Environment.NewLine}returned by E.F()"));
        _groups.Add(IncidentOf("pictures", place: null));

        Assert.Equal(
            """
            3 incidents, 2 groups of one kind, source and place
            2 × Leak of a buffer of documents
               rented by A.B() ← C.D()
               returned by E.F()
            1 × Leak of a buffer of pictures
            """.ReplaceLineEndings(),
            _groups.Read().ToString());
    }

    private static BufferIncident IncidentOf(string source, string? place, long size = 1) =>
        new(BufferIncidentKind.Leak, source, size, null, null) { Place = place };
}
