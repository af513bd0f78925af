using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads what a kind of region has in it. A new kind is one more probe.</summary>
internal abstract class ContentsProbe
{
    private static readonly Dictionary<RegionKind, ContentsProbe> s_probes = new()
    {
        [RegionKind.Ring] = new RingProbe(),
        [RegionKind.Queue] = new QueueProbe(),
        [RegionKind.Topic] = new TopicProbe(),
        [RegionKind.Value] = new ValueProbe(),
    };

    /// <summary>The probe of a kind; null for the user's own bytes, and for an unknown kind.</summary>
    public static ContentsProbe? Of(RegionKind kind) => s_probes.GetValueOrDefault(kind);

    /// <summary>Reads the contents while processes change them.</summary>
    /// <exception cref="InvalidDataException">They break the equations of their kind; the message says which.</exception>
    public abstract RegionContents Read(RegionReading region);

    /// <summary>What was written between two readings.</summary>
    /// <param name="before">The first.</param>
    /// <param name="now">The second.</param>
    /// <param name="seconds">The time between.</param>
    /// <param name="region">The region, for contents that must be counted.</param>
    public virtual RegionRate RateOf(RegionContents before, RegionContents now, double seconds, RegionReading region) =>
        new((now.WritePosition - before.WritePosition) / seconds, null, IsEstimated: false);

    /// <summary>Returns what waits to be read.</summary>
    /// <param name="written">How far was written.</param>
    /// <param name="readBefore">How far was read, no later.</param>
    /// <param name="readAfter">How far was read, no earlier.</param>
    /// <param name="ahead">By how much a reader's position may exceed a writer's.</param>
    /// <param name="capacity">How much fits.</param>
    /// <exception cref="InvalidDataException">No moment had such positions.</exception>
    /// <remarks>
    /// Positions only grow. So at the moment when the written one was read, the other lay between its two readings, and what breaks an
    /// equation for both of them broke it then.
    /// </remarks>
    protected static long LagOf(long written, long readBefore, long readAfter, long ahead, long capacity) =>
        written < 0 || readBefore < 0 || written < readBefore - ahead || written - readAfter > capacity
            ? throw new InvalidDataException(
                $"its positions are damaged: {written} written, {readAfter} read, and room for {capacity} between")
            : Math.Clamp(written - readAfter, 0, capacity);
}
