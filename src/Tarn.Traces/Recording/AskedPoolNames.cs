using System.Diagnostics.Tracing;
using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>
/// The names of the pools of a process that uses Tarn. Events have ids only, so the library is asked, now and then because pools come and
/// go, and because a process that has ended tells nothing.
/// </summary>
internal sealed class AskedPoolNames(IRecordedProcess process)
{
    private const int BufferMegabytes = 16;
    private const long Reports = 2;

    /// <summary>The time before the first question; each pause is twice as long as the one before.</summary>
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan s_longestPause = TimeSpan.FromMinutes(1);

    /// <summary>How long the library may take to write its report.</summary>
    private static readonly TimeSpan s_answer = TimeSpan.FromSeconds(1);

    private readonly Dictionary<int, string> _names = [];

    /// <summary>Asks until the recording ends. Returns the names by the pools' ids.</summary>
    internal IReadOnlyDictionary<int, string> AskUntil(CancellationToken ended)
    {
        for (TimeSpan pause = s_firstPause; !ended.WaitHandle.WaitOne(pause); pause = pause < s_longestPause ? pause * 2 : pause)
        {
            Ask(ended);
        }

        return _names;
    }

    private void Ask(CancellationToken ended)
    {
        Dictionary<string, string> arguments = new()
        {
            ["Report"] = "State",
            ["ReportId"] = RandomNumberGenerator.GetInt32(int.MaxValue).ToString(CultureInfo.InvariantCulture),
        };
        EventPipeProvider library = new(PoolEventReader.TarnSource, EventLevel.Critical, Reports, arguments);
        try
        {
            using IEventSession session = process.Start([library], withStacks: false, BufferMegabytes);
            Task reading = Task.Factory.StartNew(
                () => Read(session.Events), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            _ = ended.WaitHandle.WaitOne(s_answer);

            // The process sends the rest of its events when the session ends.
            session.Stop();
            reading.GetAwaiter().GetResult();
        }
        catch (Exception exception) when (exception is IOException or FormatException or ObjectDisposedException)
        {
            // The process has ended. Its pools have the names that are known.
        }
    }

    private void Read(Stream events)
    {
        using var source = new EventPipeEventSource(events);
        source.Dynamic.All += one =>
        {
            if (one.ProviderName == PoolEventReader.TarnSource && one.EventName == "ReportedSource"
                && one.PayloadByName("poolId") is int id && one.PayloadByName("name") is string name)
            {
                _names[id] = name;
            }
        };
        _ = source.Process();
    }
}
