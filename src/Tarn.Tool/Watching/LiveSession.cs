using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Tool.Asking;
using Tarn.Traces;

namespace Tarn.Tool.Watching;

/// <summary>The session with a process whose events are counted as they arrive.</summary>
internal static class LiveSession
{
    /// <summary>The event source through which the runtime publishes meters.</summary>
    public const string Metrics = "System.Diagnostics.Metrics";

    private const int BufferMegabytes = 64;

    /// <summary>Begins to count.</summary>
    /// <param name="process">The process.</param>
    /// <param name="activity">What receives the events.</param>
    /// <param name="withRents">Whether the process sends an event for each rent and return.</param>
    /// <exception cref="RecordingException">The process cannot be attached to.</exception>
    public static ProcessSession Start(int process, PoolActivity activity, bool withRents)
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
        return ProcessSession.Start(process, providers, BufferMegabytes, activity.Take);
    }
}
