using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>A program that did not change passes with its baseline, however its faults vary from run to run.</summary>
public class BaselineRunsTests
{
    private static readonly int s_runs = StressLength.IsLong ? 5 : 2;

    [SkippableFact]
    public async Task Several_runs_with_one_baseline_agree()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        string[] program = ["--", "dotnet", Child.Assembly, "varied losses"];

        ToolProcess first = await ToolProcess.RunAsync(folder.Path, ["check", "--write-baseline", "known.json", .. program]);
        ToolProcess without = await ToolProcess.RunAsync(folder.Path, ["check", .. program]);
        Assert.Equal((0, 1), (first.ExitCode, without.ExitCode));
        foreach (string method in (ReadOnlySpan<string>)["Take", "LoseAsync", "LoseElements"])
        {
            Assert.Contains($"VariedLosses.{method} ", without.Output, StringComparison.Ordinal);
        }

        for (int run = 0; run < s_runs; run++)
        {
            ToolProcess check = await ToolProcess.RunAsync(folder.Path, ["check", "--strict", "--baseline", "known.json", .. program]);
            Assert.True(check.ExitCode == 0, check.Output + check.Error + await File.ReadAllTextAsync(folder.File("known.json")));
        }
    }
}
