using System.Collections.Concurrent;
using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>A program that was started, and the .NET processes that it starts, each recorded from its first instruction.</summary>
/// <param name="asked">
/// Only processes with this in their command line, or in the path of their assembly, are recorded; null for all.
/// </param>
/// <param name="includesSdk">Whether processes of the SDK are recorded too, rather than left alone.</param>
/// <param name="record">
/// Records one process. It resumes the process when the recording runs, says why the recording ends when it is cancelled, and ends then.
/// </param>
/// <param name="cancellationToken">Ends the recordings, then kills the program and its child processes.</param>
internal sealed class ProgramRun<T>(
    string? asked,
    bool includesSdk,
    Func<IRecordedProcess, Action, Func<RecordingCut>, CancellationToken, T> record,
    CancellationToken cancellationToken)
{
    /// <summary>How long processes that the program started may take to end after it, so that they are recorded to their end.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    private readonly Dictionary<Guid, PortProcess> _processes = [];
    private readonly List<Task> _recordings = [];
    private readonly ConcurrentBag<T> _results = [];
    private readonly ConcurrentBag<string> _failures = [];
    private int _notAskedFor;
    private int _ofSdk;

    /// <summary>What was recorded of each process.</summary>
    internal IReadOnlyCollection<T> Results => _results;

    /// <summary>The processes that could not be recorded, each with the reason.</summary>
    internal IReadOnlyCollection<string> Failures => _failures;

    /// <summary>The .NET processes that connected.</summary>
    internal int Connected => _processes.Count;

    /// <summary>Those that were not asked for, and so not recorded.</summary>
    internal int NotAskedFor => _notAskedFor;

    /// <summary>Those of the SDK, which are left alone.</summary>
    internal int OfSdk => _ofSdk;

    /// <summary>Runs a program to its end. Returns its exit code.</summary>
    /// <param name="start">How to start it.</param>
    /// <param name="keeper">How to start the program that keeps the port open for what the recorded program leaves behind.</param>
    /// <exception cref="RecordingException">The program cannot be started.</exception>
    internal async Task<int> RunAsync(ProcessStartInfo start, ProcessStartInfo? keeper)
    {
        var port = new DiagnosticPort();
        start.Environment[DiagnosticPort.Variable] = port.Address;
        using Process? kept = keeper is null ? null : PortKeeper.Start(keeper, port.Address);
        try
        {
            using var watch = new ProcessWatch($"{DiagnosticPort.Variable}={port.Address}");
            using Process program = Start(start);
            watch.Begin(program.Id);
            int exitCode = await RecordAsync(port, program).ConfigureAwait(false);
            AddUnseen(watch.End(TimeSpan.Zero));
            return exitCode;
        }
        finally
        {
            port.Dispose();
            kept?.StandardInput.Dispose();
        }
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start) ?? throw new RecordingException($"{start.FileName} was not started.");
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            throw new RecordingException($"{start.FileName} cannot be started: {exception.Message}", exception);
        }
    }

    /// <summary>A process that never connected was not recorded, whoever cleared its environment or turned its diagnostics off.</summary>
    private void AddUnseen(IReadOnlyList<SeenProcess> seen)
    {
        HashSet<int> connected = [.. _processes.Values.Select(static one => one.Id)];
        foreach (SeenProcess process in seen.Where(one => one.IsDotnet && !connected.Contains(one.Id)
            && (includesSdk || !one.Line.IsSdk) && one.Line.Matches(asked)))
        {
            string reason = process.IsOfOtherUser ? "it belongs to another user"
                : process.HasMarks ? "it did not connect: its diagnostics are off, or it ended too early"
                : $"its environment lacks {DiagnosticPort.Variable}: whoever started it cleared that";
            _failures.Add($"Process {process.Id}, {process.Line.Text}: {reason}.");
        }
    }

    private async Task<int> RecordAsync(DiagnosticPort port, Process program)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var closed = new CancellationTokenSource();
        Task accepting = AcceptAllAsync(port, ended.Token, closed.Token);
        await program.WaitForExitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await WaitForRecordingsAsync().ConfigureAwait(false);

        // Recordings end while the processes live, because a killed process does not tell which methods its stacks name.
        await ended.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(TakeRecordings()).ConfigureAwait(false);
        await closed.CancelAsync().ConfigureAwait(false);
        await accepting.ConfigureAwait(false);
        await Task.WhenAll(TakeRecordings()).ConfigureAwait(false);
        if (!program.HasExited)
        {
            program.Kill(entireProcessTree: true);
            await program.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        return program.ExitCode;
    }

    /// <summary>Waits a moment for the processes that end with the program, so that they are recorded to their end.</summary>
    private async Task WaitForRecordingsAsync()
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(s_patience);
        await Task.WhenAll(TakeRecordings()).WaitAsync(patience.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private Task[] TakeRecordings()
    {
        lock (_recordings)
        {
            return [.. _recordings];
        }
    }

    /// <summary>Gives each process its connections, and records it from the first.</summary>
    private async Task AcceptAllAsync(DiagnosticPort port, CancellationToken ended, CancellationToken closed)
    {
        try
        {
            while (true)
            {
                WaitingProcess connection = await port.AcceptAsync(closed).ConfigureAwait(false);
                if (_processes.TryGetValue(connection.Runtime, out PortProcess? process))
                {
                    process.Add(connection.Connection);
                    continue;
                }

                process = new PortProcess(connection.Id);
                process.Add(connection.Connection);
                _processes.Add(connection.Runtime, process);
                lock (_recordings)
                {
                    _recordings.Add(Task.Factory.StartNew(
                        () => RecordOne(process, ended), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The program and the recordings have ended.
        }
    }

    /// <summary>Records one process. The process waits until it is resumed, so it is resumed whatever happens.</summary>
    private void RecordOne(PortProcess process, CancellationToken ended)
    {
        try
        {
            ProgramLine line = ProgramLine.Read(process.Id, () => process.Ask(CancellationToken.None).Command);
            if (line.IsSdk && !includesSdk)
            {
                Interlocked.Increment(ref _ofSdk);
            }
            else if (!line.Matches(asked))
            {
                Interlocked.Increment(ref _notAskedFor);
            }
            else
            {
                _results.Add(record(process, process.Resume, WhyItEnds, ended));
            }
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException)
        {
            // The process ended before it was queried or sent an event; others may still connect.
            _failures.Add($"Process {process.Id}: {exception.Message}");
        }

        try
        {
            process.Resume();
        }
        catch (IOException)
        {
            // It has ended.
        }
    }

    private RecordingCut WhyItEnds() => cancellationToken.IsCancellationRequested ? RecordingCut.Request : RecordingCut.Outlived;
}
