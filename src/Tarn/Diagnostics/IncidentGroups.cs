namespace Tarn;

/// <summary>
/// Counts incidents by kind, source and place. Its memory is bounded: it keeps the first and the last incident of each group, and once
/// there are <see cref="Most"/> groups, it only counts further incidents. All members are safe to call from any thread.
/// </summary>
internal sealed class IncidentGroups
{
    /// <summary>
    /// The most groups kept. A program has few places that misuse buffers, but one that generates source names has any number of groups.
    /// </summary>
    internal const int Most = 256;

    private readonly Lock _lock = new();
    private readonly Dictionary<Key, Group> _groups = [];
    private long _count;
    private long _ungrouped;

    /// <summary>Counts an incident. Returns whether it is the first of a kept group.</summary>
    internal bool Add(BufferIncident incident)
    {
        Key key = new(incident.Kind, incident.SourceName, incident.Place);
        using (_lock.Hold())
        {
            _count++;
            if (_groups.TryGetValue(key, out Group? group))
            {
                group.Count++;
                group.Last = incident;
                return false;
            }

            bool isKept = _groups.Count < Most;
            if (isKept)
            {
                _groups.Add(key, new Group(incident));
            }
            else
            {
                _ungrouped++;
            }

            return isKept;
        }
    }

    /// <summary>Returns the current groups and counts.</summary>
    internal BufferIncidentReport Read()
    {
        using (_lock.Hold())
        {
            // The sort is stable, and nothing is removed from the dictionary, so it is in the order of insertion.
            IEnumerable<BufferIncidentGroup> groups =
                from entry in _groups
                orderby entry.Value.Count descending
                select new BufferIncidentGroup(
                    entry.Key.Kind, entry.Key.Source, entry.Key.Place, entry.Value.Count, entry.Value.First, entry.Value.Last);
            return new BufferIncidentReport([.. groups], _count, _ungrouped);
        }
    }

    private readonly record struct Key(BufferIncidentKind Kind, string Source, string? Place);

    private sealed class Group(BufferIncident first)
    {
        internal long Count { get; set; } = 1;

        internal BufferIncident First { get; } = first;

        internal BufferIncident Last { get; set; } = first;
    }
}
