using System.CommandLine;
using System.CommandLine.Invocation;
using Tarn.Lab.Baseline;
using Tarn.Lab.Claims;
using Tarn.Lab.Experiments;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Running;

/// <summary>The command line of the lab.</summary>
internal static class LabCommand
{
    /// <summary>Exit code of a request that cannot be carried out, as for a line that cannot be parsed.</summary>
    public const int Refused = 2;

    private static readonly Option<bool> s_full = new("--full")
    {
        Description = "Publication quality: every experiment, more rounds, longer samples; about 90 minutes.",
        Recursive = true,
    };

    private static readonly Option<string[]> s_only = new("--only")
    {
        Description = "Run only these experiments: ids separated by commas.",
        AllowMultipleArgumentsPerToken = true,
        HelpName = "id[,id…]",
    };

    private static readonly Option<bool> s_list = new("--list")
    {
        Description = "List the experiments, the time each takes, and those that a quick run leaves out.",
    };

    private static readonly Option<string> s_out = new("--out")
    {
        Description = "The folder for the report.",
        DefaultValueFactory = _ => "lab-out",
        HelpName = "DIR",
        Recursive = true,
    };

    private static readonly Option<string?> s_baseline = new("--baseline")
    {
        Description = "The results.json of an earlier run to compare with.",
        HelpName = "FILE",
    };

    private static readonly Option<int> s_seed = new("--seed")
    {
        Description = "The seed of all random choices.",
        DefaultValueFactory = _ => ExperimentContext.DefaultSeed,
        Recursive = true,
    };

    private static readonly Option<string?> s_against = new("--against")
    {
        Description = "Measure this commit's library and that of another commit by turns in one process.",
        HelpName = "COMMIT",
    };

    private static readonly Option<string?> s_without = new("--without")
    {
        Description = "Measure this commit's library with and without one of its mechanisms, by turns in one process.",
        HelpName = "MECHANISM",
    };

    public static RootCommand Create()
    {
        var root = new RootCommand("Measures Tarn beside what it replaces, on this machine, and writes a report.");
        root.Options.Add(s_full);
        root.Options.Add(s_only);
        root.Options.Add(s_list);
        root.Options.Add(s_out);
        root.Options.Add(s_baseline);
        root.Options.Add(s_seed);
        root.Options.Add(s_against);
        root.Options.Add(s_without);
        root.SetAction(result => result.GetValue(s_list) ? List()
            : result.GetValue(s_against) is { } commit ? Guarded(() => AgainstBuild.Run(commit, ReadOptions(result)))
            : result.GetValue(s_without) is { } name ? Guarded(() => AgainstBuild.RunWithout(name, ReadOptions(result)))
            : GuardedMeasurement(() => Measure(ReadOptions(result))));
        root.Subcommands.Add(ClaimsCommand.Create());
        root.Subcommands.Add(AblationsCommand.Create());
        root.Subcommands.Add(ReportCommand.Create());
        root.Subcommands.Add(PeersCommand.Create());
        root.Subcommands.Add(RecordCommand.Create());
        root.Subcommands.Add(ChildCommand.Create());
        return root;
    }

    /// <summary>The exit code: a line that cannot be parsed must not look like a claim that failed.</summary>
    public static int Invoke(string[] arguments)
    {
        ParseResult line = Create().Parse(arguments);
        int exitCode = line.Invoke();
        return line.Action is ParseErrorAction ? Refused : exitCode;
    }

    public static LabOptions ReadOptions(ParseResult result) => new()
    {
        Full = result.GetValue(s_full),
        Only =
        [
            .. (result.GetValue(s_only) ?? [])
                .SelectMany(ids => ids.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)),
        ],
        OutputDirectory = result.GetValue(s_out)!,
        BaselineFile = result.GetValue(s_baseline),
        Seed = result.GetValue(s_seed),
    };

    /// <summary>
    /// As <see cref="Guarded"/>, for commands that must not run in a debug build and may first have to restart the process.
    /// </summary>
    public static int GuardedMeasurement(Func<int> action)
    {
        if (BuildGuard.FindReasonToRefuse() is { } reason)
        {
            return Refuse(reason);
        }

        ThreadStorageRestart.DoIfNeeded();
        return Guarded(action);
    }

    /// <summary>Runs an action. A user's mistake results in a message and an exit code, not a stack trace.</summary>
    public static int Guarded(Func<int> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception)
            when (exception is UnknownExperimentException or InvalidDataException or IOException or UnauthorizedAccessException)
        {
            return Refuse(exception.Message);
        }
    }

    private static int Measure(LabOptions options)
    {
        // Read first: a baseline that cannot be read should not cost minutes.
        LabReport? before = options.BaselineFile is { } file ? ReportReader.Read(file) : null;
        _ = Directory.CreateDirectory(options.OutputDirectory);
        using var results = OutputFile.Open(Path.Combine(options.OutputDirectory, ReportWriter.Results));
        LabReport report = LabRun.Execute(options);
        if (before is not null)
        {
            report = report with { Changes = ChangeFinder.Find(before, report) };
        }

        // From the same run as the report, so that a document's figures and the results it links to agree.
        var claims = new ClaimFile(report.Run, ClaimJudge.Judge(ClaimList.All, report));
        string? problem = null;
        IReadOnlyList<string> files;
        try
        {
            files = Write(report, claims, options.OutputDirectory);
        }
        catch (Exception exception) when (OutputFile.IsRefusal(exception))
        {
            problem = $"{options.OutputDirectory} cannot be written: {OutputFile.Sentence(exception)} "
                + "The report is kept where there was room.";
            files = Write(report, claims, Directory.CreateTempSubdirectory("tarn-kept-").FullName);
        }

        ConsoleSummary.Write(report, files, ConsoleSummary.CreateConsole());
        return problem is null ? 0 : Refuse(problem);
    }

    private static string[] Write(LabReport report, ClaimFile claims, string folder) =>
        [.. ReportWriter.WriteAll(report, folder), claims.WriteTo(folder)];

    private static int List()
    {
        foreach (IExperiment experiment in Catalogue.All)
        {
            string seconds = $"quick {experiment.QuickSeconds,3:0} s   full {experiment.FullSeconds,4:0} s";
            string onRequest = Catalogue.OnRequest.Contains(experiment.Id) ? "   on request" : "";
            Console.WriteLine($"{experiment.Id,-18} {experiment.Title,-44} {seconds}{onRequest}");
        }

        return 0;
    }

    private static int Refuse(string reason)
    {
        Console.Error.WriteLine(ForeignText.Lines(reason));
        return Refused;
    }
}
