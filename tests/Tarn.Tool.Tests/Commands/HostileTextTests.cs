using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Tarn.Lab.Tests;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Tool.Commands;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Analysis;
using Tarn.Tool.Tests.Recording;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Commands;

/// <summary>What others chose as a name or an argument reaches no terminal as a command, whichever command of tarn shows it.</summary>
public class HostileTextTests
{
    /// <summary>
    /// A title and a color for the terminal, a return and a line of its own, controls of both sets, an override of the direction.
    /// </summary>
    private const string Hostile = "a\u001b]0;owned\u0007\u001b[31mRED\u007f\u009b5m\u202e\u2028\r\nforged\tb";

    /// <summary>How each command meets hostile text, in one or several ways. A new command needs a row.</summary>
    /// <remarks>P is a running process, T a recording, F a file to write.</remarks>
    private static readonly Dictionary<string, string[][]> s_meetings = new()
    {
        ["ps"] = [[], ["--json"]],
        ["memory"] = [["P"], ["P", "--json"], [Hostile]],
        ["candidates"] = [["P", "--for", "1s"], [Hostile]],
        ["watch"] = [["P", "--for", "2500ms", "--json"], [Hostile]],
        ["dump"] = [["P"], ["P", "--json"]],
        ["profile"] = [["P", "--for", "1s", "-o", "F"], ["P", "-o", "/nowhere/" + Hostile]],
        ["rings"] = [["--interval", "100ms"], ["--interval", "100ms", "--json"]],
        ["record"] = [["P", "--for", "1s", "-o", "F"], ["--", Hostile]],
        ["report"] = [["T", "--markdown", "-", "--json", "-", "--speedscope", "-", "-o", "F"], [Hostile]],
        ["advise"] = [["T"], ["T", "--json"], [Hostile]],
        ["check"] = [["--", Hostile], ["--baseline", Hostile, "--", "true"]],
        ["sanitize"] = [["--suppressions", Hostile, "--", "true"]],
        ["keep-port"] = [[Hostile]],
    };

    [Fact]
    public void Each_command_has_its_row() =>
        Assert.Equal(ToolCommand.Create().Subcommands.Select(one => one.Name).Order(), s_meetings.Keys.Order());

    [SkippableFact]
    public async Task No_command_passes_on_what_a_terminal_obeys()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "names of mappings and of files in /dev/shm are Linux's");
        using var folder = new TemporaryDirectory();
        string trace = folder.File("hostile.tarn");
        TraceFile.Write(trace, Recording());
        string region = $"/dev/shm/tarn.{Hostile}{Guid.NewGuid():N}";
        await File.WriteAllTextAsync(region, "no region");
        using Process child = Process.Start(Child.StartScenario("hostile names", Hostile))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string id = child.Id.ToString(CultureInfo.InvariantCulture);
            foreach ((string command, string[][] meetings) in s_meetings)
            {
                string all = "";
                foreach (string[] meeting in meetings)
                {
                    string[] arguments =
                    [
                        command, .. meeting.Select(one => one switch { "P" => id, "T" => trace, "F" => folder.File("written"), _ => one }),
                    ];
                    ToolProcess run = await ToolProcess.RunAsync(folder.Path, arguments);
                    AssertHarmless(run.Output, arguments);
                    AssertHarmless(run.Error, arguments);
                    all += run.Output + run.Error;
                }

                Assert.True(all.Contains("owned", StringComparison.Ordinal), $"{command} shows no hostile text: {all}");
            }
        }
        finally
        {
            child.Kill();
            File.Delete(region);
        }
    }

    [SkippableTheory]
    [InlineData(40)]
    [InlineData(80)]
    [InlineData(120)]
    public async Task In_a_terminal_only_its_own_styles_come_out(int columns)
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "no pseudo-terminal here: script is missing");
        using Process child = Process.Start(Child.StartScenario("hostile names", Hostile))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string seen = "";
            foreach (string command in (string[])["ps", $"dump {child.Id}", $"memory {child.Id}"])
            {
                string line = $"stty cols {columns} rows 40; dotnet '{ToolProcess.Assembly}' {command}";
                using Process terminal = Process.Start(new ProcessStartInfo("/usr/bin/script", ["-qefc", line, "/dev/null"])
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    Environment = { ["TERM"] = "xterm-256color" },
                })!;
                seen += await terminal.StandardOutput.ReadToEndAsync();
            }

            Assert.Contains("\u001b[", seen, StringComparison.Ordinal);
            Assert.Contains("\u241b]0;", Regex.Replace(seen, "\u001b\\[[0-9;?]*[a-zA-Z]|\\s", ""), StringComparison.Ordinal);
            foreach (string hostile in (string[])["\u001b]", "\u0007", "\u001b[31mRED", "\u009b", "\u202e", "\u2028"])
            {
                Assert.DoesNotContain(hostile, seen, StringComparison.Ordinal);
            }
        }
        finally
        {
            child.Kill();
        }
    }

    [Fact]
    public void Files_for_other_programs_have_no_controls_either()
    {
        IReadOnlyList<Problem> problems = Problem.Of([TraceAnalysis.Of(Recording())]);
        var sources = new SourceTree(Path.GetTempPath());

        Assert.NotEmpty(problems);
        XElement suite = XDocument.Parse(JUnitFile.Write(problems, sources)).Root!;
        Assert.Contains("␛]0;owned", suite.ToString(), StringComparison.Ordinal);
        foreach (string text in (string[])
            [
                suite.ToString(), SarifFile.Write(problems, sources), CheckBaseline.Write(problems),
                HtmlReport.Write(TraceAnalysis.Of(Recording())),
                MarkdownReport.Write(TraceAnalysis.Of(Recording())),
                SpeedscopeReport.Write(TraceAnalysis.Of(Recording())),
            ])
        {
            AssertHarmless(text, ["a file"]);
        }
    }

    [Fact]
    public void Views_escape_foreign_text_in_one_place()
    {
        string tool = Path.Combine(Child.Root, "src", "Tarn.Tool");
        Assert.Equal(
            ["Words.cs"],
            Directory.EnumerateFiles(tool, "*.cs", SearchOption.AllDirectories)
                .Where(file => File.ReadAllText(file).Contains("Markup.Escape(", StringComparison.Ordinal)).Select(Path.GetFileName));
    }

    /// <summary>A recording by somebody else: each of its strings is hostile.</summary>
    private static BufferTrace Recording()
    {
        var recording = new RecordingBuilder();
        for (int at = 0; at < 3_000; at += 10)
        {
            _ = recording.Rent(at, $"App.{Hostile}.Lose");
            recording.Pair(at, 1, $"App.{Hostile}.Pair").Allocate(at, $"App.{Hostile}.Pair");
        }

        BufferTrace trace = recording.Build(20_000);
        return new BufferTrace(
            trace.Origin with { Program = Hostile, Command = Hostile, Runtime = Hostile }, trace.Events.ToArray(), trace.Details);
    }

    private static void AssertHarmless(string text, string[] arguments)
    {
        char[] harmful =
        [
            .. text.Where((one, at) => (char.IsControl(one) && one is not ('\n' or '\t'))
                || one is '\u202e' or '\u2028' or '\ufffe' || (char.IsSurrogate(one) && !IsPaired(text, at))),
        ];
        string shown = string.Join(' ', harmful.Select(one => $"U+{(int)one:X4}"));
        Assert.True(harmful.Length == 0, $"{string.Join(' ', arguments)} passes on {shown}: {text}");
    }

    private static bool IsPaired(string text, int at) => char.IsHighSurrogate(text[at])
        ? at + 1 < text.Length && char.IsLowSurrogate(text[at + 1])
        : at > 0 && char.IsHighSurrogate(text[at - 1]);
}
