using System.Diagnostics;

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
    /// Records a running process until it ends, the options end the recording, or <paramref name="cancellationToken"/> is signalled.
    /// </summary>
    /// <param name="processId">A .NET process of the same user.</param>
    /// <param name="options">When to end.</param>
    /// <param name="cancellationToken">Ends the recording early. The call returns the events recorded until then.</param>
    /// <exception cref="RecordingException">The process does not exist, or has no diagnostics port.</exception>
    public static BufferTrace Attach(int processId, RecordingOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        return Record(processId, options, "attached", onStarted: null, cancellationToken);
    }

    /// <param name="processId">The process's id.</param>
    /// <param name="options">When to end.</param>
    /// <param name="how">The text for the trace's origin.</param>
    /// <param name="onStarted">Called as soon as the recording runs.</param>
    /// <param name="cancellationToken">Ends the recording.</param>
    internal static BufferTrace Record(
        int processId, RecordingOptions options, string how, Action? onStarted, CancellationToken cancellationToken) =>
        Record(new AttachedProcess(processId), options, how, onStarted, () => RecordingCut.Request, cancellationToken);

    /// <param name="process">The process.</param>
    /// <param name="options">When to end.</param>
    /// <param name="how">The text for the trace's origin.</param>
    /// <param name="onStarted">Called as soon as the recording runs.</param>
    /// <param name="whyCancelled">Says, when the recording was ended by <paramref name="cancellationToken"/>, what that means.</param>
    /// <param name="cancellationToken">Ends the recording.</param>
    internal static BufferTrace Record(
        IRecordedProcess process,
        RecordingOptions options,
        string how,
        Action? onStarted,
        Func<RecordingCut> whyCancelled,
        CancellationToken cancellationToken)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        var events = new PoolEvents(options.MostEvents);
        using StackedEvents? stacked = options.Detail == RecordingDetail.Stacks ? new StackedEvents() : null;
        ProcessFacts before = process.Ask(CancellationToken.None);
        using IEventSession session =
            process.Start(PoolEvents.Providers(options.Detail), withStacks: stacked is not null, options.BufferMegabytes);
        var watch = Stopwatch.StartNew();
        onStarted?.Invoke();

        // Query from the start: a short-lived process is gone when its first event is read.
        using var hasStarted = new CancellationTokenSource();
        using var hasEnded = new CancellationTokenSource();
        Task<ProcessFacts> asking = Start(() => ProcessFacts.AskUntil(process, before, hasStarted.Token, hasEnded.Token));
        Task<IReadOnlyDictionary<int, string>> naming = options.Detail == RecordingDetail.Rents
            ? Task.FromResult<IReadOnlyDictionary<int, string>>(new Dictionary<int, string>())
            : Start(() => new AskedPoolNames(process).AskUntil(hasEnded.Token));
        var stream = new EndOfStream(session.Events);
        bool wasStopped = false;
        bool isCutByTime = false;
        try
        {
            using var end = new SessionEnd(
                () =>
                {
                    watch.Stop();
                    hasEnded.Cancel();
                    wasStopped = TryStop(session);
                },
                options.LongestTime,
                cancellationToken);
            Read(events, stacked, stream, end, hasStarted.Cancel, () =>
            {
                watch.Stop();
                hasEnded.Cancel();
            });
            end.Dispose();
            isCutByTime = end.IsByTime;
        }
        finally
        {
            hasEnded.Cancel();
            hasStarted.Cancel();
        }

        RecordingCut cut = (events.WasFull ? RecordingCut.Events : 0)
            | (stacked?.IsFull == true ? RecordingCut.Bytes : 0)
            | (stream.IsWhole ? 0 : RecordingCut.Broken);
        if (wasStopped && cut == RecordingCut.None)
        {
            cut = isCutByTime ? RecordingCut.Time : cancellationToken.IsCancellationRequested ? whyCancelled() : RecordingCut.Events;
        }

        var origin = new TraceOrigin
        {
            Program = "",
            Command = "",
            Runtime = "",
            How = how,
            RecordedAt = DateTimeOffset.FromUnixTimeMilliseconds(now.ToUnixTimeMilliseconds()),
            LostEvents = events.Lost,
        };
        var ended = new Ending(cut, watch.Elapsed, asking.GetAwaiter().GetResult(), naming.GetAwaiter().GetResult());
        return ToTrace(process.Id, origin, options.Detail, events, stacked, ended);
    }

    private static BufferTrace ToTrace(
        int processId,
        TraceOrigin origin,
        RecordingDetail detail,
        PoolEvents events,
        StackedEvents? stacked,
        Ending ending)
    {
        RentMatcher matcher = events.Matcher;
        origin = origin with
        {
            Program = ending.Facts.Program,
            Command = ending.Facts.Command,
            Runtime = ending.Facts.Runtime,
            UnmatchedReturns = matcher.UnmatchedReturns,
            Allocated = matcher.Allocated,
            Dropped = matcher.Dropped,
        };
        if (detail == RecordingDetail.Rents)
        {
            return new BufferTrace(origin, matcher.Events);
        }

        IReadOnlyList<PoolAction> actions = matcher.TakeActions();
        long ended = events.WasFull ? events.LastMicroseconds : Math.Max(events.LastMicroseconds, (long)ending.Elapsed.TotalMicroseconds);
        return new BufferTrace(origin, matcher.Events, new TraceDetails
        {
            ProcessId = processId,
            IsFromStart = origin.How == Started,
            HasEnded = (ending.Cut & ~RecordingCut.Broken) == RecordingCut.None,
            Cut = ending.Cut,
            BeginMicroseconds = Math.Min(0, matcher.ToTraceTime(0)),
            EndMicroseconds = Math.Max(0, matcher.ToTraceTime(ended)),
            Stacks = stacked?.Stacks ?? StackTable.Empty,
            Pools = events.DescribePools(stacked?.Elements ?? [], ending.Names),
            Actions = actions,
        });
    }

    /// <summary>Runs on a thread of its own: what waits for a process must not keep the timer of a recording from a thread.</summary>
    private static Task<T> Start<T>(Func<T> work) => Task.Factory.StartNew(
        work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Read(
        PoolEvents events,
        StackedEvents? stacked,
        EndOfStream stream,
        SessionEnd end,
        Action onFirst,
        Action onEnd)
    {
        try
        {
            if (stacked is null)
            {
                events.ReadAll(stream, onFirst, end.Begin);
                onEnd();
            }
            else
            {
                CopyAll(stacked, stream, end);
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

    private static void CopyAll(StackedEvents stacked, EndOfStream stream, SessionEnd end)
    {
        try
        {
            stacked.CopyAll(stream, end.Begin);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // A killed process cuts its stream off; what was copied until then is read.
        }
    }

    /// <summary>Returns whether the process still ran.</summary>
    private static bool TryStop(IEventSession session)
    {
        try
        {
            session.Stop();
            return true;
        }
        catch (IOException)
        {
            // The process ended before the recording, and the session with it.
            return false;
        }
    }

    /// <summary>What is known when a recording has ended.</summary>
    private sealed record Ending(
        RecordingCut Cut, TimeSpan Elapsed, ProcessFacts Facts, IReadOnlyDictionary<int, string> Names);
}
