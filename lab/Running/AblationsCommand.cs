using System.CommandLine;
using Tarn.Lab.Claims;
using Tarn.Lab.Report;

namespace Tarn.Lab.Running;

/// <summary><c>ablations</c>: measures the library without its mechanisms, one after the other, and records what each is worth.</summary>
internal static class AblationsCommand
{
    private static readonly Argument<string[]> s_names = new("names")
    {
        Description = "The mechanisms; none for all.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    public static Command Create()
    {
        var command = new Command("ablations", "Measures the library without each of its mechanisms, and records what each is worth.");
        command.Arguments.Add(s_names);
        command.SetAction(result => LabCommand.Guarded(() => Run(result.GetValue(s_names) ?? [], LabCommand.ReadOptions(result))));
        return command;
    }

    private static int Run(string[] names, LabOptions options)
    {
        string root = ClaimDocuments.FindRepositoryRoot();
        Ablation[] chosen = [.. names.Length > 0 ? names.Select(Ablation.Find) : Ablation.All];
        foreach (Ablation ablation in chosen)
        {
            string to = Path.Combine(root, "artifacts", "ablations", ablation.Name);
            int exitCode = AgainstBuild.RunWithout(ablation.Name, options with { Only = [ablation.Experiment], OutputDirectory = to });
            if (exitCode != 0)
            {
                return exitCode;
            }

            var record = AblationRecord.Of(
                ablation.Name, ablation.Takes, ReportReader.Read(Path.Combine(to, ReportWriter.Results)));
            Console.WriteLine(record.WriteTo(root));
        }

        Console.WriteLine("'claims --write' puts the records into the documents.");
        return 0;
    }
}
