using System.CommandLine;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;

namespace Tarn.Tool.Sanitizing;

/// <summary>What the checks found, in all processes of a run.</summary>
internal static class SanitizerReport
{
    private static readonly Option<FileInfo?> s_suppressions = FileOption(
        "--suppressions", "Findings to ignore: lines such as buffer-lost:My.Cache.*");

    private static readonly Option<FileInfo?> s_baseline = FileOption("--baseline", "Known findings, which do not fail the run.");
    private static readonly Option<FileInfo?> s_write = FileOption("--write-baseline", "Write the findings, to accept them in later runs.");
    private static readonly Option<FileInfo?> s_sarif = FileOption("--sarif", "Write the findings as SARIF 2.1.0.");
    private static readonly Option<FileInfo?> s_junit = FileOption("--junit", "Write the findings as JUnit XML.");
    private static readonly Option<FileInfo?> s_log = FileOption("--log", "Write the report there rather than to standard error.");

    private static readonly Option<bool> s_tests = new("--tests")
    {
        Description = "Name the tests that a finding happened in, where they are on the stack (xUnit, NUnit, MSTest).",
    };

    /// <summary>The options of <c>tarn sanitize</c> that concern checks and reports.</summary>
    public static IReadOnlyList<Option> Options { get; } =
        [.. SanitizerOptions.All, SanitizerBisection.Asked, s_suppressions, s_baseline, s_write, s_sarif, s_junit, s_log, s_tests];

    /// <summary>The options for the processes, as <c>key=value:key=value</c>.</summary>
    /// <exception cref="InvalidDataException">An option, or a file that one names, cannot be used. Nothing ran yet.</exception>
    public static string ReadOptions(ParseResult line)
    {
        _ = ReadSuppressions(line);
        _ = ReadBaseline(line);
        return SanitizerOptions.Read(line);
    }

    /// <summary>Tells what the processes wrote into the folder, and returns the exit code of the findings: 0 if there are none.</summary>
    public static int Tell(ParseResult line, string folder)
    {
        IReadOnlyList<ReportedProcess> processes = ReportedProcess.ReadAll(folder);
        IReadOnlyList<SanitizerFinding> all = SanitizerFinding.Of(processes);
        bool withTests = line.GetValue(s_tests);
        Problem[] problems = [.. all.Select(finding => finding.ToProblem(withTests))];
        if (line.GetValue(s_write) is { } accepted)
        {
            CheckBaseline.Write(accepted.FullName, problems);
            Console.Error.WriteLine(accepted.FullName);
        }

        Suppressions suppressions = ReadSuppressions(line);
        HashSet<Problem> beyond = [.. CheckBaseline.FindNew(problems, ReadBaseline(line))];
        SanitizerFinding[] found =
        [
            .. all.Where((finding, index) => beyond.Contains(problems[index]) && !suppressions.Excuse(finding)),
        ];
        problems = [.. found.Select(finding => finding.ToProblem(withTests))];
        new ProblemFiles(line.GetValue(s_sarif), line.GetValue(s_junit), new SourceTree(Environment.CurrentDirectory)).Write(problems);
        Tell(line.GetValue(s_log), processes, found, all.Count - found.Length, withTests);
        return found.Any(static finding => finding.Fails) && line.GetValue(s_write) is null
            ? SanitizerOptions.ExitCodeOf(SanitizerOptions.Read(line))
            : 0;
    }

    private static void Tell(
        FileInfo? log, IReadOnlyList<ReportedProcess> processes, SanitizerFinding[] found, int excused, bool withTests)
    {
        using StreamWriter? file = log is null ? null : new StreamWriter(log.FullName);
        TextWriter text = file ?? Console.Error;
        foreach (SanitizerFinding finding in found)
        {
            text.WriteLine(SanitizerText.Write(finding, withTests));
        }

        foreach (ReportedProcess process in processes)
        {
            foreach (string remark in Remarks(process))
            {
                text.WriteLine($"tarn: process {process.Id}, {process.Command}: {remark}");
            }
        }

        text.WriteLine(SanitizerText.Summary(processes, found, excused));
        if (log is not null)
        {
            Console.Error.WriteLine(log.FullName);
        }
    }

    /// <summary>What else a reader must know of a process.</summary>
    private static IEnumerable<string> Remarks(ReportedProcess process)
    {
        foreach (string complaint in process.Complaints)
        {
            yield return complaint;
        }

        if (!process.HasEnded)
        {
            yield return "it was killed. What it found until then is above; what it lost or wrote later is not.";
        }

        if (process.Ungrouped > 0)
        {
            yield return $"{process.Ungrouped:N0} more incidents are at places beyond those that are told apart.";
        }
    }

    private static Suppressions ReadSuppressions(ParseResult line) =>
        line.GetValue(s_suppressions) is { } file ? Suppressions.Read(file.FullName) : Suppressions.None;

    private static IReadOnlyList<KnownProblem> ReadBaseline(ParseResult line) =>
        line.GetValue(s_baseline) is { } file ? CheckBaseline.Read(file.FullName) : [];

    private static Option<FileInfo?> FileOption(string name, string description) =>
        new(name) { Description = description, HelpName = "FILE" };
}
