using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>Findings in words, the same in every report.</summary>
internal static class Words
{
    /// <summary>Three digits of the unit that fits, also of sums of powers of two, which are never round.</summary>
    public static string Bytes(double bytes)
    {
        double unit = 1;
        for (; bytes >= unit * 1_024; unit *= 1_024)
        {
        }

        double shown = bytes / unit;
        return Quantity.Format(Math.Round(shown, shown >= 100 || unit == 1 ? 0 : shown >= 10 ? 1 : 2) * unit, "B");
    }

    public static string Time(long microseconds) => Quantity.Format(microseconds * 1e3, "ns");

    public static string Time(TimeSpan time) => Quantity.Format(time.TotalNanoseconds, "ns");

    /// <summary>Text that others chose, as markup for a terminal: it is seen, on one line, and styles nothing.</summary>
    public static string Escape(string text) => Spectre.Console.Markup.Escape(ForeignText.Line(text));

    /// <summary>Breaks a text between words into lines of some length.</summary>
    public static IEnumerable<string> Wrap(string text, int length)
    {
        string line = "";
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > length)
            {
                yield return line;
                line = "";
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        yield return line;
    }

    /// <summary>A time as people say it: "10 minutes".</summary>
    public static string Span(TimeSpan time) => time switch
    {
        { TotalSeconds: < 100 } => Count((long)Math.Round(time.TotalSeconds), "second", "seconds"),
        { TotalMinutes: < 100 } => Count((long)Math.Round(time.TotalMinutes), "minute", "minutes"),
        { TotalHours: < 50 } => Count((long)Math.Round(time.TotalHours), "hour", "hours"),
        _ => Count((long)Math.Round(time.TotalDays), "day", "days"),
    };

    public static string Count(long number, string one, string many) => number == 1 ? $"1 {one}" : $"{number:N0} {many}";

    public static string Buffers(long number) => Count(number, "buffer", "buffers");

    public static string Sites(long number) => Count(number, "call site", "call sites");

    /// <summary>Why a site's buffers count as lost, and what else it could be.</summary>
    public static string Evidence(LostSite site) => site.Evidence switch
    {
        LossEvidence.Growing =>
            $"{site.Returned:N0} of {site.Rented:N0} came back, within {Time(site.LongestHoldMicroseconds)} at the latest. "
            + $"{Buffers(site.Buffers)} did not for more than twice as long, and their number grew throughout the recording.",
        LossEvidence.NoneReturnedToTheEnd =>
            $"None of {site.Rented:N0} came back until the process ended, and their number grew throughout the recording.",
        LossEvidence.GrowingInPhase =>
            $"{site.Returned:N0} of {site.Rented:N0} came back, within {Time(site.LongestHoldMicroseconds)} at the latest. "
            + $"{Buffers(site.Buffers)} did not until the process ended, and their number grew during the "
            + $"{Time(site.ActiveMicroseconds)} in which the site rented.",
        LossEvidence.NoneReturnedOfPhase =>
            $"None of {site.Rented:N0} came back, and their number grew during the {Time(site.ActiveMicroseconds)} in which the site "
            + $"rented. Either they are lost, or they are held for good, as in a cache.",
        LossEvidence.NoneReturned =>
            $"None of {site.Rented:N0} came back, and their number grew throughout the recording. Either they are lost, or they are held "
            + $"for more than {Time(site.OldestMicroseconds)}: a longer recording tells.",
        LossEvidence.Overdue =>
            $"{site.Returned:N0} of {site.Rented:N0} came back, within {Time(site.LongestHoldMicroseconds)} at the latest. "
            + $"{Buffers(site.Buffers)} did not for {Time(site.YoungestMicroseconds)} or more. An error path may lose them, or something "
            + "holds them for good.",
        _ => $"{Buffers(site.Buffers)} are out.",
    };

    /// <summary>The tests that are behind a finding.</summary>
    public static string Tests(IReadOnlyList<TestCount> tests)
    {
        const int Shown = 5;
        string more = tests.Count > Shown ? $" and {tests.Count - Shown:N0} more" : "";
        return $"In {string.Join(", ", tests.Take(Shown).Select(one => $"{one.Test} ({one.Count:N0})"))}{more}.";
    }

    /// <summary>What a recording does not have, and what that means for the findings; nothing if it is whole.</summary>
    public static IEnumerable<string> Gaps(Findings findings)
    {
        RecordingCut cut = findings.IsPartial ? findings.Details.Cut : RecordingCut.None;
        string time = Time(findings.Duration);
        (RecordingCut Flag, string Text)[] all =
        [
            (RecordingCut.Time, $"The recording stopped after {time}, before the process ended. What it did later is not known."),
            (RecordingCut.Events, $"The recording stopped after {time}, with as many events as it may have. What the process did later is "
                + "not known. Record fewer processes (--process), or a shorter run."),
            (RecordingCut.Bytes, $"The recording stopped after {time}, with as many bytes of events as it may have. What the process did "
                + "later is not known. Record without stacks (record --stacks false), or a shorter run."),
            (RecordingCut.Request, $"The recording was ended after {time}, before the process. What it did later is not known."),
            (RecordingCut.Outlived, $"The process went on when the program that had started it ended, after {time}. What it did later is "
                + "not known."),
            (RecordingCut.Broken, "The events broke off, as when a process crashes or is killed. What it did last is not known, and its "
                + "methods may have no names."),
        ];
        foreach ((RecordingCut flag, string text) in all)
        {
            if ((cut & flag) != 0)
            {
                yield return text;
            }
        }

        if (findings.LostEvents > 0)
        {
            yield return $"{Count(findings.LostEvents, "event was", "events were")} lost, because the process wrote faster than they could "
                + "be read. A missing return may be one of them, so every finding of lost or twice returned buffers is only possible. "
                + "Record for a shorter time, without stacks, or with a larger --buffer.";
        }
    }
}
