using System.CommandLine;

namespace Tarn.Analyzers.Field;

/// <summary>The command line: what the analyzer finds in other people's sources.</summary>
internal static class FieldCommand
{
    private const string Developing = "developing";

    private static readonly Option<DirectoryInfo> s_packages = new("--packages")
    {
        Description = "Where restored packages are noted.",
        DefaultValueFactory = static _ => new DirectoryInfo(Path.Combine(Path.GetTempPath(), "tarn-analyzers-field")),
    };

    private static readonly Option<bool> s_withoutPackages = new("--without-packages")
    {
        Description = "Restores no packages: code that needs them does not compile, and is not analyzed.",
    };

    internal static RootCommand Create() =>
        new("Runs the analyzer on source trees of other projects.")
        {
            CreateReplay(), CreateTree(), CreateMutate(), CreateCost(),
        };

    private static Command CreateReplay()
    {
        Argument<FileInfo> list = new("list") { Description = "The list of fix commits, docs/analyzer-fix-commits.csv." };
        Argument<DirectoryInfo> folder = new("folder") { Description = "Where sources are put, and repositories that are fetched." };
        Option<DirectoryInfo?> mirrors = new("--mirrors")
        {
            Description = "Git directories to use instead of the network: owner+name, or a folder repo inside it.",
        };
        Option<string?> half = new("--half") { Description = $"Only this half: {Developing} or unseen." };
        Option<bool> details = new("--details")
        {
            Description = "Prints the findings in each commit, which ends the blindness to a half.",
        };
        Option<int> seconds = new("--seconds") { Description = "The longest time for one commit.", DefaultValueFactory = static _ => 240 };
        Command replay = new("replay", "Analyzes the files of each fix before and after it. Needs git, and the network without mirrors.")
        {
            list, folder, mirrors, half, details, seconds, s_packages, s_withoutPackages,
        };
        replay.SetAction(async (result, cancellation) =>
        {
            Repositories repositories = new(result.GetRequiredValue(folder).FullName, result.GetValue(mirrors)?.FullName);
            Replay run = new(
                repositories, PackagesOf(result), TimeSpan.FromSeconds(result.GetValue(seconds)), Console.Out, result.GetValue(details));
            string? only = result.GetValue(half);
            IReadOnlyList<FixCommit> commits =
                [.. FixCommit.ReadAll(result.GetRequiredValue(list).FullName).Where(one => only is null || one.Half == only)];
            await run.RunAsync(commits, cancellation);
        });
        return replay;
    }

    private static Command CreateTree()
    {
        Argument<DirectoryInfo> folder = new("folder") { Description = "The root of the source tree." };
        Option<bool> all = new("--all") { Description = "Also hidden findings and those of TARN013." };
        Option<string?> only = new("--only") { Description = "Only projects whose path contains this." };
        Option<int> seconds = new("--seconds")
        {
            Description = "The longest time for one project.",
            DefaultValueFactory = static _ => 1800,
        };
        Command tree = new("tree", "Prints each finding in a source tree, with file, line and rule.")
        {
            folder, all, only, seconds, s_packages, s_withoutPackages,
        };
        tree.SetAction(async (result, cancellation) =>
        {
            SourceTree source = new(result.GetRequiredValue(folder).FullName);
            TreeRun run = new(source, PackagesOf(result), TimeSpan.FromSeconds(result.GetValue(seconds)), Console.Out);
            await run.RunAsync(result.GetValue(only), result.GetValue(all), cancellation);
        });
        return tree;
    }

    private static Command CreateMutate()
    {
        Argument<DirectoryInfo> folder = new("folder") { Description = "The root of the source tree." };
        Option<string?> only = new("--only") { Description = "Only projects whose path contains this." };
        Option<int> every = new("--every") { Description = "One bug in this many, by hash.", DefaultValueFactory = static _ => 1 };
        Option<bool> details = new("--details") { Description = "Prints the bugs that are not found." };
        Command mutate = new("mutate", "Puts bugs into a source tree, one at a time, and counts those that the analyzer finds.")
        {
            folder, only, every, details, s_packages, s_withoutPackages,
        };
        mutate.SetAction(async (result, cancellation) =>
        {
            SourceTree source = new(result.GetRequiredValue(folder).FullName);
            MutationRun run = new(
                source, PackagesOf(result), result.GetValue(every), Console.Out, result.GetValue(details));
            await run.RunAsync(result.GetValue(only), cancellation);
        });
        return mutate;
    }

    private static Command CreateCost()
    {
        Argument<DirectoryInfo> folder = new("folder") { Description = "The root of the source tree." };
        Argument<string> project = new("project") { Description = "The path of a project file inside it." };
        Option<int> rounds = new("--rounds") { Description = "How often to measure.", DefaultValueFactory = static _ => 4 };
        Command cost = new("cost", "Measures the analyzer's time in a project beside that of the SDK's analyzers.")
        {
            folder, project, rounds, s_packages, s_withoutPackages,
        };
        cost.SetAction(async (result, cancellation) => await CostRun.RunAsync(
            new SourceTree(result.GetRequiredValue(folder).FullName),
            PackagesOf(result),
            result.GetRequiredValue(project),
            result.GetValue(rounds),
            Console.Out,
            cancellation));
        return cost;
    }

    private static RestoredPackages? PackagesOf(ParseResult result) =>
        result.GetValue(s_withoutPackages) ? null : new RestoredPackages(result.GetRequiredValue(s_packages).FullName);
}
