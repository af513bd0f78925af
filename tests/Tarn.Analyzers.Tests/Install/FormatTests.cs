using System.Text.RegularExpressions;
using Tarn.Analyzers.Tests.Fixes;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The fixes as <c>dotnet format</c> applies them.</summary>
[Collection(nameof(PackedFeed))]
public sealed partial class FormatTests(PackedFeed feed)
{
    [LongFact]
    public void One_command_fixes_every_example_of_every_rule()
    {
        InstalledProject project = feed.CreateProject("Tarn", "Tarn.SharedMemory");
        string[] rules = [.. EveryExample.Names.Select(static name => name[..7]).Distinct()];
        project.Write("Program.cs", "System.Console.WriteLine();\n");
        project.WriteOptions(string.Join('\n', rules.Select(static rule => $"dotnet_diagnostic.{rule}.severity = warning")));
        foreach ((string name, string source) in EveryExample.Files.Where(static file => !EveryExample.IsRefused(file.Name)))
        {
            project.Write(name, source);
        }

        DotnetRun before = project.Build();
        Assert.True(before.ExitCode == 0, before.Output);
        Assert.Equal(rules, OwnFindings(before.Output));
        DotnetRun fix = project.Fix(rules);
        Assert.True(fix.ExitCode == 0, fix.Output);
        DotnetRun after = project.Build("--no-incremental");

        Assert.True(after.ExitCode == 0, after.Output);
        Assert.True(!OwnFindings(after.Output).Any(), $"{fix.Output}\n{after.Output}");
    }

    /// <summary>The rules that have a finding in an example of their own.</summary>
    private static IEnumerable<string> OwnFindings(string output) =>
        OwnFindingPattern().Matches(output).Select(static match => match.Groups[1].Value).Distinct().Order(StringComparer.Ordinal);

    [GeneratedRegex(@"(TARN\d{3})[^/\\\n]*\.cs\([^\n]*: warning \1:")]
    private static partial Regex OwnFindingPattern();
}
