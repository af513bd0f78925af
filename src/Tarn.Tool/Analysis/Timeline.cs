using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>Divides a recording into equal spans.</summary>
internal sealed class Timeline(long begin, long end, int spans, ElementSizes sizes)
{
    /// <summary>The spans in order; none of an empty recording.</summary>
    public IReadOnlyList<TimelinePoint> Of(BufferTrace trace, TraceDetails details)
    {
        if (end <= begin)
        {
            return [];
        }

        var change = new long[spans];
        foreach (BufferEvent one in trace.Events)
        {
            long bytes = sizes.Bytes(one.Pool, one.Length);
            change[SpanOf(one.Microseconds)] += one.IsRent ? bytes : -bytes;
        }

        var actions = new Dictionary<PoolActionKind, long[]>();
        foreach (PoolActionKind kind in Enum.GetValues<PoolActionKind>())
        {
            actions.Add(kind, new long[spans]);
        }

        foreach (PoolAction one in details.Actions)
        {
            actions[one.Kind][SpanOf(one.Microseconds)] += sizes.Bytes(one.Pool, one.Length);
        }

        var points = new TimelinePoint[spans];
        long isOut = 0;
        for (int span = 0; span < spans; span++)
        {
            isOut += change[span];
            points[span] = new TimelinePoint(
                (end - begin) / 1e6 * (span + 1) / spans,
                isOut,
                actions[PoolActionKind.Allocated][span],
                actions[PoolActionKind.Dropped][span],
                actions[PoolActionKind.Trimmed][span]);
        }

        return points;
    }

    private int SpanOf(long microseconds) => (int)Math.Clamp((microseconds - begin) * spans / (end - begin), 0, spans - 1);
}
