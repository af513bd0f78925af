using System.Globalization;

namespace Tarn.Lab.Measurement;

/// <summary>
/// The processor time of the child processes that have ended, from Linux's list of a process's counters. On other systems it is not known.
/// </summary>
internal static class ChildTime
{
    private const string Counters = "/proc/self/stat";

    /// <summary>The places of the children's user and system time after the name in parentheses, in ticks.</summary>
    private const int UserPlace = 13;
    private const int SystemPlace = 14;

    /// <summary>The kernel reports a hundred ticks a second, whatever its own clock.</summary>
    private const double NanosecondsPerTick = 1e7;

    /// <summary>Returns nanoseconds; NaN where the system does not tell.</summary>
    public static double Nanoseconds() => File.Exists(Counters) ? Parse(File.ReadAllText(Counters)) : double.NaN;

    internal static double Parse(string counters)
    {
        string[] values = counters[(counters.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return NanosecondsPerTick
            * (double.Parse(values[UserPlace], CultureInfo.InvariantCulture)
                + double.Parse(values[SystemPlace], CultureInfo.InvariantCulture));
    }
}
