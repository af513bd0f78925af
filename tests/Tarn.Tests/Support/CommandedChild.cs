using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Tarn.Tests.Support;

/// <summary>A process that gets commands line by line, and answers each with a line. It is killed when disposed.</summary>
internal abstract partial class CommandedChild : IDisposable
{
    private const int KillSignal = 9;

    /// <summary>It only keeps a failing test from hanging.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(90);

    private readonly Process _process;
    private readonly Task<string> _error;
    private Task<string?>? _line;
    private bool _isDisposed;

    /// <summary>Starts a scenario, as <see cref="ChildProcess"/> does.</summary>
    protected CommandedChild(string[] arguments, string? limits, params (string, string?)[] environment)
    {
        // Killed processes would leave the sockets of their diagnostics behind.
        _process = ChildProcess.Start(arguments, limits, [("DOTNET_EnableDiagnostics", "0"), .. environment]);
        _error = _process.StandardError.ReadToEndAsync();
    }

    /// <summary>The process that was started; its parent if it was put into the background.</summary>
    internal int Id => _process.Id;

    internal bool HasEnded => _process.HasExited;

    /// <summary>Sends a signal to a process, and ignores the result.</summary>
    internal static void Signal(int process, int signal) => Assert.Equal(0, SendSignal(process, signal));

    /// <summary>Sends SIGKILL to a process, and ignores the result.</summary>
    internal static void Kill(int process) => Signal(process, KillSignal);

    /// <summary>Returns the answer. Fails if there is none, or the process has ended.</summary>
    internal string Ask(string command)
    {
        Tell(command);
        return Answer();
    }

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

    /// <summary>Returns a line already written, or a note that the process has ended; null otherwise.</summary>
    internal string? Interjection => NextLine.IsCompleted ? NextLine.Result ?? $"ended: {_error.Result}" : null;

    /// <summary>The line that is read next; asked for once, as lines can be waited for by one only.</summary>
    private Task<string?> NextLine => _line ??= _process.StandardOutput.ReadLineAsync();

    /// <summary>Has it do something; <see cref="Answer"/> waits for the end.</summary>
    internal void Tell(string command)
    {
        _process.StandardInput.WriteLine(command);
        _process.StandardInput.Flush();
    }

    /// <summary>The next line it wrote; fails when it has ended.</summary>
    internal string Answer() => ReadLine() ?? throw new InvalidOperationException($"The other process ended: {_error.Result}");

    /// <summary>The next line it wrote; null when it has ended.</summary>
    internal string? ReadLine()
    {
        Task<string?> line = NextLine;
        if (!line.Wait(s_limit))
        {
            Kill();
            Assert.Fail($"The other process wrote nothing for {s_limit}: {_error.Result}");
        }

        _line = null;
        return line.Result;
    }

    /// <summary>By SIGKILL; it has ended and its parent knows when this returns.</summary>
    internal void Kill()
    {
        // Only Unix's shell puts a process between. Wine tells no start time of some processes, without which there is no tree.
        _process.Kill(entireProcessTree: !OperatingSystem.IsWindows());
        _process.WaitForExit();
    }

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

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Kill();
            _process.Dispose();
        }
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int SendSignal(int process, int signal);
}
