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

    /// <summary>
    /// What checks fill buffers with that came back: 0xDB, so that a late write is found, and a late read, which nothing can report, sees
    /// what a search finds. No character, no small number, and eight of it are no address.
    /// </summary>
    /// <remarks>
    /// An <see cref="int"/> of it is -606348325, a <see cref="uint"/> 3688618971, a <see cref="float"/> about -1.2E+17, a
    /// <see cref="char"/> U+DBDB, in UTF-8 each byte is shown as U+FFFD. Who sees it read a buffer after its return, or a rented one
    /// before anything was written to it. Arrays are filled with <see cref="BufferChecks.UseAfterReturn"/>, those whose elements have
    /// references with null; blocks of native heaps with that, <see cref="BufferChecks.Returns"/> or
    /// <see cref="BufferChecks.GuardPages"/>.
    /// </remarks>
    public const byte PoisonByte = 0xDB;

    /// <summary>Goes with the first incident: whoever looks for a bug sees the pattern more often than its meaning.</summary>
    private const string Explanation =
        "Checks fill returned buffers with the byte 0xDB: who reads 0xDBDBDBDB, -606348325, 3688618971, U+DBDB or � reads a buffer after "
        + "its return, or before writing to it, and no incident tells. "
        + "See https://github.com/tarn-buffers/tarn/blob/main/docs/diagnostics-and-checks.md#what-a-late-read-sees";

    /// <summary>How long anyone waits for handlers that run.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private static readonly IncidentGroups s_groups = new();
    private static readonly IncidentConsole s_console = new(StandardError.WriteLine);

    /// <summary>What is to be done on a thread-pool thread, one after the other by each.</summary>
    private static readonly ConcurrentQueue<Action> s_waiting = new();

    private static int s_hasExplained;

    /// <summary>What waits or runs.</summary>
    private static int s_undone;

    /// <summary>How many of these run on this thread, one inside the other.</summary>
    [ThreadStatic]
    private static int t_running;

    /// <summary>
    /// Raised on a thread-pool thread, never on the finalizer thread, for each misuse that checks found after the fact. An exception
    /// that a handler throws is swallowed, so that one handler cannot hide an incident from the next. A process that ends waits up to two
    /// seconds for its handlers.
    /// </summary>
    /// <remarks>
    /// While nobody listens and the variable <c>TARN_CHECKS</c> asks for checks, standard error has the first incident of each kind,
    /// source and place, and when the process ends, or at <see cref="Flush"/>, how often each was found.
    /// </remarks>
    public static event Action<BufferIncident>? IncidentFound;

    /// <summary>Every pool and heap alive in the process, the oldest first, for reports.</summary>
    public static IReadOnlyList<BufferSourceSnapshot> GetSnapshot() =>
        BufferSources.GetAll().ConvertAll(static source => source.GetSnapshot());

    /// <summary>Every incident of the process so far, grouped by kind, source and place, whether or not anyone listened.</summary>
    /// <returns>The groups and counts at this moment. Its text is a summary for a log.</returns>
    public static BufferIncidentReport GetIncidents() => s_groups.Read();

    /// <summary>
    /// Finds now what would be found later: looks at every buffer that checked pools and heaps keep aside and at the bounds of blocks in
    /// use, and returns when every incident found so far was handled. For tests that must see an incident at once.
    /// </summary>
    /// <returns>
    /// True if every handler has run; false if one still runs after two seconds, such as one that waits for the caller.
    /// </returns>
    /// <remarks>
    /// An array that was dropped without a return is found by the garbage collector: collect twice, and wait for finalizers after each,
    /// before this call.
    /// </remarks>
    public static bool Flush()
    {
        ProcessEnd.LookAtAll(isExit: false);
        return WaitForHandlers();
    }

    /// <summary>Raises <see cref="IncidentFound"/> soon, on another thread. Not to be called under a lock: listeners run here.</summary>
    internal static void Report(BufferIncident incident)
    {
        // One with a stack comes from checks.
        if (incident.Place is not null && Interlocked.Exchange(ref s_hasExplained, 1) == 0)
        {
            incident = incident with { Explanation = Explanation };
        }

        bool isFirst = s_groups.Add(incident);
        TarnEventSource.Log.Incident(incident);
        if (IncidentFound is not null)
        {
            ProcessEnd.Watch();
            RunLater(Raise, incident);
        }
        else if (BufferChecksEnvironment.AsksForChecks)
        {
            ProcessEnd.Watch();
            if (isFirst)
            {
                s_console.Write(incident);
            }
        }
    }

    /// <summary>
    /// Runs on a thread-pool thread what may report incidents or handles one: for finalizers, where nothing of that may run. Whoever waits
    /// for handlers waits for it.
    /// </summary>
    internal static void RunLater<T>(Action<T> run, T state)
    {
        Action undone = () => run(state);
        Interlocked.Increment(ref s_undone);
        try
        {
            s_waiting.Enqueue(undone);
        }
        catch (OutOfMemoryException)
        {
            Interlocked.Decrement(ref s_undone);
            throw;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static _ => RunNext(), null);
    }

    /// <summary>
    /// Returns when every incident was handled; false when some handler still runs after a while. What the thread pool has not begun in
    /// time is done here: the process may be about to end.
    /// </summary>
    internal static bool WaitForHandlers()
    {
        // A handler may be who waits; it cannot wait for itself.
        int mine = t_running;
        bool isDone = SpinWait.SpinUntil(() => Volatile.Read(ref s_undone) <= mine, s_patience);
        while (!s_waiting.IsEmpty)
        {
            RunNext();
        }

        if (IncidentFound is null && BufferChecksEnvironment.AsksForChecks)
        {
            s_console.WriteSummary(s_groups.Read());
        }

        return isDone || Volatile.Read(ref s_undone) <= mine;
    }

    private static void RunNext()
    {
        if (s_waiting.TryDequeue(out Action? run))
        {
            t_running++;
            try
            {
                run();
            }
            finally
            {
                t_running--;
                Interlocked.Decrement(ref s_undone);
            }
        }
    }

    private static void Raise(BufferIncident incident)
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
