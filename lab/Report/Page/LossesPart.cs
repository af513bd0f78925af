using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;

namespace Tarn.Lab.Report.Page;

/// <summary>The losses by subject, the worst first, each a link to its comparison; small ones and many of one subject are folded.</summary>
internal static class LossesPart
{
    public const string Anchor = "losses";
    public const string Title = "Losses worth knowing";

    public static void Write(Markup html, IReadOnlyList<SubjectOutline> subjects)
    {
        var losses = LossList.Of(subjects);
        if (losses.Count == 0)
        {
            return;
        }

        html.Raw($"<section id=\"{Anchor}\" class=\"losses\">\n");
        html.Text("h2", Title);
        html.Raw("<div class=\"loss-lists\">\n");
        foreach (var list in losses)
        {
            var (title, anchor) = (list.Subject.Title, Markup.Anchor("subject", list.Subject.Title));
            html.Raw($"<div>\n<h3><a href=\"#{anchor}\">{Markup.Encode(title)}</a></h3>\n");
            WriteList(html, list.Worth);
            if (list.Rest.Count > 0)
            {
                html.Raw($"<details><summary>{Markup.Encode(list.RestWords)}</summary>\n");
                WriteList(html, list.Rest);
                html.Raw("</details>\n");
            }

            html.Raw("</div>\n");
        }

        html.Raw("</div>\n</section>\n");
    }

    private static void WriteList(Markup html, IReadOnlyList<Comparison> losses)
    {
        if (losses.Count == 0)
        {
            return;
        }

        html.Raw("<ol>\n");
        foreach (var loss in losses)
        {
            var (ours, peer) = (Markup.Encode(loss.Ours), Markup.Encode(loss.Peer));
            html.Raw($"<li><strong>{Quantity.Ratio(loss.Ratio)}</strong> ");
            html.Raw($"<a href=\"#{Markup.Anchor("comparison", loss.Id)}\">{Markup.Encode(loss.Title)}</a>");
            html.Raw($"<span>{ours} {Value(loss.OursValue, loss)}, {peer} {Value(loss.PeerValue, loss)}</span></li>\n");
        }

        html.Raw("</ol>\n");
    }

    /// <summary>A number and its unit stay on one line.</summary>
    private static string Value(double value, Comparison loss) => $"<b>{Markup.Encode(Quantity.Format(value, loss.Unit))}</b>";
}
