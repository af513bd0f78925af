using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Page;

/// <summary>The comparisons of an experiment: a bar from the middle (equal) to the ratio, with interval and target, and words.</summary>
internal static class ComparisonsPart
{
    public static void Write(Markup html, IReadOnlyList<Comparison> comparisons, RatioAxis axis)
    {
        if (comparisons.Count == 0)
        {
            return;
        }

        html.Raw("<div class=\"comparisons\">\n");
        WriteAxis(html, axis);
        var groups = comparisons.GroupBy(c => c.Group).ToList();
        foreach (var group in groups)
        {
            if (groups.Count > 1)
            {
                html.Text("h4", group.Key);
            }

            html.Raw("<ul>\n");
            foreach (var comparison in group)
            {
                WriteRow(html, comparison, axis);
            }

            html.Raw("</ul>\n");
        }

        html.Text("p class=\"note\"", Rounds(comparisons));
        html.Raw("</div>\n");
    }

    private static string Rounds(IReadOnlyList<Comparison> comparisons)
    {
        var (fewest, most) = (comparisons.Min(c => c.Rounds), comparisons.Max(c => c.Rounds));
        return "The bar goes from equal to the ratio, ours ÷ peer. The thin line is its 95 % interval, the triangle the target. "
            + $"Each ratio is the median of {(fewest == most ? $"{most}" : $"{fewest} to {most}")} rounds.";
    }

    private static void WriteAxis(Markup html, RatioAxis axis)
    {
        html.Raw("<div class=\"axis-row\" aria-hidden=\"true\"><div class=\"scale\">");
        foreach (var tick in axis.Ticks)
        {
            html.Raw($"<span style=\"left:{RatioAxis.Percent(axis.Position(tick))}\">{RatioAxis.Label(tick)}</span>");
        }

        html.Raw("<i class=\"less\">← less</i><i class=\"more\">more →</i></div></div>\n");
    }

    private static void WriteRow(Markup html, Comparison c, RatioAxis axis)
    {
        var outcome = ComparisonWords.Word(c);
        html.Raw($"<li id=\"{Markup.Anchor("comparison", c.Id)}\" class=\"{outcome.Replace(' ', '-')}\">\n<div class=\"what\">");
        html.Text("strong", c.Title);
        html.Raw($"<span><span class=\"side\">{Markup.Encode(c.Ours)} {Value(c.OursValue, c)}</span> "
            + $"<span class=\"side\">against {Markup.Encode(c.Peer)} {Value(c.PeerValue, c)}</span></span></div>\n");
        WriteBar(html, c, axis);
        html.Raw($"<div class=\"result\"><b>{Quantity.Ratio(c.Ratio)}</b>");
        html.Text("span class=\"outcome\"", outcome);
        html.Text(
            "span class=\"interval\"",
            ComparisonWords.IsMeasured(c) ? $"{Quantity.Ratio(c.RatioLow)} to {Quantity.Ratio(c.RatioHigh)}" : "");
        if (c.Target is { } target)
        {
            var word = ComparisonWords.TargetWord(c);
            html.Text($"span class=\"target {word}\"", $"target {Quantity.Ratio(target)} {word}");
        }

        html.Raw("</div></li>\n");
    }

    private static string Value(double value, Comparison c) => $"<b>{Markup.Encode(Quantity.Format(value, c.Unit))}</b>";

    /// <summary>Drawn for the eye only: the words beside it say the same.</summary>
    private static void WriteBar(Markup html, Comparison c, RatioAxis axis)
    {
        html.Raw("<div class=\"ratio\" aria-hidden=\"true\">");
        foreach (var tick in axis.Ticks)
        {
            html.Raw($"<i class=\"{(tick == 1 ? "equal" : "rule")}\" style=\"left:{RatioAxis.Percent(axis.Position(tick))}\"></i>");
        }

        if (ComparisonWords.IsMeasured(c))
        {
            Span(html, axis.Holds(c.Ratio) ? "bar" : c.Ratio > 1 ? "bar beyond-right" : "bar beyond-left", 50, axis.Position(c.Ratio));
            if (c.RatioLow > 0 && double.IsFinite(c.RatioHigh))
            {
                Span(html, "whisker", axis.Position(c.RatioLow), axis.Position(c.RatioHigh));
            }

            if (c.Target is { } target and > 0)
            {
                html.Raw($"<i class=\"aim\" style=\"left:{RatioAxis.Percent(axis.Position(target))}\"></i>");
            }
        }

        html.Raw("</div>\n");
    }

    private static void Span(Markup html, string style, double from, double to)
    {
        var (left, right) = from <= to ? (from, to) : (to, from);
        html.Raw($"<i class=\"{style}\" style=\"left:{RatioAxis.Percent(left)};width:{RatioAxis.Percent(right - left)}\"></i>");
    }
}
