using System.CommandLine;
using System.Diagnostics;
using Tarn.Sanitizing;
using Tarn.Sanitizing.Grafting;
using Tarn.Sanitizing.Launching;
using Tarn.Tool.Commands;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary><c>sanitize</c>: runs a program whose array pools are checked, those of the framework and of packages included.</summary>
internal static class SanitizeCommand
{
    /// <summary>The command lines that a message names.</summary>
    private const int MostNamed = 3;

    private static readonly Argument<string[]> s_program = new("program")
    {
        Description = "After --: the program and its arguments. The .NET processes it starts are checked too.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private static readonly Option<bool> s_prepare = new("--prepare")
    {
        Description = "Make the private copies of all installed runtimes, as for an image of a build server, and run nothing.",
    };

    private static readonly Option<bool> s_list = new("--list-runtimes")
    {
        Description = "List the installed runtimes, and whether programs on them can be checked.",
    };

    private static readonly Option<bool> s_clear = new("--clear")
    {
        Description = "Remove the private copies that no process uses, and run nothing. Later runs make them again.",
    };

    public static Command Create()
    {
        var command = new Command("sanitize", "Runs a program and finds what it does wrong with pooled arrays, where it does it.");
        command.Arguments.Add(s_program);
        foreach (Option option in SanitizerReport.Options.Concat([s_prepare, s_list, s_clear]))
        {
            command.Options.Add(option);
        }

        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        using var folders = new SanitizerFolders();
        string[] program = line.GetValue(s_program) ?? [];
        bool clears = line.GetValue(s_clear);
        bool lists = line.GetValue(s_list) || line.GetValue(s_prepare);
        if ((clears || lists) && program.Length > 0)
        {
            throw new InvalidDataException("--prepare, --list-runtimes and --clear run no program.");
        }

        int cleared = clears ? Clear(folders.Cache) : 0;
        if (clears || lists)
        {
            return lists ? List(new PrivateCopies(folders.Cache)) : cleared;
        }

        if (program.Length == 0)
        {
            throw new InvalidDataException("Name a program: tarn sanitize -- dotnet test");
        }

        string options = SanitizerReport.ReadOptions(line);
        using SanitizerReport report = new(line);
        Prepare(new PrivateCopies(folders.Cache));
        UnusedCopies.Prune(folders.Cache);
        if (line.GetValue(SanitizerBisection.Asked))
        {
            return SanitizerBisection.Run(program, options);
        }

        (int exitCode, IReadOnlyList<SeenProcess> seen) = SanitizedProgram.Run(program, options, folders);
        IReadOnlyList<LaunchLog> processes = LaunchLog.Read(folders.Reports);
        string? asked = SanitizerSettings.Parse(options).GetValueOrDefault(SanitizerSettings.ProcessKey);
        IReadOnlyList<UncheckedProcess> unseen = UncheckedProcess.Of(processes, seen, asked);
        int found = report.Tell(line, folders.Reports, unseen);
        if (found == 0 && unseen.Count > 0 && line.GetValue(SanitizerReport.FailsOnUnchecked))
        {
            found = ToolCommand.Refused;
        }

        if (UncheckedProgram.ExplainLoss(folders.Reports) is { } loss)
        {
            Console.Error.WriteLine($"tarn: {loss}");
            found = found == 0 ? ToolCommand.Refused : found;
        }
        else if (processes.All(process => process.Refusal is not null))
        {
            Console.Error.WriteLine($"tarn: nothing was checked. {Explain(program, processes)}".TrimEnd());
            found = ToolCommand.Refused;
        }

        return exitCode != 0 ? exitCode : found;
    }

    private static string Explain(string[] program, IReadOnlyList<LaunchLog> processes) =>
        processes.Count == 0 ? UncheckedProgram.Explain(program)
        : processes.Any(process => process.IsUnasked)
            ? $"The process filter excludes {string.Join("; ", processes.Where(process => process.IsUnasked)
                .Select(process => process.Command).Distinct().Take(MostNamed))}."
        : "";

    /// <summary>Makes what lacks before many processes of one program make it at once. A process says itself what cannot be made.</summary>
    private static void Prepare(PrivateCopies copies)
    {
        foreach (string framework in DotnetInstallations.FindFrameworks().Where(DotnetInstallations.IsKnown))
        {
            try
            {
                _ = DotnetInstallations.Prepare(framework, copies);
            }
            catch (Exception exception) when (exception is GraftException or IOException or UnauthorizedAccessException)
            {
                Console.Error.WriteLine($"tarn: programs on {framework} cannot be checked: {exception.Message}");
            }
        }
    }

    private static int Clear(string root)
    {
        (int removed, int remaining) = UnusedCopies.Clear(root);
        Console.WriteLine($"{Words.Count(removed, "private copy", "private copies")} removed from {root}");
        if (remaining > 0)
        {
            Console.Error.WriteLine(
                $"tarn: {Words.Count(remaining, "private copy remains", "private copies remain")}: a process uses it, or it is not yours.");
        }

        return remaining == 0 ? 0 : ToolCommand.Refused;
    }

    private static int List(PrivateCopies copies)
    {
        IReadOnlyList<string> frameworks = DotnetInstallations.FindFrameworks();
        bool complete = frameworks.Count > 0;
        foreach (string framework in frameworks)
        {
            long start = Stopwatch.GetTimestamp();
            try
            {
                PrivateCopy copy = DotnetInstallations.Prepare(framework, copies);
                Console.WriteLine($"{framework}: ready ({Stopwatch.GetElapsedTime(start).TotalSeconds:F2} s), {Describe(copy)}");
            }
            catch (Exception exception) when (exception is GraftException or IOException or UnauthorizedAccessException)
            {
                Console.WriteLine($"{framework}: refused: {exception.Message}");
                complete &= exception is GraftException && !DotnetInstallations.IsKnown(framework);
            }
        }

        Console.WriteLine($"Private copies lie in {copies.Root}");
        return complete ? 0 : ToolCommand.Refused;
    }

    private static string Describe(PrivateCopy copy) => copy.Obstacle is { } obstacle
        ? $"slower than usual, without compiled code in CoreLib, because {obstacle}"
        : $"{copy.Hidden} of {copy.Instances:N0} compiled generic methods hidden";
}
