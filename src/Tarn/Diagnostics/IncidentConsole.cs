using System.Globalization;
using System.Text;

namespace Tarn.Diagnostics;

/// <summary>
/// Writes incidents to standard error when the environment requests checks and no code handles incidents. It writes the first incident of
/// each group in full and, at the end, their number. So the number of places bounds the log, not the number of incidents.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class IncidentConsole(Action<string> writeLine)
{
    /// <summary>Incidents already reported: written, or included in a summary.</summary>
    private long _told;

    /// <summary>Writes the first incident of a group.</summary>
    internal void Write(BufferIncident first)
    {
        Interlocked.Increment(ref _told);
        writeLine(first.ToString());
    }

    /// <summary>Writes how many incidents there were, and where, unless all of them were reported already.</summary>
    /// <param name="incidents">One of each kind, source and place.</param>
    /// <param name="count">All incidents.</param>
    internal void WriteSummary(IReadOnlyList<BufferIncident> incidents, long count)
    {
        if (count > Interlocked.Exchange(ref _told, count))
        {
            writeLine(Summarize(incidents, count));
        }
    }

    private static string Summarize(IReadOnlyList<BufferIncident> incidents, long count)
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{count} incidents, {incidents.Count} groups of one kind, source and place");
        foreach (BufferIncident incident in incidents)
        {
            text.AppendLine().Append(
                CultureInfo.InvariantCulture, $"{incident.Count} × {incident.Kind} of a buffer of {incident.SourceName}");
            string indented = $"{Environment.NewLine}   ";
            text.Append(incident.Place is null ? "" : $"{indented}{incident.Place.ReplaceLineEndings(indented)}");
        }

        long others = count - incidents.Sum(static incident => incident.Count);
        return others == 0 ? text.ToString()
            : text.AppendLine().Append(CultureInfo.InvariantCulture, $"{others} × in no group: there are too many groups").ToString();
    }
}
