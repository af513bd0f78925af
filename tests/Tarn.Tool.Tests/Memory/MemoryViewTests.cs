using Spectre.Console;
using Tarn.Tool.Memory;

namespace Tarn.Tool.Tests.Memory;

/// <summary><c>tarn memory</c> as people see it.</summary>
public class MemoryViewTests
{
    private const long Megabyte = 1 << 20;

    [Fact]
    public void What_is_folded_is_counted_once()
    {
        MemoryItem[] own = [.. Enumerable.Range(1, 8).Select(number => new MemoryItem($"generation {number}", 10 * Megabyte))];
        MemoryItem[] pools =
        [
            .. Enumerable.Range(1, 3)
                .Select(number => new MemoryItem($"of it Tarn's pool {number}", 7 * Megabyte) { IsWithinOthers = true }),
        ];
        MemorySnapshot snapshot = SampleSnapshot.Build() with
        {
            Groups = [new MemoryGroup(MemoryGroupKind.GcHeap, 80 * Megabyte, 0, [.. own, .. pools])],
        };

        string[] lines = [.. Text(snapshot, 80).Split('\n').Select(line => line.Trim())];

        Assert.Equal(6, lines.Count(static line => IsRow(line, "generation", "10 MiB")));
        Assert.Contains(lines, static line => IsRow(line, "2 more ", " 20 MiB"));
        Assert.Contains(lines, static line => IsRow(line, "of it 3 more ", " 21 MiB"));
    }

    private static bool IsRow(string line, string begin, string end) =>
        line.StartsWith(begin, StringComparison.Ordinal) && line.EndsWith(end, StringComparison.Ordinal);

    [Theory]
    [InlineData(40)]
    [InlineData(80)]
    [InlineData(120)]
    public void Figures_are_in_one_column(int width)
    {
        IEnumerable<string> parts = Text(SampleSnapshot.Build(), width).Split('\n')
            .SkipWhile(static line => !line.StartsWith('■')).TakeWhile(static line => line.Length > 0);

        Assert.All(parts, line => Assert.True(line.Length <= width && line.Contains("iB", StringComparison.Ordinal), line));
    }

    private static string Text(MemorySnapshot snapshot, int width)
    {
        using var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = width;
        console.Write(new MemoryView(width, hasColors: false).Draw(snapshot, [], withAdvice: true));
        return text.ToString();
    }
}
