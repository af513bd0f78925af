using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Tool.Asking;
using Tarn.Traces;

namespace Tarn.Tool.Watching;

/// <summary>The session with a process whose events are counted as they arrive.</summary>
internal sealed class LiveSession : IDisposable
{
    private const int BufferMegabytes = 64;

    private readonly PoolActivity _activity;
    private readonly MeterStart _meters = new();
    private readonly ProcessSession _session;

    private LiveSession(int process, PoolActivity activity, EventPipeProvider[] providers)
    {
        _activity = activity;
        _session = ProcessSession.Start(process, providers, BufferMegabytes, Take);
    }

    /// <summary>Whether the process ended, or the session otherwise.</summary>
    public bool HasEnded => _session.HasEnded;

    /// <summary>Whether the process has begun to collect its meters, or has none.</summary>
    public bool IsSafeToEnd => _meters.IsSafeToEnd;

    /// <summary>Begins to count.</summary>
    /// <param name="process">The process.</param>
    /// <param name="activity">What receives the events.</param>
    /// <param name="withRents">Whether the process sends an event for each rent and return.</param>
    /// <exception cref="RecordingException">The process cannot be attached to.</exception>
    public static LiveSession Start(int process, PoolActivity activity, bool withRents)
    {
        EventLevel level = withRents ? EventLevel.Verbose : EventLevel.Informational;
        EventPipeProvider[] providers = [.. PoolEventReader.Providers(level), .. MeterStart.Providers("Tarn")];
        activity.Count(withRents);
        return new LiveSession(process, activity, providers);
    }

    /// <summary>
    /// Ends the session and leaves the process as it was. Waits until the process has begun to collect its meters, which takes a second
    /// from the start.
    /// </summary>
    public void Dispose()
    {
        _meters.Wait(() => _session.HasEnded);
        _session.Dispose();
    }

    private void Take(TraceEvent one)
    {
        _meters.Take(one);
        _activity.Take(one);
    }
}
