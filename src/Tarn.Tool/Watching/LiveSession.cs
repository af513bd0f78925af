using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Tool.Asking;
using Tarn.Traces;

namespace Tarn.Tool.Watching;

/// <summary>The session with a process whose events are counted as they arrive.</summary>
internal sealed class LiveSession : IDisposable
{
    /// <summary>The event source through which the runtime publishes meters.</summary>
    public const string Metrics = "System.Diagnostics.Metrics";

    private const string CollectionStarted = "Collection/Start";
    private const int BufferMegabytes = 64;

    private static readonly TimeSpan s_longestWait = TimeSpan.FromSeconds(5);

    private readonly PoolActivity _activity;
    private readonly ProcessSession _session;
    private bool _collects;
    private volatile bool _isSafeToEnd;

    private LiveSession(int process, PoolActivity activity, EventPipeProvider[] providers)
    {
        _activity = activity;
        _session = ProcessSession.Start(process, providers, BufferMegabytes, Take);
    }

    /// <summary>Whether the process ended, or the session otherwise.</summary>
    public bool HasEnded => _session.HasEnded;

    /// <summary>Whether the process has begun to collect its meters, or has none.</summary>
    public bool IsSafeToEnd => _isSafeToEnd;

    /// <summary>Begins to count.</summary>
    /// <param name="process">The process.</param>
    /// <param name="activity">What receives the events.</param>
    /// <param name="withRents">Whether the process sends an event for each rent and return.</param>
    /// <exception cref="RecordingException">The process cannot be attached to.</exception>
    public static LiveSession Start(int process, PoolActivity activity, bool withRents)
    {
        EventLevel level = withRents ? EventLevel.Verbose : EventLevel.Informational;
        string session = Guid.NewGuid().ToString();
        EventPipeProvider[] providers =
        [
            .. PoolEventReader.Providers(level),
            new("System.Runtime", EventLevel.Informational, 0, new Dictionary<string, string> { ["EventCounterIntervalSec"] = "1" }),
            new(Metrics, EventLevel.Informational, 2, new Dictionary<string, string>
            {
                ["SessionId"] = session,
                ["ClientId"] = session,
                ["Metrics"] = "Tarn",
                ["RefreshInterval"] = "1",
                ["MaxTimeSeries"] = "1000",
                ["MaxHistograms"] = "10",
            }),
        ];
        activity.Count(withRents);
        return new LiveSession(process, activity, providers);
    }

    /// <summary>
    /// Ends the session and leaves the process as it was. Waits until the process has begun to collect its meters, which takes a second
    /// from the start.
    /// </summary>
    /// <remarks>
    /// .NET stops its collecting thread under the lock of the event listeners and waits for its end. If that thread begins its first
    /// collection just then, in a process that has not used a task yet, it creates an event source, waits for the same lock, and the
    /// process hangs for good. After the start of a collection the event source exists.
    /// </remarks>
    public void Dispose()
    {
        _ = SpinWait.SpinUntil(() => _isSafeToEnd || _session.HasEnded, s_longestWait);
        _session.Dispose();
    }

    private void Take(TraceEvent one)
    {
        if (one.ProviderName == Metrics)
        {
            _collects = true;
            _isSafeToEnd |= one.EventName == CollectionStarted;
        }
        else if (one.EventName == PoolActivity.Counters)
        {
            // The runtime announces the collection of meters before it counts anything, unless it has no meters.
            _isSafeToEnd |= !_collects;
        }

        _activity.Take(one);
    }
}
