using System.Globalization;

namespace Tarn.Tests.Support;

/// <summary>How much the tests do that may do any amount: little by default, more when environment variables ask for it.</summary>
internal static class StressLength
{
    internal const string Variable = "TARN_STRESS_SECONDS";

    /// <summary>Set, it asks for the long form of the tests that have a short one. The build server sets it.</summary>
    internal const string LongVariable = "TARN_LONG_TESTS";

    /// <summary>
    /// Someone asked for a length of their own: then random programs are others each time; else the same, so that a build repeats.
    /// </summary>
    internal static bool IsAsked { get; } = Environment.GetEnvironmentVariable(Variable) is not null;

    /// <summary>Tests that have a long form run it.</summary>
    internal static bool IsLong { get; } = IsAsked || Environment.GetEnvironmentVariable(LongVariable) is not null;

    /// <summary>How long each stress test runs.</summary>
    internal static TimeSpan Duration { get; } =
        double.TryParse(Environment.GetEnvironmentVariable(Variable), CultureInfo.InvariantCulture, out double seconds)
            ? TimeSpan.FromSeconds(seconds)
            : TimeSpan.FromSeconds(IsLong ? 0.5 : 0.25);

    /// <summary>How often a test does something.</summary>
    internal static int Times(int inShortForm, int inLongForm) => IsLong ? inLongForm : inShortForm;
}
