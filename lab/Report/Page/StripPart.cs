using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Strips;

namespace Tarn.Lab.Report.Page;

/// <summary>Every comparison at a glance: the picture, how to read it, and the same as a table for readers without the picture.</summary>
internal static class StripPart
{
    private static readonly Column[] s_columns =
    [
        new("Subject", ColumnKind.Text), new("Comparisons", ColumnKind.Number), new("Wins", ColumnKind.Number),
        new("No difference", ColumnKind.Number), new("Losses", ColumnKind.Number), new("Lowest", ColumnKind.Number),
        new("Median", ColumnKind.Number), new("Highest", ColumnKind.Number),
    ];

    public static void Write(Markup html, IReadOnlyList<SubjectOutline> subjects)
    {
        if (StripPicture.IsEmpty(subjects))
        {
            return;
        }

        html.Raw("<figure id=\"overview\" class=\"overview\">\n");
        html.Raw(StripPicture.Inline(subjects, StripSize.Wide) + "\n");
        html.Raw(StripPicture.Inline(subjects, StripSize.Narrow) + "\n");
        html.Text(
            "figcaption class=\"note\"",
            "Each dot is a comparison at its ratio, ours ÷ peer. Half and double are equally far from the middle. "
            + "Point at a dot, tap it or reach it with the arrow keys to read it; follow it to its details.");
        html.Raw("<details class=\"words\"><summary>The picture as a table</summary>\n");
        WriteTable(html, subjects.Where(subject => subject.Summary.Count > 0));
        html.Raw("</details>\n</figure>\n");
    }

    private static void WriteTable(Markup html, IEnumerable<SubjectOutline> subjects)
    {
        html.Raw($"<div class=\"table {TablePart.WidthClass(s_columns.Length)}\">");
        html.Raw("<table class=\"sortable\" aria-label=\"Comparisons by subject\">\n");
        TablePart.WriteHead(html, s_columns);
        html.Raw("<tbody>\n");
        foreach (var subject in subjects)
        {
            var summary = subject.Summary;
            html.Raw("<tr>");
            TablePart.WriteCell(html, s_columns[0], subject.Title, subject.Title);
            int[] counts = [summary.Count, summary.Wins, summary.Same, summary.Losses];
            for (var i = 0; i < counts.Length; i++)
            {
                TablePart.WriteCell(html, s_columns[1 + i], Quantity.Format(counts[i], ""), TablePart.SortKey(counts[i]));
            }

            double[] ratios = [summary.Lowest, summary.Median, summary.Highest];
            for (var i = 0; i < ratios.Length; i++)
            {
                TablePart.WriteCell(html, s_columns[1 + counts.Length + i], Quantity.Ratio(ratios[i]), TablePart.SortKey(ratios[i]));
            }

            html.Raw("</tr>\n");
        }

        html.Raw("</tbody></table></div>\n");
    }
}
