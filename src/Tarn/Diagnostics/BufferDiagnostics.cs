using System.Collections.Concurrent;

namespace Tarn.Diagnostics;

/// <summary>Diagnostics of all pools, heaps and budgets: the names of the meter and event source, incidents, and counters.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
public static partial class BufferDiagnostics
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/> that reports every pool and heap.</summary>
    public const string MeterName = "Tarn";

    /// <summary>
    /// The name of the <see cref="System.Diagnostics.Tracing.EventSource"/>; its events are those of
    /// <c>System.Buffers.ArrayPoolEventSource</c>.
    /// </summary>
    public const string EventSourceName = "Tarn";

    /// <summary>
    /// The byte with which checks fill returned buffers: 0xDB. Filling them finds late writes. A late read cannot be reported, but it sees
    /// a value that a search finds. The byte is not an ASCII character or a small number, and eight of them are not an address.
    /// </summary>
    /// <remarks>
    /// An <see cref="int"/> of these bytes is -606348325, a <see cref="uint"/> 3688618971, a <see cref="float"/> about -1.2E+17, and a
    /// <see cref="char"/> U+DBDB; decoded as UTF-8, each byte is U+FFFD. Code that sees such a value read a buffer after its return, or a
    /// rented buffer before writing to it. Checks fill arrays with <see cref="BufferChecks.UseAfterReturn"/>; arrays whose elements contain
    /// references are cleared instead. Checks fill blocks of native heaps with <see cref="BufferChecks.UseAfterReturn"/>,
    /// <see cref="BufferChecks.Returns"/> or <see cref="BufferChecks.GuardPages"/>.
    /// </remarks>
    public const byte PoisonByte = 0xDB;

    /// <summary>The mean number of bytes between samples that suits most programs: 512 KiB.</summary>
    public const long DefaultSampleInterval = 512 << 10;

    /// <summary>
    /// Text of the first incident, because a person who looks for a bug often sees the pattern without knowing its meaning.
    /// </summary>
    private const string Explanation =
        "Checks fill returned buffers with the byte 0xDB: code that reads 0xDBDBDBDB, -606348325, 3688618971, U+DBDB or � reads a buffer "
        + "after its return, or before writing to it, which no incident reports. "
        + "Tarn's docs/diagnostics-and-checks.md says more under \"What a late read sees\".";

    /// <summary>The longest wait for running handlers.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    private static readonly IncidentGroups s_groups = new();
    private static readonly IncidentConsole s_console = new(StandardError.WriteLine);

    /// <summary>Work for thread-pool threads, each of which takes one item after the other.</summary>
    private static readonly ConcurrentQueue<Action> s_waiting = new();

    private static int s_hasExplained;

    /// <summary>The number of work items that wait or run.</summary>
    private static int s_undone;

    /// <summary>The number of them that run on this thread, nested in each other.</summary>
    [ThreadStatic]
    private static int t_running;

    /// <summary>
    /// Raised without a sender on a thread-pool thread, never on the finalizer thread, for each misuse that checks find after the fact. An
    /// exception from a handler is swallowed, so that one handler cannot hide an incident from the next. At exit, the process waits up to
    /// two seconds for its handlers.
    /// </summary>
    /// <remarks>
    /// If the variable <c>TARN_CHECKS</c> requests checks and there is no handler, standard error receives the first incident of each kind,
    /// source and place. At exit and at <see cref="Flush"/> it receives the number of incidents of each.
    /// </remarks>
    public static event EventHandler<BufferIncident>? IncidentFound;

    /// <summary>Gets the number of incidents of the process so far.</summary>
    public static long IncidentCount => s_groups.Read().Count;

    /// <summary>
    /// The mean number of bytes between two sampled rents of any pool or heap, or 0 while nothing is sampled, as at first. The environment
    /// variable <c>TARN_SAMPLE_INTERVAL</c> sets it for a whole process. Setting it begins a new profile and drops the one before; setting
    /// it to 0 ends sampling.
    /// </summary>
    /// <remarks>
    /// Sampling counts the rented bytes of each thread down to a random number with this mean, so a rent of s bytes is sampled with the
    /// probability 1 - e^(-s/interval). While sampling is on, a rent takes some nanoseconds longer, and so does a free of a native block.
    /// While it is off, it costs nothing. Where samples would take more than about a hundredth of a processor's time, the mean rises. Each
    /// sample is weighted by the mean it was drawn with, so the estimates stay unbiased.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public static long SampleInterval
    {
        get => BufferSampling.Profile?.Options.Interval ?? 0;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            if (value == 0)
            {
                BufferSampling.Stop();
            }
            else
            {
                BufferSampling.Start(new SamplingOptions(value, BufferSampling.NewSeed()));
            }
        }
    }

    /// <summary>Writes the samples since <see cref="SampleInterval"/> was set as a heap profile, which <c>pprof</c> reads.</summary>
    /// <param name="destination">
    /// The stream that receives pprof's gzipped protocol buffer. It stays open and belongs to the caller.
    /// </param>
    /// <remarks>
    /// <para>The values of a call site estimate, for buffers rented there: <c>alloc_objects</c> and <c>alloc_space</c>, all since sampling
    /// began; <c>inuse_objects</c> and <c>inuse_space</c>, those not returned; <c>lost_objects</c> and <c>lost_space</c>, arrays that were
    /// collected without a return. Sizes are those of the buffers, not those asked for. Labels: <c>kind</c> and <c>pool</c> as in
    /// <see cref="GetSources"/>, and <c>bytes</c>.</para>
    /// <para>An array of <c>RentExact</c> whose length is that of a size class is not followed: it counts as
    /// allocated and never as in use.</para>
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="destination"/> cannot be written to.</exception>
    /// <exception cref="InvalidOperationException">Nothing is sampled.</exception>
    public static void WriteProfile(Stream destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (!destination.CanWrite)
        {
            throw new ArgumentException($"The {destination.GetType()} cannot be written to: pass a writable stream.", nameof(destination));
        }

        SampleProfile profile = BufferSampling.Profile ?? throw new InvalidOperationException(
            $"There is no profile, because nothing is sampled: set {nameof(BufferDiagnostics)}.{nameof(SampleInterval)} or the environment"
            + $" variable {SamplingEnvironment.Variable} first, for example to {DefaultSampleInterval}.");
        SampledPprof.Write(profile, destination);
    }

    /// <summary>Returns the counters of every pool and heap alive in the process, the oldest first.</summary>
    public static IReadOnlyList<BufferSourceSnapshot> GetSources() =>
        BufferSources.GetAll().ConvertAll(static source => source.GetSnapshot());

    /// <summary>
    /// Returns the incidents of the process so far, whether or not there was a handler: of each kind, source and place the most recent one,
    /// with their number (<see cref="BufferIncident.Count"/>). The most frequent come first; among equals, the older.
    /// </summary>
    /// <returns>
    /// At most 256 incidents. A process keeps no more places, and only counts what comes after (<see cref="IncidentCount"/>).
    /// </returns>
    public static IReadOnlyList<BufferIncident> GetIncidents() => s_groups.Read().Incidents;

    /// <summary>
    /// Verifies every quarantined buffer of checked pools and heaps, and the bounds of blocks in use, now rather than later. Returns when
    /// every incident found so far was handled. For tests that must see an incident at once.
    /// </summary>
    /// <returns>
    /// True if every handler has run; false if one still runs after two seconds, for example because it waits for the caller.
    /// </returns>
    /// <remarks>
    /// The garbage collector finds arrays that were dropped without a return: before this call, collect twice, and wait for finalizers
    /// after each collection.
    /// </remarks>
    public static bool Flush()
    {
        ProcessEnd.LookAtAll(isExit: false);
        return WaitForHandlers();
    }

    /// <summary>
    /// Raises <see cref="IncidentFound"/> soon, on another thread. Do not call it under a lock, because event listeners run here.
    /// </summary>
    internal static void Report(BufferIncident incident)
    {
        // An incident with a stack comes from checks.
        if (incident.Place is not null && Interlocked.Exchange(ref s_hasExplained, 1) == 0)
        {
            incident = incident.With(explanation: Explanation);
        }

        bool isFirst = s_groups.Add(incident);
        TarnEventSource.Log?.Incident(incident);
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
    /// Runs code that may report or handle incidents on a thread-pool thread. For finalizers, which must not run such code. Waiting for
    /// handlers includes waiting for this code.
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
    /// Waits until every incident was handled; false when some handler still runs after the longest wait. Handlers that the thread pool has
    /// not begun in time run here, because the process may be about to end.
    /// </summary>
    internal static bool WaitForHandlers()
    {
        // The caller may be a handler, which cannot wait for itself.
        int mine = t_running;
        bool isDone = SpinWait.SpinUntil(() => Volatile.Read(ref s_undone) <= mine, s_patience);
        while (!s_waiting.IsEmpty)
        {
            RunNext();
        }

        if (IncidentFound is null && BufferChecksEnvironment.AsksForChecks)
        {
            (IReadOnlyList<BufferIncident> incidents, long count) = s_groups.Read();
            s_console.WriteSummary(incidents, count);
        }

        return isDone || Volatile.Read(ref s_undone) <= mine;
    }

    /// <summary>
    /// Announces that this thread takes findings out of a place that other threads look at, before it reports them. Those who wait for
    /// handlers wait for these reports.
    /// </summary>
    internal static void BeginReports()
    {
        Interlocked.Increment(ref s_undone);
        t_running++;
    }

    /// <summary>The findings taken since <see cref="BeginReports"/> are reported.</summary>
    internal static void EndReports()
    {
        t_running--;
        Interlocked.Decrement(ref s_undone);
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
            catch (OutOfMemoryException)
            {
                // Even waiting for a lock may allocate. An exception on a thread-pool thread ends the process; this finding is lost.
            }
            finally
            {
                EndReports();
            }
        }
    }

    private static void Raise(BufferIncident incident)
    {
        foreach (EventHandler<BufferIncident> handler in Delegate.EnumerateInvocationList(IncidentFound))
        {
            try
            {
                handler(null, incident);
            }
#pragma warning disable CA1031 // a handler's own bug must not take the process down from a thread-pool thread
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }
    }
}
