using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Records what processes allocate, by the samples that their runtimes take.</summary>
internal static class AllocationRecorder
{
    /// <summary>Records a running process until it ends, for some time, or until the recording is cancelled.</summary>
    /// <remarks>Allocations alone are sampled at a pace, so that a program that allocates much loses little time.</remarks>
    /// <param name="process">The process.</param>
    /// <param name="time">The longest time.</param>
    /// <param name="detail">What to ask of the process; more than its allocations only of .NET 10 and later.</param>
    /// <param name="cancellationToken">Ends the recording.</param>
    /// <exception cref="RecordingException">The process cannot be attached to, or sent nothing.</exception>
    internal static AllocationRecording Attach(int process, TimeSpan time, AllocationDetail detail, CancellationToken cancellationToken)
    {
        // Objects can be followed only without a gap.
        using SamplingPace? pace = detail == AllocationDetail.Allocations ? new(process, time) : null;
        return Record(new AttachedProcess(process), time, detail, pace, null, () => RecordingCut.Request, cancellationToken);
    }

    /// <summary>
    /// Starts a program and records each of its processes. Returns them, those that allocated most first, and the exit code.
    /// </summary>
    /// <param name="start">How to start the program.</param>
    /// <param name="time">The longest time of each recording; null for the whole run.</param>
    /// <param name="keeper">See <see cref="ProgramRecorder"/>.</param>
    /// <param name="cancellationToken">Ends the recordings, and kills the program.</param>
    /// <exception cref="RecordingException">The program cannot be started, or nothing of it could be recorded.</exception>
    internal static async Task<(IReadOnlyList<AllocationRecording> Recordings, int ExitCode)> RunAsync(
        ProcessStartInfo start, TimeSpan? time, ProcessStartInfo? keeper, CancellationToken cancellationToken)
    {
        foreach ((string name, string value) in ProgramRecorder.ForWholeRuns)
        {
            start.Environment[name] = value;
        }

        var run = new ProgramRun<AllocationRecording>(
            null,
            includesSdk: false,
            (process, resume, why, ended) => Record(process, time, AllocationDetail.Allocations, pace: null, resume, why, ended),
            cancellationToken);
        int exitCode = await run.RunAsync(start, keeper).ConfigureAwait(false);
        return run.Results.Count > 0
            ? ([.. run.Results.OrderByDescending(one => one.Samples.Sum(sample => sample.TotalBytes))], exitCode)
            : throw new RecordingException(run.Failures.Count > 0
                ? string.Join(' ', run.Failures)
                : $"{start.FileName} ended with exit code {exitCode}, and no .NET process of it besides the SDK's own could be recorded: "
                    + "it is none and starts none, or its diagnostics are off (DOTNET_EnableDiagnostics=0).");
    }

    /// <param name="process">The process.</param>
    /// <param name="time">The longest time; null for no end.</param>
    /// <param name="detail">What to ask of the process.</param>
    /// <param name="pace">When to sample; null for all the time.</param>
    /// <param name="onStarted">Called as soon as the recording runs.</param>
    /// <param name="whyCancelled">Says, when <paramref name="cancellationToken"/> ended the recording, what that means.</param>
    /// <param name="cancellationToken">Ends the recording.</param>
    private static AllocationRecording Record(
        IRecordedProcess process,
        TimeSpan? time,
        AllocationDetail detail,
        SamplingPace? pace,
        Action? onStarted,
        Func<RecordingCut> whyCancelled,
        CancellationToken cancellationToken)
    {
        ProcessFacts facts = process.Ask(CancellationToken.None);
        bool isRandom = AllocationEvents.IsRandomIn(facts.Runtime);
        var sampler = new AllocationSampler(process, isRandom, detail, whyCancelled, cancellationToken);
        DateTimeOffset at = DateTimeOffset.Now;
        IEventSession session = sampler.Start();
        var watch = Stopwatch.StartNew();
        onStarted?.Invoke();
        using var hasStarted = new CancellationTokenSource();
        Task<ProcessFacts> asking = Task.Factory.StartNew(
            () => ProcessFacts.AskUntil(process, facts, hasStarted.Token, hasStarted.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        List<SampledWindow> windows = [];
        try
        {
            RecordingCut cut;
            do
            {
                cut = RecordWindow(sampler, session, windows, watch, time, pace, cancellationToken);
                hasStarted.Cancel();
            }
            while (cut == RecordingCut.Bytes && pace is not null && TryStart(sampler, pace, out session, ref cut));

            JoinedWindows joined = Join(windows, process.Id);
            return new AllocationRecording
            {
                ProcessId = process.Id,
                Facts = asking.GetAwaiter().GetResult(),
                At = at,
                Duration = joined.Period,
                Sampled = joined.Length,
                Windows = windows.Count,
                IsRandom = isRandom,
                Samples = joined.Samples,
                Types = joined.Types,
                Stacks = joined.Stacks,
                Collections = joined.Collections,
                LostEvents = joined.LostEvents,
                Fates = joined.Fates,
                HasCollected = windows[^1].HasCollected,
                Cut = cut,
            };
        }
        finally
        {
            windows.ForEach(static window => window.Dispose());
        }
    }

    private static JoinedWindows Join(List<SampledWindow> windows, int process)
    {
        var joined = new JoinedWindows();
        foreach (SampledWindow window in windows)
        {
            try
            {
                window.Read();
            }
            catch (FormatException) when (window != windows[0])
            {
                // The process ended as the session began.
                continue;
            }
            catch (FormatException exception)
            {
                throw new RecordingException($"The recording of process {process} broke off before its first event.", exception);
            }

            joined.Add(window);
        }

        return joined;
    }

    /// <summary>Samples in a session, and waits until the next one may begin.</summary>
    /// <returns>What ended the recording; <see cref="RecordingCut.Bytes"/> if another session may begin.</returns>
    private static RecordingCut RecordWindow(
        AllocationSampler sampler,
        IEventSession session,
        List<SampledWindow> windows,
        Stopwatch watch,
        TimeSpan? time,
        SamplingPace? pace,
        CancellationToken cancellationToken)
    {
        using (session)
        {
            TimeSpan begin = watch.Elapsed;
            pace?.Begin();
            SampledWindow window = sampler.Sample(
                session, time - begin, pace is null ? null : SamplingPace.MostBytes(windows.Count), () => pace?.End());
            windows.Add(window);
            return pace is null || window.Cut != RecordingCut.Bytes ? window.Cut
                : pace.Wait(window, time - watch.Elapsed, cancellationToken) ? RecordingCut.Bytes
                : pace.HasEnded ? RecordingCut.None
                : cancellationToken.IsCancellationRequested ? RecordingCut.Request
                : RecordingCut.Time;
        }
    }

    private static bool TryStart(AllocationSampler sampler, SamplingPace pace, out IEventSession session, ref RecordingCut cut)
    {
        try
        {
            session = sampler.Start();
            return true;
        }
        catch (RecordingException)
        {
            // The process has ended, or takes no session any more.
            session = null!;
            cut = pace.HasEnded ? RecordingCut.None : RecordingCut.Broken;
            return false;
        }
    }
}
