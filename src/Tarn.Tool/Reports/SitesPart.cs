using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>Call sites with their evidence, each with its stack folded.</summary>
internal static class SitesPart
{
    private const int ShownSites = 25;

    public static void Open(Markup html, string id, string title, string text)
    {
        html.Raw($"<section id=\"{id}\">\n");
        html.Text("h2", title);
        if (text.Length > 0)
        {
            html.Text("p", text);
        }
    }

    public static void WriteLost(Markup html, Findings findings) => Write(
        html,
        "lost",
        "Lost to the pool",
        "These buffers were rented and did not come back. The garbage collector takes them when nothing refers to them, so no memory "
        + "leaks, but the pool has to allocate others in their place.",
        findings.Lost,
        site => (site.Site, site.Certainty, $"{Words.Buffers(site.Buffers)}, {Words.Bytes(site.Bytes)}", Words.Evidence(site), null));

    public static void WriteReturnedTwice(Markup html, Findings findings) => Write(
        html,
        "twice",
        "Returned twice",
        "These buffers were returned while they were not out. The pool may hand such a buffer to two owners, who "
        + "overwrite each other's data.",
        findings.ReturnedTwice,
        site => (
            site.Site,
            site.Certainty,
            Words.Count(site.Times, "time", "times"),
            site.Certainty == Certainty.Likely
                ? $"{Words.Bytes(site.Bytes)} in all. The second stack is that of the return before."
                : "The buffer may also be another one of the same size and hash code, rented before the recording began.",
            site.First));

    public static void WriteNeverRented(Markup html, Findings findings) => Write(
        html,
        "unseen",
        "Returned, but never rented",
        "The pool keeps arrays that it did not hand out. Whoever made them may still use them.",
        findings.NeverRented,
        site => (
            site.Site,
            Certainty.Likely,
            $"{Words.Count(site.Times, "time", "times")}, {Words.Bytes(site.Bytes)}",
            "The process was recorded from its first instruction, and no rent of these arrays is among its events.",
            null));

    private static void Write<T>(
        Markup html,
        string id,
        string title,
        string text,
        IReadOnlyList<T> sites,
        Func<T, (CallSite Site, Certainty Certainty, string Amount, string Evidence, CallSite? Second)> describe)
    {
        if (sites.Count == 0)
        {
            return;
        }

        Open(html, id, title, text);
        html.Raw("<ol class=\"sites\">\n");
        foreach (T one in sites.Take(ShownSites))
        {
            var shown = describe(one);
            html.Raw(shown.Certainty == Certainty.Likely ? "<li class=\"likely\">\n" : "<li>\n");
            html.Text("h3", shown.Site.Name);
            html.Raw($"<p class=\"finding\"><b>{Markup.Encode(shown.Amount)}</b> {Markup.Encode(shown.Evidence)}</p>\n");
            WriteStack(html, shown.Second is null ? "Stack" : "Stack of the second return", shown.Site);
            if (shown.Second is { } second)
            {
                WriteStack(html, "Stack of the first return", second);
            }

            html.Raw("</li>\n");
        }

        html.Raw("</ol>\n");
        if (sites.Count > ShownSites)
        {
            html.Text("p class=\"note\"", $"{sites.Count - ShownSites} more are in the JSON report.");
        }

        html.Raw("</section>\n");
    }

    private static void WriteStack(Markup html, string title, CallSite site)
    {
        if (site.Frames.Count == 0)
        {
            return;
        }

        html.Raw($"<details class=\"fold\"><summary>{title} <span>{site.Frames.Count} frames</span></summary>\n<ol class=\"stack\">");
        foreach (StackFrame frame in site.Frames)
        {
            html.Text("li", CallSite.Text(frame));
        }

        html.Raw("</ol></details>\n");
    }
}
