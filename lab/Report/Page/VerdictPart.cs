using Tarn.Lab.Report.Facts;
using Tarn.Lab.Results;

namespace Tarn.Lab.Report.Page;

/// <summary>The top of the page: what was found, in sentences, and where to find the rest.</summary>
internal static class VerdictPart
{
    public static void Write(Markup html, LabReport report)
    {
        var verdict = Verdict.Of(report);
        html.Raw("<header>\n");
        html.Text("p class=\"eyebrow\"", RunFacts.OneLine(report.Run));
        html.Text("h1", verdict.Headline);
        foreach (var sentence in verdict.Sentences)
        {
            // The word before the colon carries the sentence; it is set off so that the eye finds it.
            var colon = sentence.IndexOf(": ", StringComparison.Ordinal);
            html.Raw("<p class=\"finding\">");
            if (colon is > 0 and < 28)
                html.Raw($"<b>{Markup.Encode(sentence[..(colon + 1)])}</b>{Markup.Encode(sentence[(colon + 1)..])}");
            else
                html.Raw(Markup.Encode(sentence));
            html.Raw("</p>\n");
        }

        WriteContents(html, report);
        html.Raw("</header>\n");
    }

    private static void WriteContents(Markup html, LabReport report)
    {
        html.Raw("<nav aria-label=\"Contents\"><ul>\n");
        if (report.Comparisons.Count > 0)
            Link(html, "comparisons", "Comparisons");
        foreach (var section in report.Sections)
            Link(html, Markup.Anchor("section", section.Id), section.Title);
        if (report.Changes.Count > 0)
            Link(html, "changes", "Changes");
        Link(html, "run", "How this was measured");
        html.Raw("</ul></nav>\n");
    }

    private static void Link(Markup html, string anchor, string title) =>
        html.Raw($"<li><a href=\"#{anchor}\">{Markup.Encode(title)}</a></li>\n");
}
