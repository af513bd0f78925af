using System.Diagnostics;
using System.Runtime.InteropServices;
using Tarn.Tests.Diagnostics;

namespace Tarn.Tests.SharedMemory;

/// <summary>A process that has one side of a ring, and does what it is told; killed when disposed, if it has not ended.</summary>
internal sealed partial class RingChild : IDisposable
{
    /// <summary>It only keeps a failing test from hanging.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(90);

    private readonly Process _process;
    private readonly Task<string> _errors;
    private Task<string?> _answer;
    private bool _isDisposed;

    internal RingChild()
    {
        ProcessStartInfo start = ChildProcess.StartOf(["ring"], limits: null);
        start.RedirectStandardInput = true;
        _process = Process.Start(start)!;
        _errors = _process.StandardError.ReadToEndAsync();
        _answer = _process.StandardOutput.ReadLineAsync();
    }

    internal int Id => _process.Id;

    internal bool HasEnded => _process.HasExited;

    /// <summary>Waits until it is there, and opens a ring.</summary>
    internal static RingChild With(string ring)
    {
        RingChild child = new();
        child.Open(ring);
        return child;
    }

    internal void Open(string ring)
    {
        Assert.Equal("ready", Answer());
        Assert.Equal("done", Ask($"open {ring}"));
    }

    /// <summary>The answer to a command, however long it takes.</summary>
    internal string Ask(string command)
    {
        Tell(command);
        return Answer();
    }

    /// <summary>Has it do something; <see cref="Answer"/> waits for the end.</summary>
    internal void Tell(string command)
    {
        _process.StandardInput.WriteLine(command);
        _process.StandardInput.Flush();
        _answer = _process.StandardOutput.ReadLineAsync();
    }

    internal string Answer()
    {
        if (!_answer.Wait(s_limit))
        {
            Kill();
            Assert.Fail($"The other process did not answer in {s_limit}: {_errors.Result}");
        }

        return _answer.Result ?? throw new InvalidOperationException($"The other process ended: {_errors.Result}");
    }

    /// <summary>kill -9; returns when it is dead.</summary>
    internal void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    internal void Stop() => Assert.Equal(0, SendSignal(Id, OperatingSystem.IsMacOS() ? 17 : 19));

    internal void Continue() => Assert.Equal(0, SendSignal(Id, OperatingSystem.IsMacOS() ? 19 : 18));

    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        if (!_process.HasExited)
        {
            Kill();
        }

        _process.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}
