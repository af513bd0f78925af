using Tarn.Tool.Analysis;

namespace Tarn.Tool.Reports;

/// <summary>The most important findings in a sentence or two.</summary>
internal static class Verdict
{
    public static string Of(Findings findings)
    {
        string[] sentences =
        [
            .. Lost(findings, Certainty.Likely, "loses", "lose"),
            .. Lost(findings, Certainty.Possible, "may lose", "may lose"),
            .. Twice(findings),
            .. NeverRented(findings),
        ];
        return (sentences.Length > 0, findings.Rented, findings.IsPartial) switch
        {
            (true, _, false) => string.Join(" ", sentences),
            (true, _, true) => $"{string.Join(" ", sentences)} The recording is not whole.",
            (_, 0, false) => "No buffer was rented while the recording ran.",
            (_, 0, true) => "No verdict: no buffer was rented in what was recorded, and the recording is not whole.",
            (_, _, true) => $"No verdict: the recording is not whole. In what it has, {Returned(findings)}.",
            _ when !findings.Details.HasEnded =>
                $"No lost buffers in {Words.Time(findings.Duration)}: {Returned(findings)}. None was returned twice.",
            _ => $"No lost buffers: {Returned(findings)}. None was returned twice.",
        };
    }

    private static string Returned(Findings findings)
    {
        long isOut = findings.Rented - findings.Returned;
        return isOut == 0
            ? $"all {findings.Rented:N0} that were rented came back"
            : $"{findings.Returned:N0} of {findings.Rented:N0} that were rented came back, and the others "
                + (findings.Details.HasEnded ? "were in use to the end" : "are in use");
    }

    private static IEnumerable<string> Lost(Findings findings, Certainty certainty, string one, string many)
    {
        LostSite[] of = [.. findings.Lost.Where(site => site.Certainty == certainty)];
        int sites = of.Length;
        if (sites > 0)
        {
            // Of a process that has ended there is a sum; a rate of one that goes on tells when it will be noticed.
            string amount = findings.Details.HasEnded
                ? $"{Words.Buffers(of.Sum(site => site.Buffers))}, {Words.Bytes(of.Sum(site => site.Bytes))},"
                : $"{Words.Bytes(findings.LostBytesPerMinute(certainty))} a minute";
            yield return $"{Words.Sites(sites)} {(sites == 1 ? one : many)} {amount} to the garbage collector.";
        }
    }

    private static IEnumerable<string> Twice(Findings findings)
    {
        foreach (IGrouping<Certainty, ReturnedTwiceSite> group in
            findings.ReturnedTwice.GroupBy(site => site.Certainty).OrderByDescending(group => group.Key))
        {
            int sites = group.Count();
            string verb = group.Key == Certainty.Possible ? "may have returned" : "returned";
            string times = group.Sum(site => site.Times) is > 1 and var many ? $", {many:N0} times" : "";
            yield return $"{Words.Sites(sites)} {verb} a buffer a second time{times}: two owners may use it at once.";
        }
    }

    private static IEnumerable<string> NeverRented(Findings findings)
    {
        if (findings.NeverRented.Count > 0)
        {
            yield return $"{Words.Sites(findings.NeverRented.Count)} returned arrays that the pool never handed out.";
        }
    }
}
