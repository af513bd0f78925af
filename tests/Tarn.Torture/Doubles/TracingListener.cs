using System.Diagnostics.Tracing;

namespace Tarn.Torture.Doubles;

/// <summary>Listens to every event of the library while it is alive, and drops them.</summary>
internal sealed class TracingListener : EventListener
{
    private long _events;

    internal long Events => Volatile.Read(ref _events);

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == BufferDiagnostics.EventSourceName)
        {
            EnableEvents(eventSource, EventLevel.Verbose);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData) => Interlocked.Increment(ref _events);
}
