using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Page;

/// <summary>An experiment's pictures and tables.</summary>
internal static class SectionPart
{
    public static void Write(Markup html, Section section, IReadOnlySet<string> ours)
    {
        foreach (var chart in section.Charts)
        {
            WriteChart(html, chart);
        }

        foreach (var table in section.Tables)
        {
            TablePart.Write(html, table, ours);
        }
    }

    private static void WriteChart(Markup html, Chart chart)
    {
        html.Raw($"<figure id=\"{Markup.Anchor("chart", chart.Id)}\" class=\"chart\">\n<figcaption>");
        html.Text("h4", chart.Title);
        html.Text("p", chart.Description);
        html.Raw("</figcaption>\n");
        html.Raw(SvgPicture.Inline(chart, PictureSize.Wide) + "\n");
        html.Raw(SvgPicture.Inline(chart, PictureSize.Narrow) + "\n");
        if (SvgPicture.Note(chart) is { Length: > 0 } note)
        {
            html.Text("p class=\"note\"", note);
        }

        html.Raw("</figure>\n");
    }
}
