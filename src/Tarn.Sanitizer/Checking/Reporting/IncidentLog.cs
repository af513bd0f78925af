namespace Tarn.Sanitizing.Checking.Reporting;

/// <summary>
/// Writes the first incident of each kind and place, and counts the others. The count is written whenever it has doubled, and at the end.
/// All members are safe to call from any thread.
/// </summary>
internal sealed class IncidentLog(ReportFile file)
{
    /// <summary>A program that makes code has any number of places. Further ones are only counted.</summary>
    private const int MostGroups = 4096;

    private readonly object _lock = new();
    private readonly Dictionary<Key, Group> _groups = [];
    private long _ungrouped;

    internal void Add(Incident incident)
    {
        lock (_lock)
        {
            Key key = new(incident.Kind, incident.RentedAt, incident.ReturnedAt, incident.At);
            if (_groups.TryGetValue(key, out Group? group))
            {
                group.Add(incident.Bytes);
                if (long.IsPow2(group.Count))
                {
                    WriteCount(group);
                }
            }
            else if (_groups.Count == MostGroups)
            {
                _ungrouped++;
            }
            else
            {
                _groups.Add(key, group = new Group(_groups.Count + 1, incident.Bytes));
                Write(incident, group);
            }
        }
    }

    /// <summary>Writes the counts that are not written yet.</summary>
    internal void WriteCounts()
    {
        lock (_lock)
        {
            foreach (Group group in _groups.Values)
            {
                if (group.Count != group.Written)
                {
                    WriteCount(group);
                }
            }

            if (_ungrouped > 0)
            {
                file.Write(new JsonLine("ungrouped").Add("count", _ungrouped));
            }
        }
    }

    private void Write(Incident incident, Group group)
    {
        int at = file.Refer(incident.At);
        int rented = file.Refer(incident.RentedAt);
        int returned = file.Refer(incident.ReturnedAt);
        file.Write(
            new JsonLine("incident").Add("group", group.Number).Add("kind", incident.Kind.ToString()).Add("pool", incident.Pool)
                .Add("element", incident.Element).Add("length", incident.Length).Add("bytes", incident.Bytes)
                .Add("detail", incident.Detail).Add("at", at).Add("rented", rented).Add("returned", returned));
    }

    private void WriteCount(Group group)
    {
        group.Written = group.Count;
        file.Write(new JsonLine("count").Add("group", group.Number).Add("count", group.Count).Add("bytes", group.Bytes));
    }

    private readonly record struct Key(IncidentKind Kind, RecordedStack? RentedAt, RecordedStack? ReturnedAt, RecordedStack? At);

    private sealed class Group(int number, long bytes)
    {
        internal int Number => number;

        internal long Count { get; private set; } = 1;

        internal long Bytes { get; private set; } = bytes;

        internal long Written { get; set; } = 1;

        internal void Add(long more)
        {
            Count++;
            Bytes += more;
        }
    }
}
