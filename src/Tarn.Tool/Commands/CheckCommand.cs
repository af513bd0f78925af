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

    private static readonly Argument<string[]> s_program = new("program")
    {
        Description = "After --: the program and its arguments. The .NET processes it starts are recorded too.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<TimeSpan> s_time = DurationOption.Create(
        "--for", "The longest recording of each process; the process then continues.", TimeSpan.FromMinutes(10));

    private static readonly Option<FileInfo?> s_baseline = FileOption("--baseline", "Known problems, which do not fail the check.");
    private static readonly Option<FileInfo?> s_write = FileOption(
        "--write-baseline", "Write the problems found, to accept them in later checks.");

    private static readonly Option<FileInfo?> s_sarif = FileOption("--sarif", "Write the problems as SARIF 2.1.0.");
    private static readonly Option<FileInfo?> s_junit = FileOption("--junit", "Write the problems as JUnit XML.");

    private static readonly Option<int> s_mostLost = new("--max-lost")
    {
        Description = "The number of lost buffers that is accepted beyond the baseline; none by default.",
    };

    private static readonly Option<bool> s_tests = new("--tests")
    {
        Description = "Name the tests that buffers were lost or returned twice in, where they are on the stack (xUnit, NUnit, MSTest).",
    };

    private static readonly Option<string?> s_only = new("--process")
    {
        Description = "Record only processes whose command line contains this.",
        HelpName = "TEXT",
    };

    public static Command Create()
    {
        var command = new Command("check", "Runs a program and fails if it loses buffers or returns them twice, for build servers.");
        command.Arguments.Add(s_program);
        command.Options.Add(s_baseline);
        command.Options.Add(s_write);
        command.Options.Add(s_mostLost);
        command.Options.Add(s_sarif);
        command.Options.Add(s_junit);
        command.Options.Add(s_tests);
        command.Options.Add(s_only);
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
        IReadOnlyList<Problem> baseline = line.GetValue(s_baseline) is { } known ? CheckBaseline.Read(known.FullName) : [];
        Findings[] processes = Record(program, line, out int exitCode);
        IReadOnlyList<Problem> problems = Problem.Of(processes);
        if (!line.GetValue(s_tests))
        {
            problems = [.. problems.Select(problem => problem with { Tests = [] })];
        }

        if (line.GetValue(s_write) is { } accepted)
        {
            CheckBaseline.Write(accepted.FullName, [.. problems.Where(problem => problem.Certainty == Certainty.Likely)]);
            Console.Error.WriteLine(accepted.FullName);
        }

        IReadOnlyList<Problem> found = CheckBaseline.FindNew(problems, baseline);
        Write(line.GetValue(s_sarif), () => SarifFile.Write(found, Environment.CurrentDirectory));
        Write(line.GetValue(s_junit), () => JUnitFile.Write(found));
        Tell(processes, found);
        return exitCode != 0 ? exitCode : IsFailure(found, mostLost) && line.GetValue(s_write) is null ? Failed : 0;
    }

    private static Findings[] Record(string[] program, ParseResult line, out int exitCode)
    {
        var options = new RecordingOptions
        {
            Detail = RecordingDetail.Stacks,
            MostEvents = BufferTrace.MostEvents,
            LongestTime = line.GetValue(s_time),
        };
        using var interruption = new Interruption();
        ProgramRecording recording = StartedProgram.Record(program, line.GetValue(s_only), options, interruption.Token);
        exitCode = recording.ExitCode;
        return [.. recording.Traces.Select(TraceAnalysis.Of)];
    }

    /// <summary>What is only possible does not fail a build: it would fail it at random.</summary>
    private static bool IsFailure(IReadOnlyList<Problem> found, int mostLost)
    {
        Problem[] likely = [.. found.Where(problem => problem.Certainty == Certainty.Likely)];
        return likely.Any(problem => problem.Kind != ProblemKind.Lost)
            || likely.Where(problem => problem.Kind == ProblemKind.Lost).Sum(problem => problem.Count) > mostLost;
    }

    private static void Tell(Findings[] processes, IReadOnlyList<Problem> found)
    {
        Console.Error.WriteLine(
            $"tarn: {Words.Count(processes.Length, "process", "processes")} rented {processes.Sum(one => one.Rented):N0} buffers.");
        foreach (Findings process in processes.Where(one => one.LostEvents > 0))
        {
            Console.Error.WriteLine($"tarn: process {process.Details.ProcessId}: {Words.LostEvents(process)}");
        }

        foreach (Problem problem in found)
        {
            string severity = problem.Certainty == Certainty.Likely ? "error" : "note";
            string place = problem.Place is { Line: > 0 } frame ? $"{frame.File}({frame.Line}): " : "";
            Console.WriteLine($"{place}{severity} {SarifFile.IdOf(problem.Kind)}: {problem.FullMessage}");
        }

        if (found.Count == 0)
        {
            Console.Error.WriteLine("tarn: no buffer was lost or returned twice beyond the baseline.");
        }
    }

    private static void Write(FileInfo? file, Func<string> write)
    {
        if (file is not null)
        {
            File.WriteAllText(file.FullName, write());
            Console.Error.WriteLine(file.FullName);
        }
    }

    private static Option<FileInfo?> FileOption(string name, string description) =>
        new(name) { Description = description, HelpName = "FILE" };
}
