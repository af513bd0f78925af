using System.Globalization;

namespace Tarn.Tests.Support;

/// <summary>How long each stress test runs: short by default, as long as the environment variable says.</summary>
internal static class StressLength
{
    private const string Variable = "TARN_STRESS_SECONDS";

    internal static TimeSpan Duration { get; } =
        double.TryParse(Environment.GetEnvironmentVariable(Variable), CultureInfo.InvariantCulture, out double seconds)
            ? TimeSpan.FromSeconds(seconds)
            : TimeSpan.FromSeconds(2);
}
