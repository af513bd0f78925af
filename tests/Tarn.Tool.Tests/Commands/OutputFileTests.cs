using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tarn.Lab.Tests;
using Tarn.Pages;
using Tarn.Tests.Support;
using Tarn.Tool.Commands;
using Tarn.Tool.Tests.Recording;
using Tarn.Tool.Tests.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Commands;

/// <summary>What a command found is not lost because its file cannot be written: it says so before, or keeps it elsewhere.</summary>
public class OutputFileTests
{
    /// <summary>Options that name a file to read.</summary>
    private static readonly string[] s_inputs = ["--baseline", "--suppressions", "--compare"];

    /// <summary>How each option that names a file to write is reached. The program would leave a file, were it started.</summary>
    /// <remarks>P is a running process, T a recording.</remarks>
    private static readonly (string Command, string Option, string[] Words)[] s_outputs =
    [
        ("record", "--output", ["--", "touch", "ran"]), ("record", "--output", ["P"]), ("profile", "--output", ["P"]),
        ("profile", "--output", ["P", "--allocations", "--for", "1s"]), ("report", "--output", ["T"]), ("report", "--json", ["T"]),
        ("report", "--markdown", ["T"]), ("report", "--speedscope", ["T"]), ("check", "--write-baseline", ["--", "touch", "ran"]),
        ("check", "--sarif", ["--", "touch", "ran"]), ("check", "--junit", ["--", "touch", "ran"]),
        ("sanitize", "--write-baseline", ["--", "touch", "ran"]), ("sanitize", "--sarif", ["--", "touch", "ran"]),
        ("sanitize", "--junit", ["--", "touch", "ran"]), ("sanitize", "--log", ["--", "touch", "ran"]),
    ];

    [Fact]
    public void Each_option_that_names_a_file_to_write_has_its_row()
    {
        IEnumerable<(string, string)> all = ToolCommand.Create().Subcommands.SelectMany(command => command.Options
            .Where(option => (option.ValueType == typeof(FileInfo) || option.HelpName == "FILE") && !s_inputs.Contains(option.Name))
            .Select(option => (command.Name, option.Name)));
        Assert.Equal(all.Order(), s_outputs.Select(one => (one.Command, one.Option)).Distinct().Order());
    }

    [SkippableFact]
    public async Task A_file_that_cannot_be_written_costs_no_work()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        TraceFile.Write(folder.File("run.tarn"), SampleRecording.Build());
        using Process child = Process.Start(Child.Start("120", "1000"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string id = child.Id.ToString(CultureInfo.InvariantCulture);
            foreach ((string command, string option, string[] rest) in s_outputs)
            {
                (string path, string reason) = rest[^1] == "T" ? (folder.Path, "it is a folder.")
                    : (folder.File("no/such/file"), $"there is no folder {folder.File("no/such")}.");
                string[] arguments =
                    [command, option, path, .. rest.Select(one => one switch { "P" => id, "T" => folder.File("run.tarn"), _ => one })];

                ToolProcess run = await ToolProcess.RunAsync(folder.Path, arguments);

                Assert.True(run.ExitCode == 2, $"{string.Join(' ', arguments)}: {run.ExitCode} {run.Error}");
                Assert.Equal($"tarn: {path} cannot be written: {reason} Nothing was done.\n", run.Error);
                Assert.Equal([folder.File("run.tarn")], Directory.GetFileSystemEntries(folder.Path));
            }
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task What_a_full_disk_does_not_take_is_kept_elsewhere()
    {
        Skip.IfNot(File.Exists("/dev/full"), "no device that is always full here");
        using var folder = new TemporaryDirectory();
        TraceFile.Write(folder.File("run.tarn"), SampleRecording.Build());
        string[][] all =
        [
            ["report", "run.tarn", "--markdown", "/dev/full", "--json", "run.json"],
            ["record", "-o", "/dev/full", "--", "dotnet", Child.Assembly, "planted faults", "0.5", "1000"],
        ];
        foreach (string[] arguments in all)
        {
            ToolProcess run = await ToolProcess.RunAsync(folder.Path, [("TMPDIR", folder.Path)], arguments);

            Assert.True(run.ExitCode == 2, run.Error);
            string kept = Assert.Single(Directory.GetFiles(folder.Path, "full", SearchOption.AllDirectories));
            Assert.Contains("/dev/full cannot be written: No space left on device", run.Error, StringComparison.Ordinal);
            Assert.Contains($" It is kept in {kept}", run.Error, StringComparison.Ordinal);
            Assert.True(new FileInfo(kept).Length > 100);
            File.Delete(kept);
        }

        Assert.True(File.Exists(folder.File("run.json")));
    }

    [SkippableTheory]
    [InlineData(">/dev/full", "No space left on device.")]
    [InlineData(">&-", "")]
    public async Task What_the_standard_output_does_not_take_is_kept_elsewhere(string redirection, string reason)
    {
        Skip.IfNot(File.Exists("/dev/full"), "no device that is always full here");
        using var folder = new TemporaryDirectory();
        TraceFile.Write(folder.File("run.tarn"), SampleRecording.Build());

        ToolProcess run = await ToolProcess.RunLineAsync(folder.Path, $"TMPDIR={folder.Path} tarn advise --json run.tarn {redirection}");

        Assert.Equal(2, run.ExitCode);
        string kept = Assert.Single(Directory.GetFiles(folder.Path, "output.txt", SearchOption.AllDirectories));
        Assert.StartsWith("tarn: The standard output cannot be written: ", run.Error, StringComparison.Ordinal);
        Assert.EndsWith($"{reason} It is kept in {kept}\n", run.Error, StringComparison.Ordinal);
        using JsonDocument json = JsonDocument.Parse(await File.ReadAllTextAsync(kept));
        Assert.NotEqual(0, json.RootElement.GetProperty("advice").GetArrayLength());
    }

    [SkippableTheory]
    [InlineData("2>/dev/full")]
    [InlineData("2>&-")]
    [InlineData("<&- >&- 2>&-")]
    public async Task A_closed_or_full_standard_error_costs_no_file(string redirection)
    {
        Skip.IfNot(File.Exists("/dev/full"), "no device that is always full here");
        using var folder = new TemporaryDirectory();
        TraceFile.Write(folder.File("run.tarn"), SampleRecording.Build());

        ToolProcess run = await ToolProcess.RunLineAsync(folder.Path, $"tarn report run.tarn {redirection}");
        ToolProcess refused = await ToolProcess.RunLineAsync(folder.Path, $"tarn report nothing.tarn {redirection}");

        Assert.Equal((0, 2), (run.ExitCode, refused.ExitCode));
        Assert.True(new FileInfo(folder.File("run.html")).Length > 1_000);
    }

    [SkippableFact]
    public async Task A_reader_that_leaves_ends_the_command()
    {
        Skip.If(OperatingSystem.IsWindows(), "the shell is Unix's");
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.Start("120", "1000"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());

            ToolProcess run = await ToolProcess.RunLineAsync(
                folder.Path, $"tarn watch {child.Id} --interval 200ms --for 24h | head -1");

            Assert.Equal(0, run.ExitCode);
            Assert.Equal("", run.Error);
            Assert.Single(run.Output.TrimEnd().Split('\n'));
        }
        finally
        {
            child.Kill();
        }
    }

    [Fact]
    public async Task A_recording_is_not_written_over_by_its_report()
    {
        using var folder = new TemporaryDirectory();
        TraceFile.Write(folder.File("run.tarn"), SampleRecording.Build());
        byte[] before = await File.ReadAllBytesAsync(folder.File("run.tarn"));

        ToolProcess run = await ToolProcess.RunAsync(folder.Path, "report", "run.tarn", "--json", "./run.tarn");

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(before, await File.ReadAllBytesAsync(folder.File("run.tarn")));
    }

    [Fact]
    public void A_trial_leaves_a_file_as_it_is_and_a_folder_may_be_made_anew()
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("old"), "what was there, and is longer");
        Directory.CreateDirectory(folder.File("build"));

        using var old = OutputFile.Open(folder.File("old"));
        using var built = OutputFile.Open(folder.File("build/new"));
        Assert.Equal("what was there, and is longer", File.ReadAllText(folder.File("old")));
        Directory.Delete(folder.File("build"));
        Directory.CreateDirectory(folder.File("build"));

        Assert.Equal(new WrittenFile(folder.File("old"), null), old.Write("new"));
        Assert.Equal(new WrittenFile(folder.File("build/new"), null), built.Write("new"));
        Assert.Equal(("new", "new"), (File.ReadAllText(folder.File("old")), File.ReadAllText(folder.File("build/new"))));
    }

    [SkippableFact]
    public void A_file_that_may_not_be_written_is_refused()
    {
        Skip.If(Environment.IsPrivilegedProcess, "this user may write everything");
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("mine"), "");
        File.SetAttributes(folder.File("mine"), FileAttributes.ReadOnly);

        InvalidDataException refusal = Assert.Throws<InvalidDataException>(() => OutputFile.Open(folder.File("mine")));

        Assert.StartsWith($"{folder.File("mine")} cannot be written: ", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--jsn", "memory", "--jsn", "1")]
    [InlineData("--foo", "watch", "--foo")]
    [InlineData("--out", "record", "--out", "x.tarn", "--", "true")]
    [InlineData("-x", "check", "-x", "--", "true")]
    [InlineData("--page", "report", "--page", "run.tarn")]
    public async Task An_unknown_option_is_named(string option, params string[] arguments)
    {
        using var folder = new TemporaryDirectory();

        ToolProcess run = await ToolProcess.RunAsync(folder.Path, arguments);

        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith($"tarn: There is no option {option}. ", run.Error, StringComparison.Ordinal);
    }
}
