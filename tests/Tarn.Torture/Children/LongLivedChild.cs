using System.Diagnostics;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Children;

/// <summary>A process that works until it is killed. Any output other than its ready line is a finding.</summary>
internal sealed class LongLivedChild : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    private readonly Process _process;
    private readonly Task<string> _error;
    private Task<string?>? _line;
    private bool _isKilled;

    /// <param name="process">Just started, outputs unread.</param>
    internal LongLivedChild(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
    }

    internal int Id => _process.Id;

    private Task<string?> NextLine => _line ??= _process.StandardOutput.ReadLineAsync();

    /// <summary>Waits until it says that it is ready.</summary>
    internal void WaitUntilReady()
    {
        Require.That(NextLine.Wait(s_limit), $"A process did not begin within {s_limit}.");
        string? line = NextLine.Result;
        Require.That(line == "ready", $"A process was to say \"ready\": {line} {(line is null ? _error.Result : "")}");
        _line = null;
    }

    internal void Tell(string line)
    {
        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
    }

    /// <exception cref="FindingException">It said something, or has ended.</exception>
    internal void VerifyWorks()
    {
        if (NextLine.IsCompleted)
        {
            throw new FindingException($"A process gave up: {NextLine.Result ?? "it ended: " + _error.Result}");
        }
    }

    /// <summary>
    /// By SIGKILL; it has ended, and its parent knows, when this returns. So has a process that it started in an id namespace: its output
    /// ends with it.
    /// </summary>
    internal void Kill()
    {
        if (!_isKilled)
        {
            _isKilled = true;
            _process.Kill();
            _process.WaitForExit();
            while (NextLine.Result is not null)
            {
                _line = null;
            }
        }
    }

    public void Dispose()
    {
        Kill();
        _process.Dispose();
    }
}
