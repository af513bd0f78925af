using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Page;

/// <summary>The top of the page: the results in sentences and in one picture, and links to the rest.</summary>
internal static class VerdictPart
{
    public static void Write(Markup html, LabReport report, IReadOnlyList<SubjectOutline> subjects)
    {
        var verdict = Verdict.Of(report);
        html.Raw("<header>\n");
        html.Text("p class=\"eyebrow\"", RunFacts.OneLine(report.Run));
        html.Text("h1", verdict.Headline);
        foreach (var sentence in verdict.Sentences)
        {
            html.Text("p class=\"finding\"", sentence);
        }

        StripPart.Write(html, subjects);
        WriteContents(html, report, subjects);
        html.Raw("</header>\n");
    }

    private static void WriteContents(Markup html, LabReport report, IReadOnlyList<SubjectOutline> subjects)
    {
        html.Raw("<nav aria-label=\"Contents\"><ul>\n");
        if (LossList.Of(subjects).Count > 0)
        {
            Link(html, LossesPart.Anchor, LossesPart.Title);
        }

        foreach (var subject in subjects)
        {
            Link(html, Markup.Anchor("subject", subject.Title), subject.Title);
        }

        if (report.Changes.Count > 0)
        {
            Link(html, "changes", "Changes");
        }

        if (MissedTarget.Of(report, subjects).Count > 0)
        {
            Link(html, TargetsPart.Anchor, TargetsPart.Title);
        }

        Link(html, "run", "How this was measured");
        html.Raw("</ul></nav>\n");
    }

    private static void Link(Markup html, string anchor, string title) =>
        html.Raw($"<li><a href=\"#{anchor}\">{Markup.Encode(title)}</a></li>\n");
}
