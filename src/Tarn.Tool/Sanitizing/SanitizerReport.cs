using System.CommandLine;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Tool.Commands;

namespace Tarn.Tool.Sanitizing;

/// <summary>What the checks found, in all processes of a run. Its files are tried before the run.</summary>
internal sealed class SanitizerReport : IDisposable
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

    /// <summary>Whether it is a failure that a process was not checked.</summary>
    public static Option<bool> FailsOnUnchecked { get; } = new("--fail-on-unchecked")
    {
        Description = "Exit with code 2 if a .NET process of the program was not checked, or a process outlived it.",
    };

    private readonly ProblemFiles _files;
    private readonly OutputFile? _log;

    /// <exception cref="InvalidDataException">A file that an option names cannot be written. Nothing ran yet.</exception>
    public SanitizerReport(ParseResult line)
    {
        _files = new ProblemFiles(
            line.GetValue(s_write), line.GetValue(s_sarif), line.GetValue(s_junit), new SourceTree(Environment.CurrentDirectory));
        _log = line.GetValue(s_log) is { } file ? OutputFile.Open(file.FullName) : null;
    }

    /// <summary>The options of <c>tarn sanitize</c> that concern checks and reports.</summary>
    public static IReadOnlyList<Option> Options { get; } =
    [
        .. SanitizerOptions.All, SanitizerBisection.Asked, s_suppressions, s_baseline, s_write, s_sarif, s_junit, s_log, s_tests,
        FailsOnUnchecked,
    ];

    /// <summary>The options for the processes, as <c>key=value:key=value</c>.</summary>
    /// <exception cref="InvalidDataException">An option, or a file that one names, cannot be used. Nothing ran yet.</exception>
    public static string ReadOptions(ParseResult line)
    {
        _ = ReadSuppressions(line);
        _ = ReadBaseline(line);
        return SanitizerOptions.Read(line);
    }

    /// <summary>Tells what the processes wrote into the folder, and returns the exit code of the findings: 0 if there are none.</summary>
    public int Tell(ParseResult line, string folder, IReadOnlyList<UncheckedProcess> unseen)
    {
        IReadOnlyList<ReportedProcess> processes = ReportedProcess.ReadAll(folder);
        IReadOnlyList<SanitizerFinding> all = SanitizerFinding.Of(processes);
        bool withTests = line.GetValue(s_tests);
        Problem[] problems = [.. all.Select(finding => finding.ToProblem(withTests))];
        _files.Accept(problems);
        Suppressions suppressions = ReadSuppressions(line);
        HashSet<Problem> beyond = [.. CheckBaseline.FindNew(problems, ReadBaseline(line))];
        SanitizerFinding[] found =
        [
            .. all.Where((finding, index) => beyond.Contains(problems[index]) && !suppressions.Excuse(finding)),
        ];
        problems = [.. found.Select(finding => finding.ToProblem(withTests))];
        _files.Write(problems);
        Tell(processes, unseen, found, all.Count - found.Length, withTests);
        return found.Any(static finding => finding.Fails) && line.GetValue(s_write) is null
            ? SanitizerOptions.ExitCodeOf(SanitizerOptions.Read(line))
            : 0;
    }

    public void Dispose()
    {
        _files.Dispose();
        _log?.Dispose();
    }

    private void Tell(
        IReadOnlyList<ReportedProcess> processes,
        IReadOnlyList<UncheckedProcess> unseen,
        SanitizerFinding[] found,
        int excused,
        bool withTests)
    {
        using var text = new StringWriter();
        foreach (SanitizerFinding finding in found)
        {
            text.WriteLine(SanitizerText.Write(finding, withTests));
        }

        foreach (ReportedProcess process in processes)
        {
            foreach (string remark in Remarks(process, unseen.Any(one => one.IsRunning && one.Id == process.Id)))
            {
                text.WriteLine(ForeignText.Line($"tarn: process {process.Id}, {process.Command}: {remark}"));
            }
        }

        foreach (UncheckedProcess process in unseen)
        {
            text.WriteLine(ForeignText.Line($"tarn: {process}"));
        }

        text.WriteLine(SanitizerText.Summary(processes, unseen, found, excused));
        if (_log is null)
        {
            Console.Error.Write(text);
        }
        else
        {
            Terminal.Tell(_log.Write(ForeignText.Lines(text.ToString())));
        }
    }

    /// <summary>What else a reader must know of a process.</summary>
    private static IEnumerable<string> Remarks(ReportedProcess process, bool isRunning)
    {
        foreach (string complaint in process.Complaints)
        {
            yield return complaint;
        }

        if (!process.HasEnded && !isRunning)
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
