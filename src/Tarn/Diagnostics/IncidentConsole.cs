namespace Tarn;

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

    /// <summary>Writes the report unless all its incidents were reported already.</summary>
    internal void WriteSummary(BufferIncidentReport report)
    {
        if (report.Count > Interlocked.Exchange(ref _told, report.Count))
        {
            writeLine(report.ToString());
        }
    }
}
