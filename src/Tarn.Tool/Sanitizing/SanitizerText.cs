using System.Globalization;
using System.Text;
using Tarn.Pages;
using Tarn.Sanitizing.Checking;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>Findings as text, in the shape that users of other sanitizers know.</summary>
internal static class SanitizerText
{
    private const int MostFrames = 12;

    /// <summary>Frames of a stack without any of the program's own.</summary>
    private const int MostWithoutOwn = 6;

    public static string Write(SanitizerFinding finding, bool withTests)
    {
        StringBuilder text = new();
        ReportedIncident first = finding.First;
        text.AppendLine(
            CultureInfo.InvariantCulture,
            $"=={first.Process}== {(finding.Fails ? "ERROR" : "NOTE")}: tarn: {Headline(finding)}");
        if (first.Detail.Length > 0)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"  {ForeignText.Line(first.Detail)}");
        }

        Append(text, first.Kind == IncidentKind.ReturnedTwice ? "returned again at" : "returned at", first.At);
        bool isTwice = first.Kind == IncidentKind.ReturnedTwice;
        Append(text, isTwice ? "first returned at" : "returned at", isTwice || first.At.Count == 0 ? first.Returned : []);
        Append(text, "rented at", first.Rented);
        if (withTests && finding.Tests.Count > 0)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"  {Words.Tests(finding.Tests)}");
        }

        return text.ToString();
    }

    /// <summary>The last line. It speaks of what was checked, and says how much was not.</summary>
    public static string Summary(
        IReadOnlyList<ReportedProcess> processes,
        IReadOnlyList<UncheckedProcess> unseen,
        IReadOnlyList<SanitizerFinding> findings,
        int excused)
    {
        int running = unseen.Count(static one => one.IsRunning);
        string rest = (unseen.Count > running ? $"; {Words.Count(unseen.Count - running, "process", "processes")} not checked" : "")
            + (running > 0 ? $"; {Words.Count(running, "process", "processes")} still running" : "");
        if (processes.Count == 0)
        {
            return $"SUMMARY: tarn: nothing was checked{rest}";
        }

        SanitizerFinding[] errors = [.. findings.Where(finding => finding.Fails)];
        string kinds = string.Join(", ", errors.GroupBy(one => one.Kind).OrderBy(group => group.Key)
            .Select(group => $"{group.Count()} {Name(group.Key)}"));
        string rents = Words.Count(processes.Sum(process => process.Rents), "buffer", "buffers");
        string told = findings.Count == errors.Length ? "" : $"; {Words.Count(findings.Count - errors.Length, "note", "notes")}";
        string known = excused == 0 ? "" : $"; {excused} known";
        string found = errors.Length == 0
            ? (rest.Length == 0 ? "no error" : "no error in what was checked")
            : $"{Words.Count(errors.Sum(one => one.Count), "incident", "incidents")} at "
                + $"{Words.Count(errors.Length, "place", "places")} ({kinds})";
        return $"SUMMARY: tarn: {found}{told}{known}; {rents} of {Words.Count(processes.Count, "process", "processes")} checked{rest}";
    }

    public static string Name(IncidentKind kind) => kind switch
    {
        IncidentKind.WriteAfterReturn => "write after return",
        IncidentKind.ReturnedTwice => "second return",
        IncidentKind.NeverRented => "return of what was never rented",
        IncidentKind.WrongPool => "return to another pool",
        IncidentKind.Lost => "lost",
        _ => "held at the end",
    };

    private static string Headline(SanitizerFinding finding)
    {
        ReportedIncident first = finding.First;
        string times = finding.Count == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $", {finding.Count:N0} times");
        return ForeignText.Line($"{Name(finding.Kind)}: {first.Element}[{first.Length}] of {first.Pool}{times}");
    }

    private static void Append(StringBuilder text, string title, IReadOnlyList<StackFrame> stack)
    {
        if (stack.Count == 0)
        {
            return;
        }

        text.AppendLine(CultureInfo.InvariantCulture, $"  {title}");
        StackFrame[] told = [.. Told(stack)];
        foreach (StackFrame frame in told)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"    at {ForeignText.Line(CallSite.Text(frame))}");
        }

        if (told.Length < stack.Count)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"    … {stack.Count - told.Length} more");
        }
    }

    /// <summary>The frames up to the outermost that is the program's, without what lies between those of the framework.</summary>
    private static IEnumerable<StackFrame> Told(IReadOnlyList<StackFrame> stack)
    {
        int last = stack.ToList().FindLastIndex(SanitizerFinding.IsOwn);
        return last < 0
            ? stack.Take(MostWithoutOwn)
            : stack.Take(last + 1)
                .Where((frame, index) => index == 0 || SanitizerFinding.IsOwn(frame) || SanitizerFinding.IsOwn(stack[index + 1]))
                .Take(MostFrames);
    }
}
