using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace Tarn.Tool.Commands;

/// <summary>Options that take a time such as <c>500ms</c>, <c>30s</c>, <c>5m</c> or <c>1h</c>.</summary>
internal static class DurationOption
{
    private static readonly (string Unit, double Seconds)[] s_units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)];
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(24);

    public static Option<TimeSpan> Create(string name, string description, TimeSpan byDefault) => new(name)
    {
        Description = $"{description} {Text(byDefault)} by default.",
        HelpName = "TIME",
        DefaultValueFactory = _ => byDefault,
        CustomParser = Parse,
    };

    /// <summary>An option without a default.</summary>
    public static Option<TimeSpan?> CreateOptional(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "TIME",
        CustomParser = result => Parse(result),
    };

    /// <summary>Reads a time; a number alone counts seconds.</summary>
    internal static bool TryParse(string text, out TimeSpan time)
    {
        time = default;
        (string unit, double seconds) = s_units.FirstOrDefault(
            one => text.EndsWith(one.Unit, StringComparison.Ordinal) && text.Length > one.Unit.Length, ("", 1));
        if (!double.TryParse(text[..^unit.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number))
        {
            return false;
        }

        double all = number * seconds;
        if (!(all > 0 && all <= s_longest.TotalSeconds))
        {
            return false;
        }

        time = TimeSpan.FromSeconds(all);
        return true;
    }

    private static TimeSpan Parse(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (!TryParse(text, out TimeSpan time))
        {
            result.AddError($"'{text}' is no time: write 500ms, 30s, 5m or 1h; the longest is 24h.");
        }

        return time;
    }

    private static string Text(TimeSpan time) => time switch
    {
        { TotalSeconds: < 60 } => $"{time.TotalSeconds:0.###}s",
        { TotalMinutes: < 60 } => $"{time.TotalMinutes:0.###}m",
        _ => $"{time.TotalHours:0}h",
    };
}
