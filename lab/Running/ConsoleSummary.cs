using Spectre.Console;
using Tarn.Lab.Model;
using Markup = Spectre.Console.Markup;

namespace Tarn.Lab.Running;

/// <summary>The comparisons on the console, for users who do not open the report.</summary>
internal static class ConsoleSummary
{
    private const int WidthWhenRedirected = 160;

    /// <summary>A console without colours or width limits where the output goes to a file.</summary>
    public static IAnsiConsole CreateConsole()
    {
        if (!Console.IsOutputRedirected)
        {
            return AnsiConsole.Console;
        }

        IAnsiConsole console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = AnsiSupport.No, ColorSystem = ColorSystemSupport.NoColors });
        console.Profile.Width = WidthWhenRedirected;
        return console;
    }

    public static void Write(LabReport report, IReadOnlyList<string> files, IAnsiConsole console)
    {
        if (report.Comparisons.Count > 0)
        {
            console.Write(ToTable(report.Comparisons));
        }

        foreach (Figure figure in report.Figures)
        {
            console.WriteLine(ForeignText.Line($"{figure.Title}: {FormatFigure(figure)}{FormatBound(figure)}"));
        }

        WriteChanges(report.Changes, console);
        console.WriteLine();
        if (report.Run.Settings.TryGetValue(SettingsReader.LeftOut, out string? leftOut))
        {
            console.WriteLine($"{SettingsReader.LeftOut}: {leftOut}.");
        }

        console.WriteLine($"{report.Run.Mode} run, {report.Run.DurationSeconds:0} s. Written:");
        foreach (string file in files)
        {
            console.WriteLine($"  {file}");
        }
    }

    private static Spectre.Console.Table ToTable(IEnumerable<Comparison> comparisons)
    {
        var table = new Spectre.Console.Table().Border(TableBorder.Simple);
        table.AddColumn("Work").AddColumn("Against");
        foreach (string title in new[] { "Ours", "Peer", "Ratio", "95 %", "Target" })
        {
            table.AddColumn(new TableColumn(title).RightAligned());
        }

        table.AddColumn("Met");
        foreach (Comparison comparison in comparisons)
        {
            table.AddRow(
                Markup.Escape(ForeignText.Line(comparison.Title)),
                Markup.Escape(ForeignText.Line(comparison.Peer)),
                Format(comparison.OursValue, comparison.Unit),
                Format(comparison.PeerValue, comparison.Unit),
                $"{comparison.Ratio:0.00}",
                $"{comparison.RatioLow:0.00}–{comparison.RatioHigh:0.00}",
                comparison.Target is { } target ? $"{target:0.00}" : "",
                comparison.MeetsTarget switch { true => "[green]yes[/]", false => "[red]no[/]", null => "" });
        }

        return table;
    }

    private static void WriteChanges(IReadOnlyList<Change> changes, IAnsiConsole console)
    {
        if (changes.Count == 0)
        {
            return;
        }

        console.WriteLine();
        console.WriteLine("Against the baseline:");
        foreach (Change change in changes.Where(change => change.Kind != ChangeKind.NoDifference))
        {
            string kind = change.Kind.ToString().ToLowerInvariant();
            console.WriteLine(
                ForeignText.Line($"  {change.Title} ({change.Id}): {kind}, {change.Before:0.00} then, {change.Now:0.00} now"));
        }

        console.WriteLine($"  No difference in {changes.Count(change => change.Kind == ChangeKind.NoDifference)} of {changes.Count}.");
    }

    private static string FormatBound(Figure figure) =>
        figure.Bound is { } bound
            ? $" (at most {FormatFigure(figure with { Value = bound })}: {(figure.Value <= bound ? "met" : "not met")})"
            : "";

    private static string FormatFigure(Figure figure) =>
        figure.Unit.Length == 0 ? $"{figure.Value * 100:0.0} %" : Format(figure.Value, figure.Unit);

    private static string Format(double value, string unit) => (unit, value) switch
    {
        ("ns", >= 1e6) => $"{value / 1e6:0.0} ms",
        ("ns", >= 1e4) => $"{value / 1e3:0.0} µs",
        ("B", >= 1 << 20) => $"{value / (1 << 20):0.0} MiB",
        ("B", >= 1 << 10) => $"{value / (1 << 10):0.0} KiB",
        ("B", _) => $"{value:0.##} B",
        _ => $"{value:0.0} {unit}",
    };
}
