using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>
/// Reads the events of every kind of pool: <c>System.Buffers.ArrayPoolEventSource</c>, Tarn's, which has the same, and
/// RecyclableMemoryStream's. Not thread-safe.
/// </summary>
internal sealed class PoolEventReader
{
    internal const string ArrayPoolSource = "System.Buffers.ArrayPoolEventSource";
    internal const string TarnSource = "Tarn";
    private const int ReasonAt = 4;

    private readonly StreamEvents _streams = new();

    /// <summary>The event sources of pools.</summary>
    internal static IEnumerable<EventPipeProvider> Providers(EventLevel level) =>
        [new(ArrayPoolSource, level), new(TarnSource, level), new(StreamEvents.Source, level)];

    /// <summary>Whether an event is of a pool's event source.</summary>
    internal static bool IsOfPool(TraceEvent one) => one.ProviderName is ArrayPoolSource or TarnSource or StreamEvents.Source;

    /// <summary>Prepares for an event that will be read later.</summary>
    internal void LookAhead(TraceEvent one) => _streams.LookAhead(one);

    /// <summary>Reads an event of a pool's event source; null if it is of another kind.</summary>
    internal PoolEvent? Read(TraceEvent one)
    {
        if (one.ProviderName == StreamEvents.Source)
        {
            return _streams.Read(one);
        }

        var kind = (PoolEventKind)one.ID;
        if (!Enum.IsDefined(kind))
        {
            return null;
        }

        int reason = kind is PoolEventKind.Allocated or PoolEventKind.Dropped ? Number(one, ReasonAt) : 0;
        return new PoolEvent(kind, Number(one, 0), Number(one, 1), Number(one, 2), reason);
    }

    private static int Number(TraceEvent one, int index) => Convert.ToInt32(one.PayloadValue(index), null);
}
