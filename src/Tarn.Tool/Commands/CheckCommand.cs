using System.CommandLine;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>check</c>: runs a program, such as tests, and fails if it loses buffers or returns them twice.</summary>
internal static class CheckCommand
{
    /// <summary>Exit code when the program itself succeeded and there are problems.</summary>
    private const int Failed = 1;

    private const int ShownProcesses = 8;

    /// <summary>What was asked for with an option, or is after the end of the program.</summary>
    private const RecordingCut AcceptedCuts = RecordingCut.Time | RecordingCut.Outlived;

    private static readonly Argument<string[]> s_program = new("program")
    {
        Description = "After --: the program and its arguments. The .NET processes it starts are recorded too.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<TimeSpan?> s_time = DurationOption.CreateOptional(
        "--for", "Record each process for this long at most; it then continues. Without it, to its end.");

    private static readonly Option<FileInfo?> s_baseline = FileOption("--baseline", "Known problems, which do not fail the check.");
    private static readonly Option<FileInfo?> s_write = FileOption(
        "--write-baseline", "Write the problems found, to accept them in later checks.");

    private static readonly Option<FileInfo?> s_sarif = FileOption("--sarif", "Write the problems as SARIF 2.1.0.");
    private static readonly Option<FileInfo?> s_junit = FileOption("--junit", "Write the problems as JUnit XML.");

    private static readonly Option<int> s_mostLost = new("--max-lost")
    {
        Description = "The number of lost buffers that is accepted beyond the baseline; none by default.",
    };

    private static readonly Option<bool> s_strict = new("--strict")
    {
        Description = "Fail also on what is only possible.",
    };

    private static readonly Option<bool> s_tests = new("--tests")
    {
        Description = "Name the tests that buffers were lost or returned twice in, where they are on the stack (xUnit, NUnit, MSTest).",
    };

    public static Command Create()
    {
        var command = new Command("check", "Runs a program and fails if it loses buffers or returns them twice, for build servers.");
        command.Arguments.Add(s_program);
        command.Options.Add(s_baseline);
        command.Options.Add(s_write);
        command.Options.Add(s_mostLost);
        command.Options.Add(s_strict);
        command.Options.Add(s_sarif);
        command.Options.Add(s_junit);
        command.Options.Add(s_tests);
        command.Options.Add(StartedProgram.Only);
        command.Options.Add(StartedProgram.WithSdk);
        command.Options.Add(s_time);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        string[] program = line.GetValue(s_program)!;
        int mostLost = line.GetValue(s_mostLost);
        if (mostLost < 0)
        {
            throw new InvalidDataException($"--max-lost is {mostLost}; it is 0 or more.");
        }

        // Read first: a baseline that cannot be read should not cost a run of all tests.
        IReadOnlyList<KnownProblem> baseline = line.GetValue(s_baseline) is { } known ? CheckBaseline.Read(known.FullName) : [];
        var sources = new SourceTree(Environment.CurrentDirectory);
        using var files = new ProblemFiles(line.GetValue(s_write), line.GetValue(s_sarif), line.GetValue(s_junit), sources);
        using var interruption = new Interruption();
        StartedProgram run = StartedProgram.Record(program, line.GetValue(StartedProgram.Only), ReadOptions(line), interruption.Token);
        if (run.WhyNothing is { } reason)
        {
            Console.Error.WriteLine($"tarn: no verdict: {reason}");
            return run.ExitCode != 0 ? run.ExitCode : ToolCommand.Refused;
        }

        Findings[] processes = [.. run.Recording.Traces.Select(trace => TraceAnalysis.Of(trace, sources))];
        IReadOnlyList<Problem> problems =
        [
            .. Problem.Of(processes).Select(problem => problem with
            {
                Tests = line.GetValue(s_tests) ? problem.Tests : [],
                Fails = problem.Fails || line.GetValue(s_strict),
            }),
        ];
        files.Accept(problems);
        IReadOnlyList<Problem> found = CheckBaseline.FindNew(problems, baseline);
        files.Write(found);
        bool isFailure = IsFailure(found, mostLost) && line.GetValue(s_write) is null;
        bool isSeen = Tell(run, processes, found, files);
        return run.ExitCode != 0 ? run.ExitCode : isFailure ? Failed : isSeen ? 0 : ToolCommand.Refused;
    }

    private static RecordingOptions ReadOptions(ParseResult line) => new()
    {
        Detail = RecordingDetail.Stacks,
        MostEvents = BufferTrace.MostEvents,
        LongestTime = line.GetValue(s_time),
        IncludesSdk = line.GetValue(StartedProgram.WithSdk),
    };

    private static bool IsFailure(IReadOnlyList<Problem> found, int mostLost)
    {
        Problem[] failing = [.. found.Where(problem => problem.Fails)];
        return failing.Any(problem => problem.Kind != ProblemKind.Lost)
            || failing.Where(problem => problem.Kind == ProblemKind.Lost).Sum(problem => problem.Count) > mostLost;
    }

    /// <summary>Tells what was recorded and found. Returns whether enough was recorded to say that there is nothing else.</summary>
    private static bool Tell(StartedProgram run, Findings[] processes, IReadOnlyList<Problem> found, ProblemFiles files)
    {
        foreach (Findings process in processes.Take(ShownProcesses))
        {
            Console.Error.WriteLine(
                $"tarn: {process.Origin.Program}, process {process.Details.ProcessId}: {Words.Buffers(process.Rented)} rented in "
                + $"{Words.Time(process.Duration)}.");
        }

        if (processes.Length > ShownProcesses)
        {
            Console.Error.WriteLine($"tarn: and {Words.Count(processes.Length - ShownProcesses, "process", "processes")} more.");
        }

        bool isSeen = run.Recording.Failures.Count == 0;
        foreach (Findings process in processes)
        {
            isSeen &= process.LostEvents == 0 && (process.Details.Cut & ~AcceptedCuts) == RecordingCut.None;
            foreach (string gap in Words.Gaps(process))
            {
                Console.Error.WriteLine($"tarn: {process.Origin.Program}, process {process.Details.ProcessId}: {gap}");
            }
        }

        foreach (Problem problem in found)
        {
            Console.WriteLine(files.Line(problem));
        }

        if (found.Count == 0)
        {
            Console.Error.WriteLine(isSeen
                ? "tarn: no buffer was lost or returned twice beyond the baseline."
                : "tarn: no verdict: not all was recorded. In what was, no buffer was lost or returned twice beyond the baseline.");
        }
        else if (!isSeen)
        {
            Console.Error.WriteLine("tarn: not all was recorded, so there may be more.");
        }

        return isSeen;
    }

    private static Option<FileInfo?> FileOption(string name, string description) =>
        new(name) { Description = description, HelpName = "FILE" };
}
