using System.Globalization;

namespace Tarn.TestRun;

/// <summary>What the command line asks for.</summary>
/// <param name="Assemblies">The assemblies whose tests run.</param>
/// <param name="Only">Parts of a test's full name, one of which it must have; empty for any name.</param>
/// <param name="Except">Parts of a test's full name, none of which it may have.</param>
/// <param name="Threads">The collections that run at a time.</param>
/// <param name="Most">The time after which a test counts as hanging, which ends the run.</param>
/// <param name="Tells">Each test is named as it begins.</param>
internal sealed record RunSettings(
    IReadOnlyList<string> Assemblies,
    IReadOnlyList<string> Only,
    IReadOnlyList<string> Except,
    int Threads,
    TimeSpan Most,
    bool Tells)
{
    private const string Usage =
        "Usage: Tarn.TestRun [--in ASSEMBLY,…] [--only PART,…] [--except PART,…] [--threads N] [--most SECONDS] [--tell]";

    private static readonly RunSettings s_default = new(
        ["Tarn.Tests", "Tarn.SharedMemory.Tests"], [], [], Math.Max(2, Environment.ProcessorCount), TimeSpan.FromMinutes(3), Tells: false);

    /// <summary>Reads the command line; a word that is not understood is told.</summary>
    internal static bool TryParse(string[] args, out RunSettings settings, out string complaint)
    {
        settings = s_default;
        complaint = "";
        for (int i = 0; i < args.Length; i++)
        {
            string value = i + 1 < args.Length ? args[i + 1] : "";
            if (args[i] == "--tell")
            {
                settings = settings with { Tells = true };
                continue;
            }

            if (settings.With(args[i], value) is not { } more)
            {
                complaint = $"{args[i]} {value}: not understood.\n{Usage}";
                return false;
            }

            settings = more;
            i++;
        }

        return true;
    }

    internal bool Wants(string test) =>
        (Only.Count == 0 || Only.Any(part => test.Contains(part, StringComparison.Ordinal)))
        && !Except.Any(part => test.Contains(part, StringComparison.Ordinal));

    private RunSettings? With(string option, string value) => (option, Words(value), Number(value)) switch
    {
        ("--in", { Length: > 0 } words, _) => this with { Assemblies = words },
        ("--only", { Length: > 0 } words, _) => this with { Only = [.. Only, .. words] },
        ("--except", { Length: > 0 } words, _) => this with { Except = [.. Except, .. words] },
        ("--threads", _, > 0 and int threads) => this with { Threads = threads },
        ("--most", _, > 0 and int seconds) => this with { Most = TimeSpan.FromSeconds(seconds) },
        _ => null,
    };

    private static string[] Words(string value) => value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    private static int Number(string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;
}
