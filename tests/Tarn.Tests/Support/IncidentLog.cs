using System.Collections.Concurrent;

namespace Tarn.Tests.Support;

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

    /// <summary>Returns when every incident of any source reported so far was handled: one reported now is handled after them.</summary>
    internal static void WaitUntilHandled()
    {
        string marker = $"marker {Guid.NewGuid()}";
        using IncidentLog log = new(marker);
        for (int i = 0; i < Environment.ProcessorCount + 1; i++)
        {
            BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.Overrun, marker, 0));
        }

        Eventually.True(() => log.Count == Environment.ProcessorCount + 1 && ThreadPool.PendingWorkItemCount == 0, "incidents are handled");
    }

    public void Dispose() => BufferDiagnostics.IncidentFound -= Note;

    /// <summary>The incident there is to come, and the only one.</summary>
    internal BufferIncident WaitForOne()
    {
        Eventually.True(() => !_incidents.IsEmpty, $"an incident of {_source}");
        WaitUntilHandled();
        return Assert.Single(All);
    }

    internal void AssertNone()
    {
        WaitUntilHandled();
        Assert.Empty(All);
    }

    private void Note(object? sender, BufferIncident incident)
    {
        if (incident.SourceName == _source)
        {
            _incidents.Enqueue(incident);
        }
    }
}
