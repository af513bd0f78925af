using System.Diagnostics;
using System.Globalization;
using Tarn.Diagnostics;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Memory;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary><c>tarn memory</c> as its users start it, of processes that are harder to reach than others.</summary>
public class MemoryCommandTests
{
    [SkippableFact]
    public async Task A_snapshot_compares_with_an_earlier_one_and_names_the_heap()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        using var folder = new TemporaryDirectory();
        using Process child = await StartAsync(Child.StartScenario("held memory"));
        try
        {
            ToolProcess before = await RunAsync(folder, child, "--json");
            await File.WriteAllTextAsync(folder.File("before.json"), before.Output);
            await AskAsync(child, "heap");
            ToolProcess after = await RunAsync(folder, child, "--compare", "before.json");
            ToolProcess json = await RunAsync(folder, child, "--compare", "before.json", "--json");

            Assert.True((before.ExitCode, after.ExitCode, json.ExitCode) == (0, 0, 0), before.Error + after.Error);
            await File.WriteAllTextAsync(folder.File("after.json"), json.Output);
            MemorySnapshot snapshot = MemoryJson.Read(folder.File("after.json"));
            Assert.Equal("Tarn.TestChild", snapshot.Name);
            Assert.Contains("held heap", snapshot.Group(MemoryGroupKind.Tarn).Items.Select(item => item.Name));
            Assert.Equal(MemoryGroupKind.Tarn, snapshot.Growth!.Items[0].Group);
            Assert.Contains("of which held heap 64 MiB", after.Output, StringComparison.Ordinal);
            Assert.All(after.Output.Split('\n'), line => Assert.True(line.Length <= 120 && line == line.TrimEnd(), $"'{line}'"));
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task A_live_view_writes_a_line_for_each_interval_where_no_one_sees_it()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        using var folder = new TemporaryDirectory();
        using Process child = await StartAsync(Child.StartScenario("held memory"));
        ToolProcess watched = await ToolProcess.RunAsync(
            folder.Path,
            [],
            onFirstLine: child.StandardInput.Close,
            "memory", child.Id.ToString(CultureInfo.InvariantCulture), "--watch", "--interval", "500ms", "--json");

        Assert.True(watched.ExitCode == 0, watched.Error);
        Assert.Contains("has ended", watched.Error, StringComparison.Ordinal);
        string[] lines = watched.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.NotNull(Tool.Reports.JsonText.Read<MemorySnapshot>(line).Growth));
    }

    [SkippableFact]
    public async Task A_process_whose_diagnostics_are_off_shows_what_the_kernel_tells_and_says_what_is_missing()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        using var folder = new TemporaryDirectory();
        ProcessStartInfo start = Child.StartScenario("held memory");
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        using Process child = await StartAsync(start);
        try
        {
            ToolProcess run = await RunAsync(folder, child);

            Assert.True(run.ExitCode == 0, run.Error);
            Assert.Contains("What the runtime says is missing", run.Output, StringComparison.Ordinal);
            Assert.Contains("GC heap", run.Output, StringComparison.Ordinal);
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task A_process_in_a_container_is_reached_from_outside()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.UserName == "root", "only root makes containers here");
        using var folder = new TemporaryDirectory();

        // The tests may lie in the folder for temporary files, which the container has its own of.
        string inside = $"mount --bind '{Path.GetDirectoryName(Child.Assembly)}' /mnt && mount -t tmpfs tmpfs /tmp"
            + $" && exec dotnet '/mnt/{Path.GetFileName(Child.Assembly)}' 'held memory'";
        using Process container = await StartAsync(new ProcessStartInfo("unshare", ["-pmf", "--mount-proc", "sh", "-c", inside])
        {
            RedirectStandardOutput = true,
            RedirectStandardInput = true,
        });
        try
        {
            string children = await File.ReadAllTextAsync($"/proc/{container.Id}/task/{container.Id}/children");
            ToolProcess run = await ToolProcess.RunAsync(folder.Path, "memory", children.Trim());

            Assert.True(run.ExitCode == 0, run.Error);
            Assert.Contains("Tarn.TestChild", run.Output, StringComparison.Ordinal);
            Assert.DoesNotContain("What the runtime says is missing", run.Output, StringComparison.Ordinal);
            Assert.Contains("methods compiled", run.Output, StringComparison.Ordinal);
        }
        finally
        {
            container.Kill(entireProcessTree: true);
        }
    }

    [SkippableFact]
    public async Task Another_users_process_is_refused_with_the_way_out()
    {
        Skip.IfNot(File.Exists("/usr/bin/setpriv") && Environment.UserName == "root", "only root changes users");
        using Process child = await StartAsync(Child.StartScenario("held memory"));
        try
        {
            string id = child.Id.ToString(CultureInfo.InvariantCulture);
            using Process tool = Process.Start(new ProcessStartInfo(
                "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "dotnet", ToolProcess.Assembly, "memory", id])
            {
                RedirectStandardError = true,
                Environment = { ["HOME"] = "/tmp" },
            })!;
            string error = await tool.StandardError.ReadToEndAsync();
            await tool.WaitForExitAsync();

            Skip.If(error.Contains("does not exist", StringComparison.Ordinal), "the tests lie where other users may not read");
            Assert.Equal(2, tool.ExitCode);
            Assert.Contains("Run tarn as that user or as root", error, StringComparison.Ordinal);
        }
        finally
        {
            child.Kill();
        }
    }

    [Fact]
    public async Task What_is_no_process_or_no_snapshot_is_refused()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.File("no.json"), "[]");

        ToolProcess process = await ToolProcess.RunAsync(folder.Path, "memory", "999999999");
        ToolProcess snapshot = await ToolProcess.RunAsync(folder.Path, "memory", "1", "--compare", "no.json");

        Assert.Equal((2, 2), (process.ExitCode, snapshot.ExitCode));
        Assert.Contains("no process 999999999", process.Error, StringComparison.Ordinal);
        Assert.Contains("is no snapshot of tarn memory --json", snapshot.Error, StringComparison.Ordinal);
    }

    private static Task<ToolProcess> RunAsync(TemporaryDirectory folder, Process child, params string[] arguments) =>
        ToolProcess.RunAsync(folder.Path, ["memory", child.Id.ToString(CultureInfo.InvariantCulture), .. arguments]);

    private static async Task<Process> StartAsync(ProcessStartInfo start)
    {
        Process child = Process.Start(start)!;
        Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
        return child;
    }

    private static async Task AskAsync(Process child, string kind)
    {
        await child.StandardInput.WriteLineAsync(kind);
        await child.StandardInput.FlushAsync();
        _ = await child.StandardOutput.ReadLineAsync();
    }
}
