using System.CommandLine;
using System.Globalization;
using Tarn.Sanitizing;
using Tarn.Sanitizing.Checking;

namespace Tarn.Tool.Sanitizing;

/// <summary>The options that reach the checked processes.</summary>
internal static class SanitizerOptions
{
    private static readonly (Option Option, string Key)[] s_checks =
    [
        (Word("--lost", "on|off", "Whether lost buffers are found. On by default."), "lost"),
        (Word("--poison", "on|off", "Whether returned buffers are poisoned, which shows late writes. On by default."), "poison"),
        (Flag("--poison-rents", "Fill rented buffers with the pattern: shows code that relies on zeros."), "poison-rents"),
        (Flag("--exact", "Hand out exactly the length asked for: shows code that relies on more."), "exact"),
        (Word("--quarantine", "MB", "How much returned memory is watched for late writes: 32 by default."), "quarantine"),
        (Word("--sample", "1/N", "Watch one rent in N, where all would be too slow."), "sample"),
        (Word("--process", "TEXT", "Check only processes with this text in their command line."), SanitizerSettings.ProcessKey),
        (Word("--stacks", "known|full|off", "Capture a stack when it is new, always, or never. Known by default."), "stacks"),
        (Flag("--throw", "Let a wrong return throw in the program, rather than report and ignore it."), "throw"),
        (Flag("--halt", "End the process at the first incident."), "halt"),
    ];

    public static Option<int> ExitCode { get; } = new("--exitcode")
    {
        Description = "The exit code if there are findings and the program succeeds.",
        HelpName = "N",
        DefaultValueFactory = static _ => 1,
    };

    public static IEnumerable<Option> All => s_checks.Select(static one => one.Option).Append(ExitCode);

    /// <summary>What the environment asks for and, after it, what the command line does.</summary>
    /// <exception cref="InvalidDataException">An option is unknown, or its value is.</exception>
    public static string Read(ParseResult line)
    {
        string inherited = Environment.GetEnvironmentVariable(SanitizerSettings.OptionsVariable) ?? "";
        Refuse(inherited, $"{SanitizerSettings.OptionsVariable}: ");
        List<string> parts = [inherited];
        foreach ((Option option, string key) in s_checks)
        {
            string? value = option switch
            {
                Option<bool> flag => line.GetValue(flag) ? "on" : null,
                Option<string?> word => line.GetValue(word),
                _ => null,
            };
            if (value is not null)
            {
                parts.Add($"{key}={value}");
                if (SanitizerSettings.Parse(parts[^1]).GetValueOrDefault(key) != value)
                {
                    throw new InvalidDataException(
                        $"{option.Name} {value}: a value cannot have two colons in a row, or a colon before a text with =. "
                        + "Name a shorter part of it.");
                }

                Refuse(parts[^1], $"{option.Name}: ");
            }
        }

        if (line.GetResult(ExitCode) is { Implicit: false })
        {
            parts.Add(string.Create(CultureInfo.InvariantCulture, $"exitcode={line.GetValue(ExitCode)}"));
            Refuse(parts[^1], $"{ExitCode.Name}: ");
        }

        return string.Join(':', parts.Where(static part => part.Length > 0));
    }

    private static void Refuse(string options, string whose)
    {
        CheckerOptions read = CheckerOptions.Parse(SanitizerSettings.Parse(options));
        if (read.Complaints.Count > 0)
        {
            throw new InvalidDataException($"{whose}{string.Join(' ', read.Complaints)} Nothing ran.");
        }
    }

    /// <summary>The exit code of findings.</summary>
    public static int ExitCodeOf(string options) => CheckerOptions.Parse(SanitizerSettings.Parse(options)).ExitCode;

    private static Option<bool> Flag(string name, string description) => new(name) { Description = description };

    private static Option<string?> Word(string name, string value, string description) =>
        new(name) { Description = description, HelpName = value };
}
