using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Records what processes allocate, by the samples that their runtimes take.</summary>
internal static class AllocationRecorder
{
    private const int BufferMegabytes = 256;
    private const int CollectionBufferMegabytes = 16;

    /// <summary>Records a running process until it ends, for some time, or until the recording is cancelled.</summary>
    /// <param name="process">The process.</param>
    /// <param name="time">The longest time.</param>
    /// <param name="detail">What to ask of the process; more than its allocations only of .NET 10 and later.</param>
    /// <param name="cancellation">Ends the recording.</param>
    /// <exception cref="RecordingException">The process cannot be attached to, or sent nothing.</exception>
    internal static AllocationRecording Attach(int process, TimeSpan time, AllocationDetail detail, CancellationToken cancellation) =>
        Record(new AttachedProcess(process), time, detail, null, () => RecordingCut.Request, cancellation);

    /// <summary>
    /// Starts a program and records each of its processes. Returns them, those that allocated most first, and the exit code.
    /// </summary>
    /// <param name="start">How to start the program.</param>
    /// <param name="time">The longest time of each recording; null for the whole run.</param>
    /// <param name="keeper">See <see cref="ProgramRecorder"/>.</param>
    /// <param name="cancellation">Ends the recordings, and kills the program.</param>
    /// <exception cref="RecordingException">The program cannot be started, or nothing of it could be recorded.</exception>
    internal static async Task<(IReadOnlyList<AllocationRecording> Recordings, int ExitCode)> RunAsync(
        ProcessStartInfo start, TimeSpan? time, ProcessStartInfo? keeper, CancellationToken cancellation)
    {
        foreach ((string name, string value) in ProgramRecorder.ForWholeRuns)
        {
            start.Environment[name] = value;
        }

        var run = new ProgramRun<AllocationRecording>(
            null,
            (process, resume, why, ended) => Record(process, time, AllocationDetail.Allocations, resume, why, ended),
            cancellation);
        int exitCode = await run.RunAsync(start, keeper).ConfigureAwait(false);
        return run.Results.Count > 0
            ? ([.. run.Results.OrderByDescending(one => one.Samples.Sum(sample => sample.TotalBytes))], exitCode)
            : throw new RecordingException(run.Failures.Count > 0
                ? string.Join(' ', run.Failures)
                : $"{start.FileName} ended with exit code {exitCode}, and no .NET process of it could be recorded: it is none and starts "
                    + "none, or its diagnostics are off (DOTNET_EnableDiagnostics=0).");
    }

    private static AllocationRecording Record(
        IRecordedProcess process,
        TimeSpan? time,
        AllocationDetail detail,
        Action? onStarted,
        Func<RecordingCut> whyCancelled,
        CancellationToken cancellation)
    {
        ProcessFacts facts = process.Ask(CancellationToken.None);
        bool isRandom = AllocationEvents.IsRandomIn(facts.Runtime);
        var events = new AllocationEvents(isRandom, isFollowed: isRandom && detail != AllocationDetail.Allocations);
        using var stacked = new StackedEvents();
        DateTimeOffset at = DateTimeOffset.Now;
        using IEventSession session = process.Start(events.Providers(), withStacks: true, BufferMegabytes);
        var watch = Stopwatch.StartNew();
        onStarted?.Invoke();
        using var hasStarted = new CancellationTokenSource();
        Task<ProcessFacts> asking = Task.Factory.StartNew(
            () => ProcessFacts.AskUntil(process, hasStarted.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        var stream = new EndOfStream(session.Events);
        bool hasCollected = false;
        void Stop()
        {
            hasCollected = detail == AllocationDetail.InUseAfterCollection && HasCollected(process);
            session.Stop();
        }

        RecordingCut cut = Copy(Stop, stacked, stream, time, watch, whyCancelled, cancellation);
        hasStarted.Cancel();
        ProcessFacts named = asking.GetAwaiter().GetResult();
        try
        {
            long lost = stacked.Read(events.Subscribe, _ => { });
            return new AllocationRecording
            {
                ProcessId = process.Id,
                Facts = named == ProcessFacts.Unknown ? facts : named,
                At = at,
                Duration = watch.Elapsed,
                IsRandom = isRandom,
                Samples = events.Samples,
                Types = events.Types,
                Stacks = stacked.Stacks,
                Collections = events.Collected,
                LostEvents = lost,
                Fates = lost == 0 ? events.Fates : null,
                HasCollected = hasCollected,
                Cut = cut | (stacked.IsFull ? RecordingCut.Bytes : 0) | (stream.IsWhole ? 0 : RecordingCut.Broken),
            };
        }
        catch (FormatException exception)
        {
            throw new RecordingException($"The recording of process {process.Id} broke off before its first event.", exception);
        }
    }

    /// <summary>Copies the stream until the process, the time or the recording ends. Returns what that cuts off.</summary>
    private static RecordingCut Copy(
        Action stopSession,
        StackedEvents stacked,
        EndOfStream stream,
        TimeSpan? time,
        Stopwatch watch,
        Func<RecordingCut> whyCancelled,
        CancellationToken cancellation)
    {
        RecordingCut cut = RecordingCut.None;
        using var late = new CancellationTokenSource();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation, late.Token);
        using CancellationTokenRegistration stop = end.Token.Register(() =>
        {
            watch.Stop();
            try
            {
                stopSession();
                cut = cancellation.IsCancellationRequested ? whyCancelled() : RecordingCut.Time;
            }
            catch (IOException)
            {
                // The process ended before, and the session with it.
            }
        });
        if (time is { } longest)
        {
            late.CancelAfter(longest);
        }

        try
        {
            // On another thread: stopping waits until the rest of the stream has been read.
            stacked.CopyAll(stream, () => _ = late.CancelAsync());
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // A killed process cuts its stream off; what was copied until then is read.
        }

        // Waits for the callback, if it runs.
        stop.Dispose();
        watch.Stop();
        return cut;
    }

    /// <summary>Has a process collect all its garbage, which it does before it answers that the session has started.</summary>
    private static bool HasCollected(IRecordedProcess process)
    {
        try
        {
            using IEventSession session = process.Start(AllocationEvents.Collection, withStacks: false, CollectionBufferMegabytes);
            session.Stop();
            return true;
        }
        catch (Exception exception) when (exception is RecordingException or IOException)
        {
            // The process has ended, or has as many sessions as it can have.
            return false;
        }
    }
}
