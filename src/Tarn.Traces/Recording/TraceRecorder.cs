using System.Diagnostics;
using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>
/// Records what a running .NET process rents from its array pools, as <c>System.Buffers.ArrayPoolEventSource</c> reports it at level
/// Verbose over the runtime's diagnostics port.
/// </summary>
/// <remarks>
/// The events contain the length of the returned buffer, not the requested length, and neither the element type nor the kind of the pool.
/// Recording slows the process down by about a microsecond for each event.
/// </remarks>
public static class TraceRecorder
{
    /// <summary>The text of <see cref="TraceOrigin.How"/> for a process that was recorded from its first instruction.</summary>
    internal const string Started = "started";

    /// <summary>
    /// Records a running process until it ends, the options end the recording, or <paramref name="cancellation"/> is signalled.
    /// </summary>
    /// <param name="processId">A .NET process of the same user.</param>
    /// <param name="options">When to end.</param>
    /// <param name="cancellation">Ends the recording early. The call returns the events recorded until then.</param>
    /// <exception cref="RecordingException">The process does not exist, or has no diagnostics port.</exception>
    public static BufferTrace Attach(int processId, RecordingOptions options, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        return Record(processId, options, "attached", onStarted: null, cancellation);
    }

    /// <param name="processId">The process's id.</param>
    /// <param name="options">When to end.</param>
    /// <param name="how">The text for the trace's origin.</param>
    /// <param name="onStarted">Called as soon as the recording runs.</param>
    /// <param name="cancellation">Ends the recording.</param>
    internal static BufferTrace Record(
        int processId, RecordingOptions options, string how, Action? onStarted, CancellationToken cancellation)
    {
        var client = new DiagnosticsClient(processId);
        DateTimeOffset now = DateTimeOffset.UtcNow;
        var events = new PoolEvents(options.MostEvents);
        using StackedEvents? stacked = options.Detail == RecordingDetail.Stacks ? new StackedEvents() : null;
        using EventPipeSession session = Start(client, processId, options);
        var watch = Stopwatch.StartNew();
        onStarted?.Invoke();
        // Query from the start: a short-lived process is gone when its first event is read.
        using var hasStarted = new CancellationTokenSource();
        Task<ProcessFacts> asking = Task.Run(() => ProcessFacts.AskUntilAsync(processId, hasStarted.Token), CancellationToken.None);
        bool wasStopped = false;
        try
        {
            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            end.CancelAfter(options.LongestTime);
            using CancellationTokenRegistration stop = end.Token.Register(() =>
            {
                watch.Stop();
                wasStopped = TryStop(session);
            });
            Read(events, stacked, session, end, hasStarted.Cancel, watch.Stop);
        }
        finally
        {
            hasStarted.Cancel();
        }

        ProcessFacts facts = asking.GetAwaiter().GetResult();
        RentMatcher matcher = events.Matcher;
        var origin = new TraceOrigin
        {
            Program = facts.Program,
            Command = facts.Command,
            Runtime = facts.Runtime,
            How = how,
            RecordedAt = DateTimeOffset.FromUnixTimeMilliseconds(now.ToUnixTimeMilliseconds()),
            LostEvents = events.Lost,
            UnmatchedReturns = matcher.UnmatchedReturns,
            Allocated = matcher.Allocated,
            Dropped = matcher.Dropped,
        };
        if (options.Detail == RecordingDetail.Rents)
        {
            return new BufferTrace(origin, matcher.Events);
        }

        IReadOnlyList<PoolAction> actions = matcher.TakeActions();
        long ended = events.IsFull ? events.LastMicroseconds : Math.Max(events.LastMicroseconds, (long)watch.Elapsed.TotalMicroseconds);
        return new BufferTrace(origin, matcher.Events, new TraceDetails
        {
            ProcessId = processId,
            IsFromStart = how == Started,
            HasEnded = !wasStopped && !events.IsFull,
            EndMicroseconds = Math.Max(0, matcher.ToTraceTime(ended)),
            Stacks = stacked?.Stacks ?? StackTable.Empty,
            Pools = events.DescribePools(stacked?.Elements ?? []),
            Actions = actions,
        });
    }

    private static EventPipeSession Start(DiagnosticsClient client, int processId, RecordingOptions options)
    {
        try
        {
            return PoolEvents.Start(client, options);
        }
        catch (Exception exception)
            when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw new RecordingException($"Process {processId} cannot be recorded: {exception.Message}", exception);
        }
    }

    private static void Read(
        PoolEvents events,
        StackedEvents? stacked,
        EventPipeSession session,
        CancellationTokenSource end,
        Action onFirst,
        Action onEnd)
    {
        try
        {
            // Cancel on another thread: stopping waits until the rest of the stream has been read.
            if (stacked is null)
            {
                events.ReadAll(session.EventStream, onFirst, () => _ = end.CancelAsync());
                onEnd();
            }
            else
            {
                CopyAll(stacked, session, end);
                onEnd();
                stacked.Read(events);
            }
        }
        catch (Exception exception) when (exception is IOException or FormatException or ObjectDisposedException)
        {
            // A killed process cuts its stream off; the events received until then count.
            if (events.Matcher.Count == 0)
            {
                throw new RecordingException($"The recording broke off before its first event: {exception.Message}", exception);
            }
        }
    }

    private static void CopyAll(StackedEvents stacked, EventPipeSession session, CancellationTokenSource end)
    {
        try
        {
            stacked.CopyAll(session.EventStream, () => _ = end.CancelAsync());
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // A killed process cuts its stream off; what was copied until then is read.
        }
    }

    /// <summary>Returns whether the process still ran.</summary>
    private static bool TryStop(EventPipeSession session)
    {
        try
        {
            session.Stop();
            return true;
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException)
        {
            // The process ended before the recording, and the session with it.
            return false;
        }
    }
}
