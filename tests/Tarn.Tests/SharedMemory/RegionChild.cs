using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Tarn.Tests.Diagnostics;

namespace Tarn.Tests.SharedMemory;

/// <summary>A process that works with regions: told what to do line by line, or running on its own. It is killed when disposed.</summary>
internal sealed partial class RegionChild : IDisposable
{
    private const int KillSignal = 9;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly Task<string> _error;

    private RegionChild(string[] arguments, string? limits, (string, string?)[] environment)
    {
        // Killed processes would leave the sockets of their diagnostics behind.
        _process = ChildProcess.Start(arguments, limits, [("DOTNET_EnableDiagnostics", "0"), .. environment]);
        _error = _process.StandardError.ReadToEndAsync();
    }

    /// <summary>The process that was started; its parent if it was put into the background.</summary>
    internal int Id => _process.Id;

    /// <summary>A process that does what it is asked.</summary>
    /// <param name="directory">Where its regions lie.</param>
    /// <param name="limits">A shell command to run before, as for <see cref="ChildProcess"/>; may replace the shell.</param>
    /// <param name="environment">Variables of its own.</param>
    internal static RegionChild Start(RegionDirectory directory, string? limits = null, params (string, string?)[] environment) =>
        Start(directory.Kind, directory.Path, limits, environment);

    internal static RegionChild Start(string kind, string path, string? limits = null, params (string, string?)[] environment) =>
        new(["regions", kind, path], limits, environment);

    /// <summary>A process that runs a scenario on its own.</summary>
    internal static RegionChild Run(string scenario, RegionDirectory directory, params string[] arguments) =>
        new([scenario, directory.Kind, directory.Path, .. arguments], limits: null, []);

    /// <summary>What it answers; fails when it does not, or has ended.</summary>
    internal string Ask(string command) => TryAsk(command) ?? throw new InvalidOperationException($"The process has ended: {_error.Result}");

    /// <summary>Null when it has ended.</summary>
    internal string? TryAsk(string command)
    {
        try
        {
            Tell(command);
        }
        catch (IOException)
        {
            return null;
        }

        return ReadLine();
    }

    internal void Tell(string command)
    {
        _process.StandardInput.WriteLine(command);
        _process.StandardInput.Flush();
    }

    /// <summary>The next line it wrote; null when it has ended.</summary>
    internal string? ReadLine()
    {
        Task<string?> line = _process.StandardOutput.ReadLineAsync();
        Assert.True(line.Wait(s_limit), $"The process wrote nothing for {s_limit}.");
        return line.Result;
    }

    /// <summary>By SIGKILL; it has ended and its parent knows when this returns.</summary>
    internal void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Sends SIGKILL to a process, and does not look what becomes of it.</summary>
    internal static void Kill(int id) => Assert.Equal(0, SendSignal(id, KillSignal));

    /// <summary>Ends the process's input; returns its exit code.</summary>
    internal int End()
    {
        _process.StandardInput.Close();
        return WaitForExit();
    }

    internal int WaitForExit()
    {
        Assert.True(_process.WaitForExit(s_limit), $"The process did not end in {s_limit}.");
        return _process.ExitCode;
    }

    internal int AskForId() => int.Parse(Ask("pid"), CultureInfo.InvariantCulture);

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int SendSignal(int id, int signal);
}
