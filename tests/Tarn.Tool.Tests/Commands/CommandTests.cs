using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Xml.Linq;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>The commands as processes, on a child with planted faults.</summary>
public class CommandTests
{
    [SkippableFact]
    public async Task A_started_program_is_recorded_and_reported()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();

        ToolProcess record = await ToolProcess.RunAsync(
            folder.Path, "record", "-o", "run.tarn", "--", "dotnet", Child.Assembly, "planted faults", "1.2", "1000", "lose", "twice");
        ToolProcess report = await ToolProcess.RunAsync(
            folder.Path, "report", "run.tarn", "-o", "run.html", "--json", "-", "--markdown", "run.md", "--speedscope", "run.json");

        Assert.True((record.ExitCode, report.ExitCode) == (0, 0), record.Error + report.Error);
        Assert.StartsWith("ready", record.Output, StringComparison.Ordinal);
        Assert.Contains("1 call site loses ", record.Error, StringComparison.Ordinal);
        using JsonDocument json = JsonDocument.Parse(report.Output);
        JsonElement frame = json.RootElement.GetProperty("lost")[0].GetProperty("frames")[0];
        Assert.Equal(Child.LineOf("loses"), frame.GetProperty("line").GetInt32());
        Assert.True(json.RootElement.GetProperty("returnedTwice").GetArrayLength() == 1, report.Output);
        string expected = $"PlantedFaults.Lose in PlantedFaults.cs:{Child.LineOf("loses")}";
        Assert.Contains(expected, await File.ReadAllTextAsync(folder.File("run.html")), StringComparison.Ordinal);
        Assert.Contains(expected, await File.ReadAllTextAsync(folder.File("run.md")), StringComparison.Ordinal);
        Assert.True(new FileInfo(folder.File("run.json")).Length > 0);
    }

    [SkippableFact]
    public async Task A_check_fails_at_the_lines_until_a_baseline_accepts_them()
    {
        Skip.IfNot(StressLength.IsLong, "it records several times; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = TemporaryDirectory.InRepository();
        string[] program = ["--", "dotnet", Child.Assembly, "planted faults", "1.2", "1000", "twice"];

        ToolProcess first = await ToolProcess.RunAsync(
            folder.Path, ["check", "--sarif", "a.sarif", "--junit", "a.xml", "--write-baseline", "known.json", .. program]);
        ToolProcess second = await ToolProcess.RunAsync(folder.Path, ["check", "--baseline", "known.json", .. program]);
        await File.WriteAllTextAsync(folder.File("empty.json"), "[]");
        ToolProcess third = await ToolProcess.RunAsync(folder.Path, ["check", "--baseline", "empty.json", .. program]);

        Assert.Equal((0, 0, 1), (first.ExitCode, second.ExitCode, third.ExitCode));
        int line = Child.LineOf("returns again");
        Assert.Contains($"PlantedFaults.cs({line}): error buffer-returned-twice: ", third.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("error ", second.Output, StringComparison.Ordinal);
        using JsonDocument sarif = JsonDocument.Parse(await File.ReadAllTextAsync(folder.File("a.sarif")));
        JsonElement result = sarif.RootElement.GetProperty("runs")[0].GetProperty("results")[0];
        Assert.Equal(
            line,
            result.GetProperty("locations")[0].GetProperty("physicalLocation").GetProperty("region").GetProperty("startLine").GetInt32());
        XElement suite = XDocument.Load(folder.File("a.xml")).Root!.Element("testsuite")!;
        Assert.Equal("1", suite.Attribute("failures")!.Value);
        Assert.Equal(line.ToString(CultureInfo.InvariantCulture), suite.Element("testcase")!.Attribute("line")!.Value);
    }

    [Fact]
    public async Task A_running_process_is_listed_and_watched_as_lines()
    {
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.Start("60", "2000", "lose"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string id = child.Id.ToString(CultureInfo.InvariantCulture);

            ToolProcess ps = await ToolProcess.RunAsync(folder.Path, "ps");
            ToolProcess watch = await ToolProcess.RunAsync(
                folder.Path, "watch", id, "--json", "--rents", "--interval", "500ms", "--for", "5s");
            ToolProcess plain = await ToolProcess.RunAsync(folder.Path, "watch", id, "--interval", "500ms", "--for", "1800ms");

            Assert.Contains($"{id}\t.NET 10", ps.Output, StringComparison.Ordinal);
            Assert.Contains("\tTarn.TestChild\t", ps.Output, StringComparison.Ordinal);
            JsonElement[] samples =
            [
                .. watch.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line).RootElement),
            ];
            Assert.InRange(samples.Length, 2, 11);
            // The first line has no rents: they were not counted for the whole of its interval.
            Assert.Contains(samples.Skip(1), static sample => sample.GetProperty("pools")[0].GetProperty("rented").GetInt64() > 100);
            Assert.Contains("allocated/s", plain.Output, StringComparison.Ordinal);
            Assert.DoesNotContain("rents/s", plain.Output, StringComparison.Ordinal);
            Assert.False(child.HasExited);
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task In_a_terminal_the_view_draws_itself_and_obeys_keys()
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "no pseudo-terminal here: script is missing");
        using Process child = Process.Start(Child.Start("60", "2000", "lose"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string command = $"stty cols 120 rows 40; dotnet '{ToolProcess.Assembly}' watch {child.Id} --interval 300ms";
            using Process terminal = Process.Start(new ProcessStartInfo("/usr/bin/script", ["-qefc", command, "/dev/null"])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                Environment = { ["TERM"] = "xterm-256color" },
            })!;
            await ReadUntilAsync(terminal, "count every rent");
            await ReadUntilAsync(terminal, "allocated");
            await terminal.StandardInput.WriteAsync('r');
            await terminal.StandardInput.FlushAsync();
            await ReadUntilAsync(terminal, "every rent and return is counted");
            await ReadUntilAsync(terminal, "rented buffers by length");
            await terminal.StandardInput.WriteAsync('q');
            await terminal.StandardInput.FlushAsync();
            await terminal.WaitForExitAsync(new CancellationTokenSource(TimeSpan.FromSeconds(20)).Token);

            Assert.Equal(0, terminal.ExitCode);
            Assert.False(child.HasExited);
        }
        finally
        {
            child.Kill();
        }
    }

    [Theory]
    [InlineData("There is no process 2147483646.", "record", "2147483646")]
    [InlineData("No .NET process has the name nobody.", "watch", "nobody")]
    [InlineData("write -- before a program", "record", "dotnet", "run")]
    [InlineData("does not begin with", "report", "nonsense.tarn")]
    [InlineData("Could not find file", "report", "missing.tarn")]
    [InlineData("'soon' is no time", "record", "1", "--for", "soon")]
    [InlineData("is no baseline", "check", "--baseline", "nonsense.tarn", "--", "true")]
    [InlineData("cannot be started", "record", "--", "/nowhere/nothing")]
    public async Task What_cannot_be_done_is_said_in_a_line(string message, params string[] arguments)
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(folder.File("nonsense.tarn"), "this is some text and no recording");

        ToolProcess run = await ToolProcess.RunAsync(folder.Path, arguments);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    private static async Task ReadUntilAsync(Process terminal, string text)
    {
        using var longest = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        var seen = new System.Text.StringBuilder();
        var buffer = new char[4_096];
        while (!seen.ToString().Contains(text, StringComparison.Ordinal))
        {
            int read = await terminal.StandardOutput.ReadAsync(buffer, longest.Token);
            Assert.True(read > 0, $"The terminal ended before \"{text}\": {seen}");
            seen.Append(buffer, 0, read);
        }
    }
}
