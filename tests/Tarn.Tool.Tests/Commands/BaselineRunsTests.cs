using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>A program that did not change passes with its baseline, however its faults vary from run to run.</summary>
public class BaselineRunsTests
{
    private const int Runs = 5;

    [SkippableFact]
    public async Task Several_runs_with_one_baseline_agree()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it runs a program again and again; the long form does it");
        using var folder = new TemporaryDirectory();
        string[] program = ["--", "dotnet", Child.Assembly, "varied losses"];

        ToolProcess first = await ToolProcess.RunAsync(folder.Path, ["check", "--write-baseline", "known.json", .. program]);
        ToolProcess without = await ToolProcess.RunAsync(folder.Path, ["check", .. program]);
        Assert.Equal((0, 1), (first.ExitCode, without.ExitCode));
        foreach (string method in (ReadOnlySpan<string>)["Take", "LoseAsync", "LoseElements"])
        {
            Assert.Contains($"VariedLosses.{method} ", without.Output, StringComparison.Ordinal);
        }

        for (int run = 0; run < Runs; run++)
        {
            ToolProcess check = await ToolProcess.RunAsync(folder.Path, ["check", "--strict", "--baseline", "known.json", .. program]);
            Assert.True(check.ExitCode == 0, check.Output + check.Error + await File.ReadAllTextAsync(folder.File("known.json")));
        }
    }
}
