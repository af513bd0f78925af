using System.Globalization;

namespace Tarn.Fuzz;

/// <summary>The options of the command line.</summary>
/// <param name="Targets">Names of targets; empty for all.</param>
/// <param name="Runs">The number of inputs for each target, or null when time ends the run.</param>
/// <param name="Seconds">Seconds for each target.</param>
/// <param name="Seed">Of the random numbers.</param>
/// <param name="Repeat">A file with an input to run once; null to make inputs.</param>
internal sealed record FuzzOptions(IReadOnlyList<string> Targets, long? Runs, double Seconds, int Seed, string? Repeat)
{
    internal const string Usage =
        """
        tarn-fuzz [--only target,target] [--runs n | --seconds n] [--seed n]
        tarn-fuzz --only target --repeat file

          --only     targets: {0}; all of them without it
          --runs     inputs for each target
          --seconds  seconds for each target, 60 without --runs
          --seed     of the random numbers, 1 by default
          --repeat   runs the input of a file once
        """;

    /// <exception cref="ArgumentException">An argument is unknown or has no value that it can have.</exception>
    internal static FuzzOptions Parse(IReadOnlyList<string> arguments)
    {
        FuzzOptions options = new([], null, 60, 1, null);
        for (int i = 0; i < arguments.Count; i += 2)
        {
            string name = arguments[i];
            string value = i + 1 < arguments.Count ? arguments[i + 1] : throw new ArgumentException($"{name} has no value.");
            options = name switch
            {
                "--only" => options with { Targets = value.Split(',', StringSplitOptions.RemoveEmptyEntries) },
                "--runs" => options with { Runs = (long)NumberOf(name, value) },
                "--seconds" => options with { Seconds = NumberOf(name, value) },
                "--seed" => options with { Seed = (int)NumberOf(name, value) },
                "--repeat" => options with { Repeat = value },
                _ => throw new ArgumentException($"{name} is no argument."),
            };
        }

        return options;
    }

    private static double NumberOf(string name, string value) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && number is > 0 and <= int.MaxValue
            ? number
            : throw new ArgumentException($"{name} is \"{value}\", which is no number above 0.");
}
