using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Tool.Asking;

/// <summary>Asks a process for its meters each second, and tells from when on the session may end.</summary>
/// <remarks>
/// .NET stops its collecting thread under the lock of the event listeners and waits for its end. If that thread begins its first
/// collection just then, in a process that has not used a task yet, it creates an event source, waits for the same lock, and the process
/// hangs for good. After the start of a collection the event source exists.
/// </remarks>
internal sealed class MeterStart
{
    /// <summary>The event source through which the runtime publishes meters.</summary>
    public const string Source = "System.Diagnostics.Metrics";

    /// <summary>The name of the events that carry the value of one of the runtime's counters.</summary>
    public const string Counters = "EventCounters";

    private const string CollectionStarted = "Collection/Start";
    private const string CollectionStopped = "Collection/Stop";
    private const long Values = 2;

    private static readonly TimeSpan s_longestWait = TimeSpan.FromSeconds(5);

    private bool _collects;
    private volatile bool _isSafeToEnd;
    private volatile bool _hasCollected;

    /// <summary>Whether the process has begun to collect its meters, or has none.</summary>
    public bool IsSafeToEnd => _isSafeToEnd;

    /// <summary>Whether the process has sent its meters once, or has none.</summary>
    public bool HasCollected => _hasCollected;

    /// <summary>The event sources: the runtime's counters, and meters by their names, each once in a number of seconds.</summary>
    public static EventPipeProvider[] Providers(string meters, int seconds = 1)
    {
        string interval = seconds.ToString(CultureInfo.InvariantCulture);
        string session = Guid.NewGuid().ToString();
        return
        [
            new("System.Runtime", EventLevel.Informational, 0, new Dictionary<string, string> { ["EventCounterIntervalSec"] = interval }),
            new(Source, EventLevel.Informational, Values, new Dictionary<string, string>
            {
                ["SessionId"] = session,
                ["ClientId"] = session,
                ["Metrics"] = meters,
                ["RefreshInterval"] = interval,
                ["MaxTimeSeries"] = "1000",
                ["MaxHistograms"] = "10",
            }),
        ];
    }

    /// <summary>Takes an event of the session.</summary>
    public void Take(TraceEvent one)
    {
        if (one.ProviderName == Source)
        {
            _collects = true;
            _isSafeToEnd |= one.EventName == CollectionStarted;
            _hasCollected |= one.EventName == CollectionStopped;
        }
        else if (one.EventName == Counters)
        {
            // The runtime announces the collection of meters before it counts anything, unless it has no meters.
            _isSafeToEnd |= !_collects;
            _hasCollected |= !_collects;
        }
    }

    /// <summary>Waits until the session may end.</summary>
    public void Wait(Func<bool> hasEnded) => _ = SpinWait.SpinUntil(() => _isSafeToEnd || hasEnded(), s_longestWait);

    /// <summary>The name of a counter and its mean or increment; null if an event is of another kind.</summary>
    public static (string Name, double Value)? ReadCounter(TraceEvent one) =>
        one.EventName == Counters && one.PayloadValue(0) is IDictionary<string, object> outer
            && outer["Payload"] is IDictionary<string, object> counter && counter["Name"] is string name
            && (counter.TryGetValue("Mean", out object? value) || counter.TryGetValue("Increment", out value))
            ? (name, Convert.ToDouble(value, CultureInfo.InvariantCulture))
            : null;

    /// <summary>The name of an instrument, its tags and its value; null if an event is of another kind.</summary>
    public static (string Name, string Tags, double Value)? ReadMeter(TraceEvent one)
    {
        string field = one.EventName switch
        {
            "UpDownCounterRateValuePublished" or "CounterRateValuePublished" => "value",
            "GaugeValuePublished" => "lastValue",
            _ => "",
        };
        return one.ProviderName == Source && field.Length > 0
            && double.TryParse(one.PayloadByName(field) as string, NumberStyles.Float, CultureInfo.InvariantCulture, out double value)
            ? ((string)one.PayloadByName("instrumentName"), (string)one.PayloadByName("tags"), value)
            : null;
    }
}
