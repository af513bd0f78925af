using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>
/// The findings as one self-contained page, read from the top: the verdict, the call sites behind it, then what else is known.
/// </summary>
internal static class HtmlReport
{
    public static string Write(Findings findings) =>
        PageShell.Write($"tarn: {findings.Origin.Program}", PageStyle.Css + ToolStyle.Css, [], html => WriteBody(html, findings));

    private static void WriteBody(Markup html, Findings findings)
    {
        WriteHead(html, findings);
        SitesPart.WriteLost(html, findings);
        SitesPart.WriteReturnedTwice(html, findings);
        SitesPart.WriteNeverRented(html, findings);
        WriteHeld(html, findings);
        WriteAllocated(html, findings);
        WriteCourse(html, findings);
        WriteThreads(html, findings);
        WriteRecording(html, findings);
    }

    private static void WriteHead(Markup html, Findings findings)
    {
        html.Raw("<header>\n");
        html.Text(
            "p class=\"eyebrow\"",
            $"{findings.Origin.Program}, process {findings.Details.ProcessId}, {Words.Time(findings.Duration)} from "
            + $"{findings.Origin.RecordedAt:yyyy-MM-dd HH:mm} UTC");
        html.Text("h1", Verdict.Of(findings));
        foreach (string warning in Words.Gaps(findings))
        {
            html.Text("p class=\"warning\"", warning);
        }

        html.Text(
            "p",
            $"{findings.Rented:N0} buffers of {Words.Bytes(findings.RentedBytes)} were rented, {findings.Returned:N0} of them returned, on "
            + $"{Words.Count(findings.Threads, "thread", "threads")}, from {Words.Count(findings.Pools.Count, "pool", "pools")}.");
        html.Raw("<nav><ul>");
        foreach ((string id, string title) in Sections(findings))
        {
            html.Raw($"<li><a href=\"#{id}\">{Markup.Encode(title)}</a></li>");
        }

        html.Raw("</ul></nav>\n</header>\n");
    }

    private static IEnumerable<(string Id, string Title)> Sections(Findings findings)
    {
        (string Id, string Title, bool IsThere)[] all =
        [
            ("lost", "Lost", findings.Lost.Count > 0), ("twice", "Returned twice", findings.ReturnedTwice.Count > 0),
            ("unseen", "Never rented", findings.NeverRented.Count > 0), ("held", "Hold times", findings.Held.Count > 0),
            ("allocated", "Allocated", findings.Allocated.Count > 0), ("course", "Sizes and course", findings.Rented > 0),
            ("threads", "Threads", findings.Threading.Count > 0), ("recording", "Recording", true),
        ];
        return all.Where(section => section.IsThere).Select(section => (section.Id, section.Title));
    }

    private static void WriteHeld(Markup html, Findings findings)
    {
        if (findings.Held.Count == 0)
        {
            return;
        }

        SitesPart.Open(html, "held", "Hold times", "How long buffers are out, and where those that are out longest were rented.");
        if (findings.Holds.Count > 0)
        {
            Charts.Write(html, Charts.Holds(findings));
        }

        TablePart.Write(html, Tables.Held(findings), new HashSet<string>());
        html.Raw("</section>\n");
    }

    private static void WriteAllocated(Markup html, Findings findings)
    {
        if (findings.Allocated.Count == 0)
        {
            return;
        }

        long bytes = findings.Allocated.Sum(site => site.Bytes);
        SitesPart.Open(
            html,
            "allocated",
            "Where pools allocated",
            $"{Words.Bytes(bytes)} were allocated because a pool had no buffer of the size, or the buffer was longer than the pool keeps.");
        FlameGraph.Write(html, findings);
        TablePart.Write(html, Tables.Allocated(findings), new HashSet<string>());
        html.Raw("</section>\n");
    }

    private static void WriteCourse(Markup html, Findings findings)
    {
        if (findings.Rented == 0)
        {
            return;
        }

        SitesPart.Open(
            html,
            "course",
            "Sizes and course",
            "Events tell the size that a pool gave, not the one that was asked for, so slack is not known. ArrayPool.Shared gives the next "
            + "power of two, which is up to twice the size asked for.");
        Charts.Write(html, Charts.Sizes(findings));
        if (findings.Timeline.Count > 0)
        {
            Charts.Write(html, Charts.Course(findings));
        }

        html.Raw("</section>\n");
    }

    private static void WriteThreads(Markup html, Findings findings)
    {
        if (findings.Threading.Count == 0)
        {
            return;
        }

        long all = findings.Threading.Sum(flow => flow.Buffers);
        long moved = findings.Threading.Where(flow => flow.RentingThread != flow.ReturningThread).Sum(flow => flow.Buffers);
        SitesPart.Open(
            html, "threads", "Threads", $"{(double)moved / all:P1} of the returned buffers came back on another thread than rented them.");
        TablePart.Write(html, Tables.Threads(findings), new HashSet<string>());
        TablePart.Write(html, Tables.Pools(findings), new HashSet<string>());
        html.Raw("</section>\n");
    }

    private static void WriteRecording(Markup html, Findings findings)
    {
        SitesPart.Open(html, "recording", "Recording", "");
        html.Raw("<dl class=\"facts\">");
        (string Name, string Value)[] facts =
        [
            ("Command", findings.Origin.Command), ("Runtime", findings.Origin.Runtime),
            ("Recorded", findings.Details.IsFromStart
                ? "from the first instruction" : "attached while it ran: buffers rented before are not known"),
            ("Ended", findings.Details.Cut.HasFlag(RecordingCut.Broken) ? "with the process, whose last events are missing"
                : findings.Details.HasEnded ? "with the process" : "before the process"),
            ("Lost events", $"{findings.LostEvents:N0}"),
            ("In use at the end",
                $"buffers younger than {Words.Time(findings.Grace)}, or a tenth of their site's time, are judged no further"),
            ("Sizes", findings.HasUnknownElements
                ? "in bytes; of pools whose element type is unknown, an element counts as a byte" : "in bytes"),
        ];
        foreach ((string name, string value) in facts)
        {
            html.Raw("<div>");
            html.Text("dt", name);
            html.Text("dd", value);
            html.Raw("</div>");
        }

        html.Raw("</dl></section>\n");
    }
}
