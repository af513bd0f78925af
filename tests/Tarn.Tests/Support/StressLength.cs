using System.Globalization;

namespace Tarn.Tests.Support;

/// <summary>How long each stress test runs: short by default, as long as the environment variable says.</summary>
internal static class StressLength
{
    internal const string Variable = "TARN_STRESS_SECONDS";

    /// <summary>
    /// Someone asked for a length of their own: then random programs are others each time; else the same, so that a build repeats.
    /// </summary>
    internal static bool IsAsked { get; } = Environment.GetEnvironmentVariable(Variable) is not null;

    internal static TimeSpan Duration { get; } =
        double.TryParse(Environment.GetEnvironmentVariable(Variable), CultureInfo.InvariantCulture, out double seconds)
            ? TimeSpan.FromSeconds(seconds)
            : TimeSpan.FromSeconds(0.5);
}
