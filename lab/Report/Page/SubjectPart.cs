using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Page;

/// <summary>A subject: a line that sums it up, then its experiments, each folded under its name and its result.</summary>
internal static class SubjectPart
{
    public static void Write(Markup html, SubjectOutline subject, RatioAxis axis, IReadOnlySet<string> ours)
    {
        html.Raw($"<section id=\"{Markup.Anchor("subject", subject.Title)}\" class=\"of-subject\">\n");
        html.Text("h2", subject.Title);
        html.Text("p class=\"note\"", SumUp(subject));
        foreach (var experiment in subject.Experiments)
        {
            html.Raw($"<details class=\"experiment\" id=\"{Markup.Anchor("section", experiment.Id)}\">\n<summary>");
            html.Raw($"<h3>{Markup.Encode(experiment.Title)}</h3><span>{Contents(experiment)}</span></summary>\n<div>\n");
            if (experiment.Section is { } section)
            {
                html.Paragraphs(section.Text);
            }

            ComparisonsPart.Write(html, experiment.Comparisons, axis);
            if (experiment.Section is not null)
            {
                SectionPart.Write(html, experiment.Section, ours);
            }

            html.Raw("</div>\n</details>\n");
        }

        html.Raw("</section>\n");
    }

    private static string SumUp(SubjectOutline subject)
    {
        var summary = subject.Summary;
        return summary.Count switch
        {
            0 => "Nothing was compared with a peer.",
            1 => $"{summary.Words}.",
            _ => $"{summary.Words}. The ratios go from {Quantity.Ratio(summary.Lowest)} to {Quantity.Ratio(summary.Highest)}.",
        };
    }

    /// <summary>A summary of the folded contents; each part stays on one line.</summary>
    private static string Contents(ExperimentOutline experiment)
    {
        var words = new List<string>();
        if (RatioSummary.Of(experiment.Comparisons).Words is { Length: > 0 } result)
        {
            words.Add(result);
        }

        if (experiment.Section is { Charts.Count: > 0 and var charts })
        {
            words.Add(ComparisonWords.Count(charts, "picture"));
        }

        if (experiment.Section is { Tables.Count: > 0 and var tables })
        {
            words.Add(ComparisonWords.Count(tables, "table"));
        }

        return string.Join(" · ", words.Select(part => $"<i>{Markup.Encode(part)}</i>"));
    }
}
