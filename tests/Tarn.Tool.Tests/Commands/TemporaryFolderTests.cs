using System.Diagnostics;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>No program that the tool started waits for a tool that is gone, or for one that it cannot reach.</summary>
public class TemporaryFolderTests
{
    private const string Late = "late.txt";
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    [SkippableTheory]
    [InlineData("grün with space,comma;semicolon")]
    [InlineData("with space")]
    [InlineData("with,comma")]
    [InlineData("with;semicolon")]
    [InlineData("grün")]
    [InlineData(
        "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789")]
    [InlineData("missing")]
    public async Task A_program_is_recorded_whatever_the_folder_for_temporary_files_is(string name)
    {
        Skip.IfNot(StressLength.IsLong, "each name takes a recording; the long form has each");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        if (name != "missing")
        {
            Directory.CreateDirectory(folder.File(name));
        }

        ToolProcess check = await ToolProcess.RunAsync(
            folder.Path, [("TMPDIR", folder.File(name))], "check", "--", "dotnet", Child.Assembly, "planted faults", "0.2", "1000");

        Assert.True(check.ExitCode == 0, check.Output + check.Error);
        Assert.Contains("no buffer was lost or returned twice", check.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", check.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_program_that_starts_when_the_tool_has_ended_runs()
    {
        Skip.IfNot(StressLength.IsLong, "a killed tool is enough for the short form; the long form has both");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();

        ToolProcess check = await ToolProcess.RunAsync(
            folder.Path, "check", "--", "sh", "-c", $"({StartLate}) </dev/null >/dev/null 2>&1 &");

        Assert.Equal(2, check.ExitCode);
        await AssertRunsAsync(folder);
    }

    [SkippableFact]
    public async Task A_program_whose_tool_was_killed_runs()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        using Process tool = Process.Start(new ProcessStartInfo(
            "dotnet", [ToolProcess.Assembly, "check", "--", "sh", "-c", $"echo > started; {StartLate}"])
        {
            WorkingDirectory = folder.Path,
        })!;
        await WaitForAsync(() => File.Exists(folder.File("started")));

        tool.Kill(entireProcessTree: false);
        await tool.WaitForExitAsync();

        await AssertRunsAsync(folder);
    }

    private static string StartLate => $"sleep 2; dotnet '{Child.Assembly}' 'planted faults' 0.1 100 > {Late}.new; mv {Late}.new {Late}";

    private static async Task AssertRunsAsync(TemporaryDirectory folder)
    {
        await WaitForAsync(() => File.Exists(folder.File(Late)));
        Assert.StartsWith("ready", await File.ReadAllTextAsync(folder.File(Late)), StringComparison.Ordinal);
    }

    private static async Task WaitForAsync(Func<bool> isThere)
    {
        for (var watch = Stopwatch.StartNew(); !isThere(); await Task.Delay(50))
        {
            Assert.True(watch.Elapsed < s_longest, "It waits.");
        }
    }
}
