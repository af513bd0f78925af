namespace Tarn;

/// <summary>Pools and heaps seen from outside: names of the meter and event source, incidents, counters of all.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
public static class BufferDiagnostics
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/> that reports every pool and heap.</summary>
    public const string MeterName = "Tarn";

    /// <summary>The name of the <see cref="System.Diagnostics.Tracing.EventSource"/>; its events are those of <c>System.Buffers.ArrayPoolEventSource</c>.</summary>
    public const string EventSourceName = "Tarn";

    /// <summary>
    /// Raised on a thread-pool thread, never on the finalizer thread, for each misuse that checks found after the fact. An exception
    /// that a handler throws is swallowed, so that one handler cannot hide an incident from the next.
    /// </summary>
    public static event Action<BufferIncident>? IncidentFound;

    /// <summary>Every pool and heap alive in the process, the oldest first, for reports.</summary>
    public static IReadOnlyList<BufferSourceSnapshot> GetSnapshot() =>
        BufferSources.GetAll().ConvertAll(static source => source.GetSnapshot());

    /// <summary>Raises <see cref="IncidentFound"/> soon, on another thread.</summary>
    internal static void Report(BufferIncident incident)
    {
        TarnEventSource.Log.Incident(incident);
        if (IncidentFound is not null)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static incident => Raise(incident), incident, preferLocal: false);
        }
    }

    /// <summary>Raises <see cref="IncidentFound"/> on this thread: at process exit the thread pool no longer runs what is queued.</summary>
    internal static void Raise(BufferIncident incident)
    {
        foreach (Action<BufferIncident> handler in Delegate.EnumerateInvocationList(IncidentFound))
        {
            try
            {
                handler(incident);
            }
#pragma warning disable CA1031 // a handler's own bug must not take the process down from a thread-pool thread
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }
    }
}
