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
        if (findings.Rented == 0)
        {
            return "No buffer was rented while the recording ran.";
        }

        return sentences.Length > 0
            ? string.Join(" ", sentences)
            : $"No lost buffers: {Returned(findings)}. None was returned twice.";
    }

    private static string Returned(Findings findings)
    {
        long isOut = findings.Rented - findings.Returned;
        return isOut == 0
            ? $"all {findings.Rented:N0} that were rented came back"
            : $"{findings.Returned:N0} of {findings.Rented:N0} that were rented came back, and the others are in use";
    }

    private static IEnumerable<string> Lost(Findings findings, Certainty certainty, string one, string many)
    {
        int sites = findings.Lost.Count(site => site.Certainty == certainty);
        if (sites > 0)
        {
            string rate = Words.Bytes(findings.LostBytesPerMinute(certainty));
            yield return $"{Words.Sites(sites)} {(sites == 1 ? one : many)} {rate} a minute to the garbage collector.";
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
