using System.Collections.Concurrent;

namespace Tarn.Tests.Diagnostics;

/// <summary>Notes the incidents of one source.</summary>
internal sealed class IncidentLog : IDisposable
{
    private readonly ConcurrentQueue<BufferIncident> _incidents = new();
    private readonly string _source;

    internal IncidentLog(string source)
    {
        _source = source;
        BufferDiagnostics.IncidentFound += Note;
    }

    internal int Count => _incidents.Count;

    internal IReadOnlyList<BufferIncident> All => [.. _incidents];

    public void Dispose() => BufferDiagnostics.IncidentFound -= Note;

    /// <summary>The incident there is to come, and the only one.</summary>
    internal BufferIncident WaitForOne()
    {
        Eventually.True(() => !_incidents.IsEmpty, $"an incident of {_source}");
        Eventually.AllIncidentsHandled();
        return Assert.Single(All);
    }

    internal void AssertNone()
    {
        Eventually.AllIncidentsHandled();
        Assert.Empty(All);
    }

    private void Note(BufferIncident incident)
    {
        if (incident.SourceName == _source)
        {
            _incidents.Enqueue(incident);
        }
    }
}
