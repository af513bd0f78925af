using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Counts streams created and disposed, and their lengths, only while a listener is attached.</summary>
internal static class StreamCounters
{
    private static Counter<long>? s_created;
    private static Counter<long>? s_disposed;
    private static Histogram<long>? s_length;

    /// <summary>Whether a listener receives every rent and return, and so every stream.</summary>
    private static bool s_isTraced;

    /// <summary>Creates the instruments. Until then, streams take the slow path.</summary>
    internal static void Create(Meter meter)
    {
        s_disposed = meter.CreateCounter<long>("tarn.streams.disposed", "{stream}", "Streams disposed.");
        s_length = meter.CreateHistogram<long>("tarn.streams.length", "By", "Lengths of streams at disposal.");
        Volatile.Write(ref s_created, meter.CreateCounter<long>("tarn.streams.created", "{stream}", "Streams made."));
    }

    internal static void OnTracingChanged(bool isTraced) => Volatile.Write(ref s_isTraced, isTraced);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void OnCreated(Stream stream)
    {
        if (s_created is not { Enabled: false } || s_isTraced)
        {
            TellCreated(stream);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void OnDisposed(Stream stream, long length)
    {
        if (s_disposed is not { Enabled: false } || s_length is not { Enabled: false } || s_isTraced)
        {
            TellDisposed(stream, length);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TellCreated(Stream stream)
    {
        TarnEventSource log = TarnEventSource.Log;
        s_created?.Add(1);
        if (log.IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            log.StreamCreated(RuntimeHelpers.GetHashCode(stream));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TellDisposed(Stream stream, long length)
    {
        s_disposed?.Add(1);
        s_length?.Record(length);
        TarnEventSource log = TarnEventSource.Log;
        if (log.IsEnabled(EventLevel.Verbose, EventKeywords.None))
        {
            log.StreamDisposed(RuntimeHelpers.GetHashCode(stream), length);
        }
    }
}
