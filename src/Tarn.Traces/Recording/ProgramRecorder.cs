using System.Collections.Concurrent;
using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Starts a program and records it, and the .NET processes it starts, each from its first instruction.</summary>
public static class ProgramRecorder
{
    /// <summary>
    /// Build servers outlive the program that started them, and would pass on the address of a port that is closed: whatever they start
    /// would wait for it for ever.
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

    /// <summary>Runs a program to its end and records each of its processes in which at least one buffer was rented.</summary>
    /// <param name="start">
    /// How to start the program. Its environment gets the address of a diagnostics port, and variables that keep the SDK from starting
    /// servers.
    /// </param>
    /// <param name="processes">Only processes whose command line contains this are recorded; null records all.</param>
    /// <param name="options">When each process's recording ends. The processes continue.</param>
    /// <param name="cancellation">Ends the recordings, then kills the program and its child processes.</param>
    /// <exception cref="RecordingException">The program cannot be started.</exception>
    public static async Task<ProgramRecording> RunAsync(
        ProcessStartInfo start, string? processes, RecordingOptions options, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        using var port = new DiagnosticPort();
        start.Environment[DiagnosticPort.Variable] = port.Address;
        foreach ((string name, string value) in s_withoutServers.Concat(s_forStacks))
        {
            start.Environment[name] = value;
        }

        using Process program = Start(start);
        var traces = new ConcurrentBag<BufferTrace>();
        var failures = new ConcurrentBag<string>();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task accepting = AcceptAllAsync(port, processes, options, traces, failures, ended.Token);
        await program.WaitForExitAsync(cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        // Recordings end while the processes live, because a killed process does not tell which methods its stacks name.
        await ended.CancelAsync().ConfigureAwait(false);
        await accepting.ConfigureAwait(false);
        if (!program.HasExited)
        {
            program.Kill(entireProcessTree: true);
            await program.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        return new ProgramRecording(
            [.. traces.Where(trace => trace.Rented > 0).OrderByDescending(trace => trace.Events.Length)],
            program.ExitCode,
            [.. failures.Order(StringComparer.Ordinal)]);
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

    private static async Task AcceptAllAsync(
        DiagnosticPort port,
        string? processes,
        RecordingOptions options,
        ConcurrentBag<BufferTrace> traces,
        ConcurrentBag<string> failures,
        CancellationToken ended)
    {
        HashSet<int> known = [];
        List<Task> recordings = [];
        try
        {
            while (true)
            {
                WaitingProcess process = await port.AcceptAsync(ended).ConfigureAwait(false);
                if (known.Add(process.Id))
                {
                    recordings.Add(Task.Factory.StartNew(
                        () => RecordOne(process, processes, options, traces, failures, ended),
                        CancellationToken.None,
                        TaskCreationOptions.LongRunning,
                        TaskScheduler.Default));
                }
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(recordings).ConfigureAwait(false);
        }
    }

    /// <summary>Records one process. The process waits until it is resumed, so it must be resumed whatever happens.</summary>
    private static void RecordOne(
        WaitingProcess process,
        string? processes,
        RecordingOptions options,
        ConcurrentBag<BufferTrace> traces,
        ConcurrentBag<string> failures,
        CancellationToken ended)
    {
        try
        {
            if (processes is null || ProcessFacts.Ask(process.Id).Command.Contains(processes, StringComparison.Ordinal))
            {
                traces.Add(TraceRecorder.Record(process.Id, options, TraceRecorder.Started, process.Resume, ended));
            }
            else
            {
                process.Resume();
            }
        }
        catch (Exception exception) when (exception is RecordingException or IOException)
        {
            // The process ended before it was queried or sent an event; others may still connect.
            failures.Add($"Process {process.Id}: {exception.Message}");
        }
    }
}
