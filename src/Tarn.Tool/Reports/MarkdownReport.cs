using System.Text;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>The findings as markdown, for issues and logs.</summary>
internal static class MarkdownReport
{
    private const int ShownSites = 10;
    private const int ShownFrames = 8;

    public static string Write(Findings findings)
    {
        var text = new StringBuilder();
        text.Append($"# {Inline(findings.Origin.Program)}\n\n{Verdict.Of(findings)}\n\n");
        foreach (string warning in Words.Gaps(findings))
        {
            text.Append($"**{warning}**\n\n");
        }

        text.Append(
            $"{findings.Rented:N0} buffers of {Words.Bytes(findings.RentedBytes)} rented in {Words.Time(findings.Duration)} on "
            + $"{findings.Threads} threads, process {findings.Details.ProcessId}, {ForeignText.Line(findings.Origin.Runtime)}, "
            + $"recorded {findings.Origin.RecordedAt:yyyy-MM-dd HH:mm} UTC.\n");
        Write(text, "Lost buffers", findings.Lost, site => site.Site, site =>
            $"{Words.Buffers(site.Buffers)}, {Words.Bytes(site.Bytes)}{Doubt(site.Certainty)}. {Words.Evidence(site)}");
        Write(text, "Returned twice", findings.ReturnedTwice, site => site.Site, site =>
            $"{Words.Count(site.Times, "time", "times")}{Doubt(site.Certainty)}; returned first by {Inline(site.First.Name)}.");
        Write(text, "Returned, but never rented", findings.NeverRented, site => site.Site, site =>
            $"{Words.Count(site.Times, "time", "times")}, {Words.Bytes(site.Bytes)}.");
        Write(text, "Longest held", findings.Held, site => site.Site, site =>
            $"{Words.Time(site.LongestMicroseconds)} at most; {Words.Buffers(site.HeldAtEnd)} held at the end.");
        Write(text, "Allocated because the pool was empty", findings.Allocated, site => site.Site, site =>
            $"{Words.Buffers(site.Buffers)}, {Words.Bytes(site.Bytes)}.");
        return text.ToString();
    }

    private static void Write<T>(StringBuilder text, string title, IReadOnlyList<T> all, Func<T, CallSite> site, Func<T, string> describe)
    {
        if (all.Count == 0)
        {
            return;
        }

        text.Append($"\n## {title}\n\n");
        foreach (T one in all.Take(ShownSites))
        {
            text.Append($"- {Inline(site(one).Name)}: {describe(one)}\n");
            if (site(one).Frames.Count > 1)
            {
                text.Append("\n  ```text\n");
                foreach (StackFrame frame in site(one).Frames.Take(ShownFrames))
                {
                    text.Append($"  {ForeignText.Line(CallSite.Text(frame))}\n");
                }

                text.Append("  ```\n");
            }
        }

        if (all.Count > ShownSites)
        {
            text.Append($"- and {all.Count - ShownSites} more\n");
        }
    }

    private static string Doubt(Certainty certainty) => certainty == Certainty.Possible ? ", possibly" : "";

    private static string Inline(string text) => $"`{ForeignText.Line(text).Replace('`', '\'')}`";
}
