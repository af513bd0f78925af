using System.CommandLine;
using System.Diagnostics;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary>A program that a command started and recorded to its end, with the processes it started.</summary>
/// <param name="Recording">What was recorded.</param>
/// <param name="WhyNothing">Why there is nothing to judge; null if a process rented a buffer.</param>
internal sealed record StartedProgram(ProgramRecording Recording, string? WhyNothing)
{
    /// <summary>The variables that keep a runtime from connecting, for the value 0.</summary>
    private static readonly string[] s_switches =
    [
        "DOTNET_EnableDiagnostics", "DOTNET_EnableDiagnostics_IPC", "COMPlus_EnableDiagnostics", "COMPlus_EnableDiagnostics_IPC",
    ];

    /// <summary>Which processes are recorded: the same for all commands that start a program.</summary>
    public static Option<string?> Only { get; } = new("--process")
    {
        Description = "With a program: record only processes with this text in their command line, or in the path of their assembly.",
        HelpName = "TEXT",
    };

    /// <summary>Whether the SDK's processes are recorded.</summary>
    public static Option<bool> WithSdk { get; } = new("--with-sdk")
    {
        Description = "With a program: record the SDK's own processes too, such as MSBuild and the compilers.",
    };

    /// <summary>The exit code of the program.</summary>
    public int ExitCode => Recording.ExitCode;

    /// <summary>Runs it to its end, and says which of its processes could not be recorded.</summary>
    /// <param name="program">The program and its arguments.</param>
    /// <param name="only">Record only processes with this in their command line, or in the path of their assembly; null for all.</param>
    /// <param name="options">What to record.</param>
    /// <param name="end">Ends the recording early.</param>
    public static StartedProgram Record(string[] program, string? only, RecordingOptions options, CancellationToken end)
    {
        ProgramRecording recording = ProgramRecorder
            .RunAsync(new ProcessStartInfo(program[0], program[1..]), only, options, KeepPortCommand.Start(), end)
            .GetAwaiter().GetResult();
        foreach (string failure in recording.Failures)
        {
            Console.Error.WriteLine($"tarn: not recorded: {failure}");
        }

        return new StartedProgram(recording, recording.Traces.Count > 0 ? null : Explain(program[0], only, recording));
    }

    private static string Explain(string program, string? only, ProgramRecording recording)
    {
        if (recording.Connected == 0)
        {
            string none = $"{program} ended with exit code {recording.ExitCode}, and no .NET process of it could be recorded";
            return s_switches.FirstOrDefault(name => Environment.GetEnvironmentVariable(name) == "0") is { } name
                ? $"{none}: {name}=0 is set, which turns the diagnostics of .NET off. Unset it for this run."
                : $"{none}: it is no .NET program and starts none, or its diagnostics are off (DOTNET_EnableDiagnostics=0), or it was "
                    + "compiled ahead of time without event sources.";
        }

        if (recording.Connected == recording.NotAskedFor + recording.OfSdk)
        {
            string ofSdk = recording.OfSdk == 0
                ? ""
                : $"{Words.Count(recording.OfSdk, "process", "processes")} of the SDK itself left alone (--with-sdk records them)";
            return recording.NotAskedFor == 0
                ? $"{program} started no .NET process of its own; {ofSdk}."
                : $"none of {recording.NotAskedFor} .NET processes has \"{only}\" in its command line (--process)"
                    + $"{(ofSdk.Length > 0 ? "; " : "")}{ofSdk}.";
        }

        return recording.Failures.Count > 0
            ? $"{program} ended with exit code {recording.ExitCode}, and no process of it was recorded to the end."
            : $"no recorded process rented a buffer. {program} ended with exit code {recording.ExitCode}. Does it turn event sources off "
                + "(EventSourceSupport)?";
    }
}
