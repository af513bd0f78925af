using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Traces;

namespace Tarn.Tool.Watching;

/// <summary>A session with a process whose events are counted as they arrive.</summary>
internal sealed class LiveSession : IDisposable
{
    /// <summary>The event source through which the runtime publishes meters.</summary>
    public const string Metrics = "System.Diagnostics.Metrics";

    private const int BufferMegabytes = 64;
    private static readonly TimeSpan s_longestStop = TimeSpan.FromSeconds(10);

    private readonly EventPipeSession _session;
    private readonly Task _reading;

    private LiveSession(EventPipeSession session, PoolActivity activity)
    {
        _session = session;
        _reading = Task.Factory.StartNew(
            () => Read(session, activity), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Whether the process ended, or the session otherwise.</summary>
    public bool HasEnded => _reading.IsCompleted;

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
            .. PoolEvents.Providers(level),
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
        try
        {
            activity.Count(withRents);
            return new LiveSession(PoolEvents.StartWithoutStacks(new DiagnosticsClient(process), providers, BufferMegabytes), activity);
        }
        catch (Exception exception)
            when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw new RecordingException($"Process {process} cannot be watched: {exception.Message}", exception);
        }
    }

    /// <summary>Ends the session and leaves the process as it was.</summary>
    public void Dispose()
    {
        try
        {
            _session.Stop();
            _ = _reading.Wait(s_longestStop);
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException or TimeoutException)
        {
            // The process has ended, and the session with it.
        }

        _session.Dispose();
    }

    private static void Read(EventPipeSession session, PoolActivity activity)
    {
        try
        {
            using var source = new EventPipeEventSource(session.EventStream);
            source.Dynamic.All += activity.Take;
            _ = source.Process();
        }
        catch (Exception exception) when (exception is IOException or FormatException or ObjectDisposedException)
        {
            // A killed process cuts its stream off.
        }
    }
}
