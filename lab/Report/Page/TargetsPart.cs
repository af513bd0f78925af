using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Page;

/// <summary>The targets that were missed, the farthest first.</summary>
internal static class TargetsPart
{
    public const string Anchor = "targets";
    public const string Title = "Missed targets";

    private static readonly Column[] s_columns =
    [
        new("Work", ColumnKind.Text), new("Subject", ColumnKind.Text), new("Target", ColumnKind.Number), new("Measured", ColumnKind.Number),
        new("By how much", ColumnKind.Number),
    ];

    public static void Write(Markup html, IReadOnlyList<MissedTarget> missed)
    {
        if (missed.Count == 0)
        {
            return;
        }

        html.Raw($"<section id=\"{Anchor}\">\n");
        html.Text("h2", Title);
        html.Text(
            "p class=\"note\"",
            "A target is the largest value that the project accepts. A win can miss its target, and a loss can meet one.");
        html.Raw($"<div class=\"table {TablePart.WidthClass(s_columns.Length)}\"><table class=\"sortable\" aria-label=\"{Title}\">\n");
        TablePart.WriteHead(html, s_columns);
        html.Raw("<tbody>\n");
        foreach (var target in missed)
        {
            html.Raw("<tr>");
            var anchor = target.Comparison is null ? "" : Markup.Anchor("comparison", target.Comparison);
            TablePart.WriteCell(html, s_columns[0], target.Title, target.Title, anchor);
            TablePart.WriteCell(html, s_columns[1], target.Subject, target.Subject);
            TablePart.WriteCell(html, s_columns[2], Quantity.Format(target.Target, target.Unit), TablePart.SortKey(target.Target));
            TablePart.WriteCell(html, s_columns[3], Quantity.Format(target.Measured, target.Unit), TablePart.SortKey(target.Measured));
            TablePart.WriteCell(html, s_columns[4], target.Excess, TablePart.SortKey(target.Quotient));
            html.Raw("</tr>\n");
        }

        html.Raw("</tbody></table></div>\n</section>\n");
    }
}
