using System.Collections.Concurrent;

namespace Tarn.Torture.Attacks;

/// <summary>A deadline on every call: one that takes longer ends the process, and says which it was.</summary>
internal sealed class CallDeadlines : IDisposable
{
    private const int ExitCode = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private readonly ConcurrentDictionary<int, (string Call, long Since)> _running = new();
    private readonly Timer _watch;

    internal CallDeadlines() => _watch = new Timer(_ => Watch(), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));

    /// <summary>Makes a call on this thread.</summary>
    internal void Within(string call, Action make)
    {
        _running[Environment.CurrentManagedThreadId] = (call, Environment.TickCount64);
        try
        {
            make();
        }
        finally
        {
            _running.TryRemove(Environment.CurrentManagedThreadId, out _);
        }
    }

    public void Dispose() => _watch.Dispose();

    private void Watch()
    {
        foreach ((string call, long since) in _running.Values)
        {
            if (Environment.TickCount64 - since > s_limit.TotalMilliseconds)
            {
                Console.Error.WriteLine($"A call hangs, for more than {s_limit}: {call}.");
                Environment.Exit(ExitCode);
            }
        }
    }
}
