using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Tarn.Sanitizing;
using Tarn.Sanitizing.Platform;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>Starts a program so that it and the processes it starts load the sanitizer.</summary>
internal static class SanitizedProgram
{
    private const string HooksVariable = "DOTNET_STARTUP_HOOKS";

    /// <summary>The assembly with the startup hook, beside the tool.</summary>
    public static string Hook { get; } = Path.Combine(
        Path.GetDirectoryName(typeof(SanitizerSettings).Assembly.Location)!, "Tarn.Sanitizer.Hook.dll");

    /// <summary>How long processes that the program started may take to end after it.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Runs the program to its end with this process's input and output. Returns its exit code, and the processes that it started, directly
    /// or not.
    /// </summary>
    /// <param name="program">The program and its arguments.</param>
    /// <param name="options">Options for the checks, as <c>key=value:key=value</c>.</param>
    /// <param name="folders">Where the processes find private frameworks and write reports.</param>
    /// <exception cref="InvalidDataException">The program cannot be started.</exception>
    public static (int ExitCode, IReadOnlyList<SeenProcess> Processes) Run(string[] program, string options, SanitizerFolders folders)
    {
        var start = new ProcessStartInfo(program[0], program[1..]) { UseShellExecute = false };
        SetEnvironment(start, options, folders);
        using var watch = new ProcessWatch($"{SanitizerSettings.ReportsVariable}={folders.Reports}", Hook);
        using Process process = Start(start);
        watch.Begin(process.Id);
        PosixSignalRegistration[] signals =
        [
            // The terminal sends these to the program too.
            PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => signal.Cancel = true),
            PosixSignalRegistration.Create(PosixSignal.SIGQUIT, signal => signal.Cancel = true),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal => PassOn(signal, process, 15)),
            PosixSignalRegistration.Create(PosixSignal.SIGHUP, signal => PassOn(signal, process, 1)),
        ];
        process.WaitForExit();
        Array.ForEach(signals, signal => signal.Dispose());
        return (process.ExitCode, watch.End(s_patience));
    }

    private static void SetEnvironment(ProcessStartInfo start, string options, SanitizerFolders folders)
    {
        if (Hook.Contains(Path.PathSeparator))
        {
            throw new InvalidDataException(
                $"The tool lies in {Path.GetDirectoryName(Hook)}, a path with {Path.PathSeparator}, which separates startup hooks.");
        }

        // The first: hooks of others then run once, in the process that stays.
        string[] hooks = (Environment.GetEnvironmentVariable(HooksVariable) ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        start.Environment[HooksVariable] = string.Join(Path.PathSeparator, hooks.Prepend(Hook).Distinct());
        start.Environment[SanitizerSettings.OptionsVariable] = options;
        start.Environment[SanitizerSettings.RootVariable] = folders.Cache;
        start.Environment[SanitizerSettings.ReportsVariable] = folders.Reports;
        foreach ((string name, string value) in ProgramRecorder.ForWholeRuns)
        {
            start.Environment[name] = value;
        }
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception exception)
        {
            throw new InvalidDataException($"{start.FileName} cannot be started: {exception.Message}", exception);
        }
    }

    /// <summary>Who ends the tool means the program. Windows has no such signals for other processes.</summary>
    private static void PassOn(PosixSignalContext signal, Process process, int number)
    {
        signal.Cancel = true;
        HostSystem.Send(process.Id, number);
    }
}
