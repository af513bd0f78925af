using System.Collections.Concurrent;

namespace Tarn;

/// <summary>Pools and heaps seen from outside: names of the meter and event source, incidents, counters of all.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
public static class BufferDiagnostics
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/> that reports every pool and heap.</summary>
    public const string MeterName = "Tarn";

    /// <summary>
    /// The name of the <see cref="System.Diagnostics.Tracing.EventSource"/>; its events are those of
    /// <c>System.Buffers.ArrayPoolEventSource</c>.
    /// </summary>
    public const string EventSourceName = "Tarn";

    private static readonly ConcurrentQueue<BufferIncident> s_waiting = new();

    /// <summary>Incidents that wait or that handlers work on.</summary>
    private static int s_unhandled;

    [ThreadStatic]
    private static bool t_isHandling;

    /// <summary>
    /// Raised on a thread-pool thread, never on the finalizer thread, for each misuse that checks found after the fact. An exception
    /// that a handler throws is swallowed, so that one handler cannot hide an incident from the next. A process that ends waits up to two
    /// seconds for its handlers.
    /// </summary>
    public static event Action<BufferIncident>? IncidentFound;

    /// <summary>Every pool and heap alive in the process, the oldest first, for reports.</summary>
    public static IReadOnlyList<BufferSourceSnapshot> GetSnapshot() =>
        BufferSources.GetAll().ConvertAll(static source => source.GetSnapshot());

    /// <summary>Raises <see cref="IncidentFound"/> soon, on another thread. Not to be called under a lock: listeners run here.</summary>
    internal static void Report(BufferIncident incident)
    {
        TarnEventSource.Log.Incident(incident);
        if (IncidentFound is not null)
        {
            ProcessEnd.Watch();
            Interlocked.Increment(ref s_unhandled);
            s_waiting.Enqueue(incident);
            ThreadPool.UnsafeQueueUserWorkItem(static _ => RaiseNext(), null);
        }
    }

    /// <summary>
    /// Returns when every incident was handled. What the thread pool has not begun in time is raised here: the process is about to end.
    /// </summary>
    internal static void Flush(TimeSpan patience)
    {
        // A handler may be what ends the process; it cannot be waited for on its own thread.
        int mine = t_isHandling ? 1 : 0;
        SpinWait.SpinUntil(() => Volatile.Read(ref s_unhandled) <= mine, patience);
        while (!s_waiting.IsEmpty)
        {
            RaiseNext();
        }
    }

    private static void RaiseNext()
    {
        if (!s_waiting.TryDequeue(out BufferIncident? incident))
        {
            return;
        }

        t_isHandling = true;
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

        t_isHandling = false;
        Interlocked.Decrement(ref s_unhandled);
    }
}
