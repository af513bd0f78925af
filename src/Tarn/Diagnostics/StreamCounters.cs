using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>Counts streams created and disposed, and their lengths, by tag, only while a listener is attached.</summary>
internal static class StreamCounters
{
    private const string TagKey = "tarn.stream.tag";

    private static readonly StreamTags s_tags = new();

    /// <summary>
    /// The bounds of the histogram of lengths: powers of four, from an empty stream to a gigabyte. Without them, collectors divide at the
    /// numbers that suit milliseconds, and nearly all lengths are above the last.
    /// </summary>
    private static readonly long[] s_lengths = [0, .. Enumerable.Range(3, 13).Select(power => 1L << (2 * power))];

    private static Counter<long>? s_created;
    private static Counter<long>? s_disposed;
    private static Histogram<long>? s_length;

    /// <summary>Whether a listener receives every rent and return, and so every stream.</summary>
    private static bool s_isTraced;

    /// <summary>Creates the instruments. Until then, streams take the slow path.</summary>
    internal static void Create(Meter meter)
    {
        s_disposed = meter.CreateCounter<long>("tarn.streams.disposed", "{stream}", "Streams disposed.");
        s_length = meter.CreateHistogram(
            "tarn.streams.length",
            "By",
            "Lengths of streams at disposal.",
            tags: null,
            new InstrumentAdvice<long> { HistogramBucketBoundaries = s_lengths });
        Volatile.Write(ref s_created, meter.CreateCounter<long>("tarn.streams.created", "{stream}", "Streams made."));
    }

    internal static void OnTracingChanged(bool isTraced) => Volatile.Write(ref s_isTraced, isTraced);

    /// <summary>Whether a listener receives the creation of streams, or might once the instruments exist.</summary>
    internal static bool HearsCreations
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => s_created is not { Enabled: false } || s_isTraced;
    }

    /// <summary>Whether a listener receives the disposal of streams, or might once the instruments exist.</summary>
    internal static bool HearsDisposals
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => s_disposed is not { Enabled: false } || s_length is not { Enabled: false } || s_isTraced;
    }

    internal static void TellCreated(Stream stream, string? tag)
    {
        TarnEventSource? log = TarnEventSource.Log;
        Add(s_created, tag);
        if (log?.IsEnabled(EventLevel.Verbose, EventKeywords.None) == true)
        {
            log.StreamCreated(RuntimeHelpers.GetHashCode(stream), tag ?? "");
        }
    }

    internal static void TellDisposed(Stream stream, long length, string? tag)
    {
        Add(s_disposed, tag);
        if (s_length is { Enabled: true } lengths)
        {
            if (tag is null)
            {
                lengths.Record(length);
            }
            else
            {
                lengths.Record(length, Tagged(tag));
            }
        }

        TarnEventSource? log = TarnEventSource.Log;
        if (log?.IsEnabled(EventLevel.Verbose, EventKeywords.None) == true)
        {
            log.StreamDisposed(RuntimeHelpers.GetHashCode(stream), length);
        }
    }

    private static void Add(Counter<long>? counter, string? tag)
    {
        if (counter is not { Enabled: true })
        {
            return;
        }

        if (tag is null)
        {
            counter.Add(1);
        }
        else
        {
            counter.Add(1, Tagged(tag));
        }
    }

    private static KeyValuePair<string, object?> Tagged(string tag) => new(TagKey, s_tags.NameOf(tag));
}
