using System.CommandLine;
using Tarn.Lab.Claims;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Running;

/// <summary><c>claims</c>: measures every figure that the documents state, or compares the documents with measured figures.</summary>
internal static class ClaimsCommand
{
    /// <summary>Exit code when a claim does not hold, or a document differs.</summary>
    private const int Failed = 1;

    private static readonly Option<bool> s_write = new("--write")
    {
        Description = "Measure nothing: write the figures of the claims under lab/results into README.md and docs/.",
    };

    private static readonly Option<bool> s_check = new("--check")
    {
        Description = "Measure nothing: fail if README.md or docs/ state different figures from the claims under lab/results.",
    };

    private static readonly Option<FileInfo?> s_judge = new("--judge")
    {
        Description = "Measure nothing: compare the results.json of an earlier report with the claims, and write claims.json beside it.",
    };

    public static Command Create()
    {
        var command = new Command("claims", "Measures every figure that the documents state and fails if one does not hold.");
        command.Options.Add(s_write);
        command.Options.Add(s_check);
        command.Options.Add(s_judge);
        command.SetAction(result => result switch
        {
            _ when result.GetValue(s_judge) is { } report => LabCommand.Guarded(() => Judge(report)),
            _ when result.GetValue(s_write) || result.GetValue(s_check) => LabCommand.Guarded(() => Reconcile(result.GetValue(s_write))),
            _ => LabCommand.GuardedMeasurement(() => Measure(LabCommand.ReadOptions(result))),
        });
        return command;
    }

    private static int Measure(LabOptions options)
    {
        options = options with { Subcommand = "claims", Only = [.. ClaimList.All.Select(claim => claim.Experiment).Distinct()] };
        LabReport report = LabRun.Execute(options);
        IReadOnlyList<ClaimResult> results = Tell(report);
        IEnumerable<string> needed = ClaimList.All.Where(claim => !claim.NeedsPeer).Select(claim => claim.Id);
        string[] missing = [.. needed.Except(results.Select(result => result.Id))];
        if (missing.Length > 0)
        {
            Console.WriteLine($"No evidence was measured for: {string.Join(", ", missing)}");
        }

        Console.WriteLine();
        Console.WriteLine($"{results.Count(result => result.Holds)} of {ClaimList.All.Count} claims hold here.");
        Console.WriteLine(new ClaimFile(report.Run, results).WriteTo(options.OutputDirectory));
        return missing.Length == 0 && results.All(result => result.Holds) ? 0 : Failed;
    }

    private static int Judge(FileInfo results)
    {
        LabReport report = ReportReader.Read(results.FullName);
        IReadOnlyList<ClaimResult> claims = Tell(report);
        Console.WriteLine(new ClaimFile(report.Run, claims).WriteTo(results.DirectoryName!));
        return claims.All(claim => claim.Holds) ? 0 : Failed;
    }

    private static IReadOnlyList<ClaimResult> Tell(LabReport report)
    {
        IReadOnlyList<ClaimResult> results = ClaimJudge.Judge(ClaimList.All, report);
        foreach (ClaimResult result in results)
        {
            Console.WriteLine($"{(result.Holds ? "holds  " : "FAILS  ")} {result.Id}: {result.Sentence}");
            foreach (ClaimEvidence piece in result.Evidence)
            {
                Console.WriteLine(
                    $"          {piece.Title}: {piece.Value:0.###} ({piece.Low:0.###} to {piece.High:0.###}), "
                    + $"at most {result.Bound:0.###}");
            }
        }

        TellChanges(results);
        return results;
    }

    private static void TellChanges(IReadOnlyList<ClaimResult> results)
    {
        Console.WriteLine();
        if (ClaimDocuments.TryFindRepositoryRoot() is not { } root)
        {
            Console.WriteLine("This is not the repository's folder, so the run is not compared with the figures in its documents.");
            return;
        }

        string[] changes = [.. ClaimChanges.Of(results, ClaimFile.ReadCommitted(root))];
        Console.WriteLine(changes.Length == 0
            ? "Committed under lab/results, this run would change no figure in the documents."
            : "Committed under lab/results, as of another kind of processor, this run would change figures in the documents:");
        foreach (string change in changes)
        {
            Console.WriteLine($"          {change}");
        }
    }

    private static int Reconcile(bool write)
    {
        IReadOnlyList<string> problems = ClaimDocuments.Reconcile(ClaimDocuments.FindRepositoryRoot(), write);
        foreach (string problem in problems)
        {
            Console.WriteLine(problem);
        }

        if (problems.Count == 0)
        {
            Console.WriteLine("The documents state the measured figures.");
        }

        return problems.Count == 0 ? 0 : Failed;
    }
}
