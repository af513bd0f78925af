using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Starts a program and records it, and the .NET processes it starts, each from its first instruction.</summary>
public static class ProgramRecorder
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

    /// <summary>The variables for programs that are watched to the end of all their processes.</summary>
    internal static IEnumerable<(string Name, string Value)> ForWholeRuns => [.. s_withoutServers, s_forStacks[^1]];

    /// <summary>Runs a program to its end and records each of its processes in which at least one buffer was rented.</summary>
    /// <param name="start">
    /// How to start the program. Its environment gets the address of a diagnostics port, and variables that keep the SDK from starting
    /// servers.
    /// </param>
    /// <param name="processes">
    /// Only processes with this in their command line, or in the path of their assembly, are recorded; null records all.
    /// </param>
    /// <param name="options">When each process's recording ends. The processes continue.</param>
    /// <param name="keeper">
    /// How to start the program that keeps the port open for what the recorded program leaves behind: see <see cref="PortKeeper"/>. Null:
    /// a .NET program that starts after the recording has ended, with the environment of the recorded one, waits for ever.
    /// </param>
    /// <param name="cancellationToken">Ends the recordings, then kills the program and its child processes.</param>
    /// <exception cref="RecordingException">The program cannot be started.</exception>
    public static async Task<ProgramRecording> RunAsync(
        ProcessStartInfo start,
        string? processes,
        RecordingOptions options,
        ProcessStartInfo? keeper = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(options);
        options.Verify();
        foreach ((string name, string value) in s_withoutServers.Concat(s_forStacks))
        {
            start.Environment[name] = value;
        }

        var run = new ProgramRun<BufferTrace>(
            processes,
            options.IncludesSdk,
            (process, resume, why, ended) => TraceRecorder.Record(process, options, TraceRecorder.Started, resume, why, ended),
            cancellationToken);
        int exitCode = await run.RunAsync(start, keeper).ConfigureAwait(false);
        IEnumerable<string> silent = run.Results
            .Where(trace => trace.Rented == 0 && trace.Details?.Cut.HasFlag(RecordingCut.Broken) == true)
            .Select(trace => $"Process {trace.Details!.ProcessId}: its events broke off before it rented a buffer.");
        return new ProgramRecording(
            [.. run.Results.Where(trace => trace.Rented > 0).OrderByDescending(trace => trace.Events.Length)],
            exitCode,
            [.. run.Failures.Concat(silent).Order(StringComparer.Ordinal)])
        {
            Connected = run.Connected,
            NotAskedFor = run.NotAskedFor,
            OfSdk = run.OfSdk,
        };
    }
}
