using Spectre.Console;
using Tarn.Lab.Tests;
using Tarn.SharedMemory;
using Tarn.Tool.Reports;
using Tarn.Tool.Rings;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Rings;

/// <summary><c>tarn rings</c> as people and programs see it.</summary>
public class RingsViewTests
{
    [Theory]
    [InlineData(40)]
    [InlineData(80)]
    [InlineData(120)]
    [InlineData(400)]
    public void Every_line_fits_and_ends_where_it_ends(int width)
    {
        string[] lines = Text(SampleRings.Build(), width).Split('\n');
        Assert.All(lines, line => Assert.True(line.Length <= Math.Min(width, 120) && line == line.TrimEnd(), $"'{line}'"));
        Assert.Contains(lines, line => line.StartsWith("  ! it is of version 1", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("12 KiB   1 %", StringComparison.Ordinal));
        Assert.All(
            SampleRings.Build().Regions,
            region => Assert.Contains(
                lines, line => line.StartsWith(region.Name[..Math.Min(8, region.Name.Length)], StringComparison.Ordinal)));
    }

    [Fact]
    public void Deletions_tell_what_became_of_each()
    {
        string text = Text(SampleRings.Build() with { Deletions = [new("a[b]", true, 2_048, "why"), new("c", false, 0, "why not")] }, 80);
        Assert.Equal("deleted a[b]  2 KiB\n  why\nkept    c\n  why not\nDeleted 1, 2 KiB; kept 1.", text.Trim());
    }

    [SkippableFact]
    public async Task The_command_lists_a_ring_of_another_process_and_refuses_what_does_not_go_together()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems have no seats, and their tests no folder of their own");
        using var folder = new TemporaryDirectory();
        string name = $"tool-test-{Guid.NewGuid():n}";
        using SharedRing ring = SharedRing.Create(name, 64);
        ring.Write("message"u8);

        ToolProcess json = await ToolProcess.RunAsync(folder.Path, "rings", "--json", "--interval", "100ms");
        ToolProcess text = await ToolProcess.RunAsync(folder.Path, "rings", "--interval", "100ms");
        ToolProcess refused = await ToolProcess.RunAsync(folder.Path, "rings", "--watch", "--delete-abandoned");

        Assert.True((json.ExitCode, text.ExitCode, refused.ExitCode) == (0, 0, 2), json.Error + text.Error);
        RegionEntry entry = JsonText.Read<RingsSnapshot>(json.Output).Regions.Single(region => region.Name == name);
        Assert.Equal((SideState.Running, Environment.ProcessId, 16), (entry.Creator!.State, entry.Creator.Process, entry.Contents!.Lag));
        Assert.Equal((SideState.Running, SideState.Nobody), (entry.Contents.Sides[0].State, entry.Contents.Sides[1].State));
        Assert.Contains(name, text.Output, StringComparison.Ordinal);
        Assert.Contains("delete first", refused.Error, StringComparison.Ordinal);
    }

    internal static string Text(RingsSnapshot snapshot, int width)
    {
        using var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = width;
        console.Write(new RingsView(width).Draw(snapshot));
        return text.ToString().ReplaceLineEndings("\n");
    }
}
