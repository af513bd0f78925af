using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Page;

/// <summary>Each figure beside the baseline's; what did not change is said plainly and folded away when there is much of it.</summary>
internal static class ChangesPart
{
    private static readonly Column[] s_columns =
    [
        new("Figure", ColumnKind.Text), new("Before", ColumnKind.Number), new("Now", ColumnKind.Number),
        new("Now ÷ before", ColumnKind.Number), new("Change", ColumnKind.Text),
    ];

    public static void Write(Markup html, IReadOnlyList<Change> changes)
    {
        if (changes.Count == 0)
        {
            return;
        }

        html.Raw("<section id=\"changes\">\n");
        html.Text("h2", "Changes since the baseline");
        html.Text("p", ComparisonWords.Summary(changes));
        var fold = changes.Count > Table.OpenRows;
        var same = changes.Where(c => fold && c.Kind == ChangeKind.NoDifference).ToList();
        WriteTable(html, "What changed", changes.Except(same));
        if (same.Count > 0)
        {
            html.Raw($"<details class=\"fold\"><summary>No difference <span>{same.Count} rows</span></summary>\n");
            WriteTable(html, "No difference", same);
            html.Raw("</details>\n");
        }

        html.Raw("</section>\n");
    }

    private static void WriteTable(Markup html, string caption, IEnumerable<Change> changes)
    {
        html.Raw($"<div class=\"table {TablePart.WidthClass(s_columns.Length)}\"><table class=\"sortable\" aria-label=\"{caption}\">\n");
        TablePart.WriteHead(html, s_columns);
        html.Raw("<tbody>\n");
        foreach (var change in ChangeOrder.Sort(changes))
        {
            var word = ChangeOrder.Word(change.Kind);
            html.Raw($"<tr class=\"{word.Replace(' ', '-')}\">");
            TablePart.WriteCell(html, s_columns[0], change.Title, change.Title);
            var before = change.Kind == ChangeKind.Added ? "" : TablePart.SortKey(change.Before);
            var now = change.Kind == ChangeKind.Removed ? "" : TablePart.SortKey(change.Now);
            var quotient = ChangeOrder.HasBoth(change) ? TablePart.SortKey(change.Now / change.Before) : "";
            TablePart.WriteCell(html, s_columns[1], ChangeOrder.Before(change), before);
            TablePart.WriteCell(html, s_columns[2], ChangeOrder.Now(change), now);
            TablePart.WriteCell(html, s_columns[3], ChangeOrder.Quotient(change), quotient);
            TablePart.WriteCell(html, s_columns[4], word, word);
            html.Raw("</tr>\n");
        }

        html.Raw("</tbody></table></div>\n");
    }
}
