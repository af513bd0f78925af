using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace Tarn.Tests.Diagnostics;

/// <summary>Listens to the events of one pool.</summary>
internal sealed class EventRecorder : EventListener
{
    private readonly ConcurrentQueue<(string Name, int Pool, object?[] Payload)> _events = new();

    internal EventRecorder(EventLevel level) => EnableEvents(TarnEventSource.Log!, level);

    internal void Stop() => DisableEvents(TarnEventSource.Log!);

    /// <summary>The events about <paramref name="pool"/>, as name, size and, where they exist, bucket and reason.</summary>
    internal IReadOnlyList<string> Of<T>(BufferPool<T> pool) =>
    [
        .. _events.Where(one => one.Pool == pool.GetHashCode())
            .Select(one => string.Join(' ', [one.Name, one.Payload[1], .. one.Payload.Skip(4)])),
    ];

    internal int Count(string name, int pool) => _events.Count(one => one.Name == name && one.Pool == pool);

    internal object?[][] Payloads(string name) => [.. _events.Where(one => one.Name == name).Select(one => one.Payload)];

    internal void Forget() => _events.Clear();

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventSource.Name == BufferDiagnostics.EventSourceName)
        {
            object?[] payload = [.. eventData.Payload!];
            int pool = payload.Length > 2 && payload[2] is int index ? index : -1;
            _events.Enqueue((eventData.EventName!, pool, payload));
        }
    }
}
