namespace Tarn.Diagnostics;

/// <summary>
/// Counts incidents by kind, source and place. Its memory is bounded: it keeps the last incident of each group, and once there are
/// <see cref="Most"/> groups, it only counts further incidents. All members are safe to call from any thread.
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

            return isKept;
        }
    }

    /// <summary>Returns the last incident of each group with the group's count, the most first, and the number of all incidents.</summary>
    internal (IReadOnlyList<BufferIncident> Incidents, long Count) Read()
    {
        using (_lock.Hold())
        {
            // The sort is stable, and nothing is removed from the dictionary, so it is in the order of insertion.
            IEnumerable<BufferIncident> incidents =
                from entry in _groups
                orderby entry.Value.Count descending
                select entry.Value.Last.With(count: entry.Value.Count);
            return ([.. incidents], _count);
        }
    }

    private readonly record struct Key(BufferIncidentKind Kind, string Source, string? Place);

    private sealed class Group(BufferIncident first)
    {
        internal long Count { get; set; } = 1;

        internal BufferIncident Last { get; set; } = first;
    }
}
