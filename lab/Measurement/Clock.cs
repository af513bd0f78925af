using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>Nanoseconds from the finest clock; a <see cref="TimeSpan"/> would round them to hundreds.</summary>
internal static class Clock
{
    private static readonly double s_nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    public static double NanosecondsSince(long start) => Nanoseconds(start, Stopwatch.GetTimestamp());

    public static double Nanoseconds(long start, long end) => (end - start) * s_nanosecondsPerTick;
}
