using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Allocations;

/// <summary>A report of candidates for a terminal: the verdict, then each place with what to do.</summary>
/// <param name="width">The columns to draw in.</param>
internal sealed class CandidateView(int width)
{
    private const int Widest = 110;
    private const int ShownOthers = 5;
    private const int ShownCandidates = 10;
    private const string Indent = "   ";

    private readonly int _width = Math.Min(width, Widest);

    /// <summary>Draws a report.</summary>
    public IRenderable Draw(CandidateReport report)
    {
        double seconds = Math.Max(0.001, report.Seconds);
        string error = report.ErrorBytes is { } bytes ? $" ± {bytes / Math.Max(1, report.Bytes):P0}" : "";
        List<IRenderable> rows =
        [
            new Markup($"[bold]{Words.Escape(report.Name)}[/]  [dim]process {report.Process}  {Words.Escape(report.Runtime)}  "
                + $"{report.Seconds:0.#} s  {report.Samples:N0} samples[/]"),
            new Markup($"[bold]{Words.Bytes(report.Bytes / seconds)}/s[/] allocated{error} [dim]·[/] "
                + $"{report.ArrayBytes / Math.Max(1, report.Bytes):P0} of it arrays [dim]·[/] "
                + $"{Words.Count(report.Collections, "collection", "collections")}"),
            Text.Empty,
            .. Wrapped(report.Verdict, "", "", "bold"),
        ];
        Candidate[] worth = [.. report.Candidates.Where(one => one.IsWorthIt)];
        foreach ((int index, Candidate one) in worth.Take(ShownCandidates).Index())
        {
            rows.Add(Text.Empty);
            rows.AddRange(Describe(index + 1, one, seconds));
        }

        if (worth.Length > ShownCandidates)
        {
            rows.Add(new Markup($"[dim]and {worth.Length - ShownCandidates:N0} more (--json)[/]"));
        }

        AddOthers(rows, report);
        rows.Add(Text.Empty);
        rows.AddRange(report.Unknown.SelectMany(one => Wrapped(one, "[yellow]·[/] ", "  ", "dim")));
        return new Rows(rows);
    }

    private IEnumerable<IRenderable> Describe(int number, Candidate one, double seconds)
    {
        string error = one.ErrorBytes is { } bytes ? $" ± {Words.Bytes(bytes / seconds)}" : "";
        long collections = (long)Math.Round(one.CollectionsAvoided);
        string spared = collections > 0 ? $"spares about {Words.Count(collections, "collection", "collections")}" : "";
        yield return new Markup(
            $"{number}. [teal]{Words.Bytes(one.BytesPerSecond)}/s[/][dim]{error}[/]  {one.Share:P0} of all  "
            + $"[bold]{Words.Escape(one.Type)}[/] {Sizes(one)}  [dim]{spared}[/]");
        string rule = one.Rule.Length > 0 ? $" {one.Rule} finds it and rewrites it." : "";
        IEnumerable<IRenderable> action = Wrapped(one.Action + rule, Indent, Indent, "default");
        foreach (IRenderable line in Wrapped(one.Site, Indent, Indent, "bold").Concat(action))
        {
            yield return line;
        }
    }

    private IEnumerable<IRenderable> Wrapped(string text, string first, string others, string style) =>
        Words.Wrap(text, _width - Indent.Length).Select((line, index) => new Markup(
            $"{(index == 0 ? first : others)}[{style}]{Words.Escape(line)}[/]"));

    private static string Sizes(Candidate one) => one.SmallestBytes == one.LargestBytes
        ? $"of {Words.Bytes(one.LargestBytes)}"
        : $"of {Words.Bytes(one.SmallestBytes)} to {Words.Bytes(one.LargestBytes)}";

    private void AddOthers(List<IRenderable> rows, CandidateReport report)
    {
        Candidate[] others = [.. report.Candidates.Where(one => !one.IsWorthIt).Take(ShownOthers)];
        if (others.Length == 0)
        {
            return;
        }

        rows.Add(Text.Empty);
        rows.Add(new Markup("[dim]arrays that are not worth a pool, or that the platform makes for itself[/]"));
        foreach (Candidate one in others)
        {
            string line = $"  {Words.Bytes(one.BytesPerSecond) + "/s",11} {one.Share,5:P0}  {one.Type} {Sizes(one)}  {one.Site}";
            rows.Add(new Markup($"[dim]{Words.Escape(line.Length > _width ? line[..(_width - 1)] + "…" : line)}[/]"));
        }
    }
}
