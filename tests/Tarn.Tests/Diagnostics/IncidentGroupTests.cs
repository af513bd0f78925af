namespace Tarn.Tests.Diagnostics;

public class IncidentGroupTests
{
    private readonly IncidentGroups _groups = new();

    [Fact]
    public void Of_incidents_of_one_kind_source_and_place_the_last_is_kept_with_their_number()
    {
        Assert.True(_groups.Add(IncidentOf("a", place: "X", size: 1)));
        Assert.False(_groups.Add(IncidentOf("a", place: "X", size: 2)));
        Assert.False(_groups.Add(IncidentOf("a", place: "X", size: 3)));

        (IReadOnlyList<BufferIncident> incidents, long count) = _groups.Read();

        BufferIncident last = Assert.Single(incidents);
        Assert.Equal(3, count);
        Assert.Equal((BufferIncidentKind.Leak, "a", "X", 3L), (last.Kind, last.SourceName, last.Place, last.Count));
        Assert.Equal(3, last.SizeInBytes);
    }

    [Fact]
    public void Another_kind_source_or_place_is_another_group()
    {
        Assert.True(_groups.Add(IncidentOf("a", place: "X")));
        Assert.True(_groups.Add(IncidentOf("b", place: "X")));
        Assert.True(_groups.Add(IncidentOf("a", place: "Y")));
        Assert.True(_groups.Add(IncidentOf("a", place: null)));
        Assert.True(_groups.Add(IncidentOf("a", place: "X", kind: BufferIncidentKind.Overrun)));

        Assert.All(_groups.Read().Incidents, static incident => Assert.Equal(1, incident.Count));
        Assert.Equal(5, _groups.Read().Count);
    }

    [Fact]
    public void The_most_frequent_group_comes_first_and_of_equals_the_older()
    {
        foreach (string source in new[] { "once", "thrice", "twice", "thrice", "again", "twice", "thrice", "again" })
        {
            _groups.Add(IncidentOf(source, place: null));
        }

        Assert.Equal(["thrice", "twice", "again", "once"], _groups.Read().Incidents.Select(static incident => incident.SourceName));
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

        (IReadOnlyList<BufferIncident> incidents, long count) = _groups.Read();
        Assert.Equal(IncidentGroups.Most, incidents.Count);
        Assert.Equal(IncidentGroups.Most + 3L, count);
        Assert.Equal(2, incidents.Single(static incident => incident.SourceName == "source 3").Count);
        Assert.EndsWith("2 × in no group: there are too many groups", Summary(), StringComparison.Ordinal);
    }

    [Fact]
    public void Incidents_from_many_threads_are_all_counted()
    {
        Parallel.For(0, 10_000, i => _groups.Add(IncidentOf($"source {i % 300}", place: null)));

        (IReadOnlyList<BufferIncident> incidents, long count) = _groups.Read();
        Assert.Equal(10_000, count);
        Assert.InRange(incidents.Sum(static incident => incident.Count), IncidentGroups.Most, 10_000);
        Assert.Equal(IncidentGroups.Most, incidents.Count);
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
            Summary());
    }

    private static BufferIncident IncidentOf(
        string source, string? place, long size = 1, BufferIncidentKind kind = BufferIncidentKind.Leak) =>
        new(kind, source, size) { Place = place };

    /// <summary>What standard error gets at the end.</summary>
    private string Summary()
    {
        List<string> lines = [];
        (IReadOnlyList<BufferIncident> incidents, long count) = _groups.Read();
        new IncidentConsole(lines.Add).WriteSummary(incidents, count);
        return Assert.Single(lines);
    }
}
