using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Notes on which threads the incidents of one source reach listeners of events, which run where the event is written.</summary>
internal sealed class IncidentThreads : EventListener
{
    private readonly ConcurrentQueue<bool> _isOfThePool = new();
    private readonly string _source;

    internal IncidentThreads(string source)
    {
        _source = source;
        EnableEvents(TarnEventSource.Log!, EventLevel.Warning);
    }

    internal int Count => _isOfThePool.Count;

    internal bool AreAllOfThePool => _isOfThePool.All(static one => one);

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventName == "Incident" && (string?)eventData.Payload![1] == _source)
        {
            _isOfThePool.Enqueue(Thread.CurrentThread.IsThreadPoolThread);
        }
    }
}
