namespace Tarn;

/// <summary>
/// What a process writes to standard error whose environment asks for checks while no code listens: the first incident of each group in
/// full, and in the end how many there were. So a log is bounded by the places, not by the incidents.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class IncidentConsole(Action<string> writeLine)
{
    /// <summary>Incidents that readers know of: written, or part of a summary.</summary>
    private long _told;

    /// <summary>Writes the first incident of a group.</summary>
    internal void Write(BufferIncident first)
    {
        Interlocked.Increment(ref _told);
        writeLine(first.ToString());
    }

    /// <summary>Writes the report unless all that it counts was written already.</summary>
    internal void WriteSummary(BufferIncidentReport report)
    {
        if (report.Count > Interlocked.Exchange(ref _told, report.Count))
        {
            writeLine(report.ToString());
        }
    }
}
