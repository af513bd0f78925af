using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>What people see in a terminal, and programs in a pipe.</summary>
public class TerminalTests
{
    private const char Escape = '\u001b';

    [Theory]
    [InlineData("--help")]
    [InlineData("check", "--help")]
    [InlineData("nonsense")]
    public async Task The_tool_has_the_name_that_its_users_type(params string[] arguments)
    {
        using var folder = new TemporaryDirectory();

        ToolProcess help = await ToolProcess.RunAsync(folder.Path, arguments);

        Assert.Contains("  tarn ", help.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Tarn.Tool", help.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("keep-port", help.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, help.Output + help.Error);
    }

    [SkippableFact]
    public async Task Styles_are_for_terminals_whose_users_want_them()
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "no pseudo-terminal here: script is missing");
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.StartScenario("profiled program", "10"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string id = child.Id.ToString(CultureInfo.InvariantCulture);
            foreach (string[] arguments in (string[][])[["dump", id], .. StressLength.IsLong ? (string[][])[["ps"]] : []])
            {
                ToolProcess piped = await ToolProcess.RunAsync(folder.Path, [("TERM", "xterm-256color")], arguments);
                string seen = await InTerminalAsync("", arguments);
                string plain = await InTerminalAsync("NO_COLOR=1 ", arguments);

                Assert.DoesNotContain(Escape, piped.Output + piped.Error);
                Assert.DoesNotContain(Escape, plain);
                Assert.Contains(Escape, seen);
                Assert.Contains(arguments.Length > 1 ? "kept arrays" : "Tarn.TestChild", plain, StringComparison.Ordinal);
            }
        }
        finally
        {
            child.Kill();
        }
    }

    private static async Task<string> InTerminalAsync(string variables, string[] arguments)
    {
        string command = $"stty cols 160 rows 40; {variables}dotnet '{ToolProcess.Assembly}' {string.Join(' ', arguments)}";
        using Process terminal = Process.Start(new ProcessStartInfo("/usr/bin/script", ["-qefc", command, "/dev/null"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["TERM"] = "xterm-256color" },
        })!;

        // The runtime switches the terminal's keys when it reads some, which this does not.
        return (await terminal.StandardOutput.ReadToEndAsync()).Replace("\u001b[?1h\u001b=", "", StringComparison.Ordinal);
    }
}
