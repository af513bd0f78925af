using System.Globalization;

namespace Tarn.Torture.Running;

/// <summary>The options of the command line.</summary>
internal sealed record TortureOptions
{
    internal const double DefaultMinutes = 10;

    private const string Program = "dotnet run -c Release --project tests/Tarn.Torture --";

    private const double MostMinutes = 7 * 24 * 60;

    internal double Minutes { get; init; } = DefaultMinutes;

    /// <summary>Names of the attacks to make; empty for all.</summary>
    internal IReadOnlyList<string> Only { get; init; } = [];

    internal int Seed { get; init; }

    internal TimeSpan Duration => TimeSpan.FromMinutes(Minutes);

    /// <summary>The command that makes one slice again.</summary>
    internal static string ToCommand(Slice slice) => string.Create(
        CultureInfo.InvariantCulture,
        $"{Program} --minutes {slice.Seconds / 60:0.######} --only {slice.Attack} --seed {slice.Seed}");

    /// <exception cref="RefusedOptionException">The minutes are out of range.</exception>
    internal void Verify()
    {
        if (!(Minutes > 0 && Minutes <= MostMinutes))
        {
            throw new RefusedOptionException(string.Create(
                CultureInfo.InvariantCulture, $"--minutes is {Minutes}. Give more than 0 and at most {MostMinutes}, a week."));
        }
    }
}
