using System.Collections.Concurrent;
using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Starts a program and records it, and the .NET processes it starts, each from its first instruction.</summary>
public sealed class ProgramRecorder
{
    /// <summary>
    /// Build servers outlive the program that started them, and would pass on the address of a port that is closed.
    /// </summary>
    private static readonly (string Name, string Value)[] s_withoutServers =
    [
        ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("UseSharedCompilation", "false"),
    ];

    private static readonly (string Name, string Value)[] s_forStacks =
    [
        (InlineMaps.Variable, "1"),

        // dotnet test kills its host when it has not ended after a tenth of a second, before it has listed its methods.
        ("VSTEST_TESTHOST_SHUTDOWN_TIMEOUT", "60000"),
    ];

    /// <summary>How long processes that the program started may take to end after it, so that they are recorded to their end.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    private readonly string? _asked;
    private readonly RecordingOptions _options;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<Guid, PortProcess> _processes = [];
    private readonly List<Task> _recordings = [];
    private readonly ConcurrentBag<BufferTrace> _traces = [];
    private readonly ConcurrentBag<string> _failures = [];
    private int _notAskedFor;

    private ProgramRecorder(string? asked, RecordingOptions options, CancellationToken cancellation) =>
        (_asked, _options, _cancellation) = (asked, options, cancellation);

    /// <summary>The variables for programs that are watched to the end of all their processes.</summary>
    internal static IEnumerable<(string Name, string Value)> ForWholeRuns => [.. s_withoutServers, s_forStacks[^1]];

    /// <summary>Runs a program to its end and records each of its processes in which at least one buffer was rented.</summary>
    /// <param name="start">
    /// How to start the program. Its environment gets the address of a diagnostics port, and variables that keep the SDK from starting
    /// servers.
    /// </param>
    /// <param name="processes">Only processes whose command line contains this are recorded; null records all.</param>
    /// <param name="options">When each process's recording ends. The processes continue.</param>
    /// <param name="keeper">
    /// How to start the program that keeps the port open for what the recorded program leaves behind: see <see cref="PortKeeper"/>. Null:
    /// a .NET program that starts after the recording has ended, with the environment of the recorded one, waits for ever.
    /// </param>
    /// <param name="cancellation">Ends the recordings, then kills the program and its child processes.</param>
    /// <exception cref="RecordingException">The program cannot be started.</exception>
    public static async Task<ProgramRecording> RunAsync(
        ProcessStartInfo start,
        string? processes,
        RecordingOptions options,
        ProcessStartInfo? keeper = null,
        CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        var port = new DiagnosticPort();
        start.Environment[DiagnosticPort.Variable] = port.Address;
        foreach ((string name, string value) in s_withoutServers.Concat(s_forStacks))
        {
            start.Environment[name] = value;
        }

        using Process? kept = keeper is null ? null : PortKeeper.Start(keeper, port.Address);
        try
        {
            using Process program = Start(start);
            return await new ProgramRecorder(processes, options, cancellation).RecordAsync(port, program).ConfigureAwait(false);
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

    private async Task<ProgramRecording> RecordAsync(DiagnosticPort port, Process program)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_cancellation);
        using var closed = new CancellationTokenSource();
        Task accepting = AcceptAllAsync(port, ended.Token, closed.Token);
        await program.WaitForExitAsync(_cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
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

        foreach (BufferTrace silent in _traces.Where(trace => trace.Rented == 0 && trace.Details?.Cut.HasFlag(RecordingCut.Broken) == true))
        {
            _failures.Add($"Process {silent.Details!.ProcessId}: its events broke off before it rented a buffer.");
        }

        return new ProgramRecording(
            [.. _traces.Where(trace => trace.Rented > 0).OrderByDescending(trace => trace.Events.Length)],
            program.ExitCode,
            [.. _failures.Order(StringComparer.Ordinal)])
        {
            Connected = _processes.Count,
            NotAskedFor = _notAskedFor,
        };
    }

    /// <summary>Waits a moment for the processes that end with the program, so that they are recorded to their end.</summary>
    private async Task WaitForRecordingsAsync()
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(_cancellation);
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
            if (_asked is null || process.Ask(CancellationToken.None).Command.Contains(_asked, StringComparison.Ordinal))
            {
                _traces.Add(TraceRecorder.Record(process, _options, TraceRecorder.Started, process.Resume, WhyItEnds, ended));
            }
            else
            {
                Interlocked.Increment(ref _notAskedFor);
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

    private RecordingCut WhyItEnds() => _cancellation.IsCancellationRequested ? RecordingCut.Request : RecordingCut.Outlived;
}
