using System.Text.RegularExpressions;
using Tarn.SharedMemory;

namespace Tarn.Tests.Tidy;

/// <summary>The decision of docs/README.md leads to every public type, by one way.</summary>
public sealed partial class ChoiceTests
{
    private const string Page = "docs/README.md";

    private static readonly string[] s_types =
    [
        .. new[] { typeof(BufferPool<>), typeof(SharedRegion) }.SelectMany(static type => type.Assembly.GetExportedTypes())
            .Select(static type => type.Name.Split('`')[0]),
    ];

    /// <summary>What rows name of the framework.</summary>
    private static readonly string[] s_framework = ["ArrayPool", "Memory", "MemoryPool", "Stream"];

    [Fact]
    public void Every_public_type_is_in_one_row_and_nothing_else_is()
    {
        string[] named = [.. NamedIn(File.ReadAllText(Repository.At(Page)))];

        Assert.Equal([], s_types.Except(named));
        Assert.Equal([], named.Except(s_types).Except(s_framework));
        Assert.Equal([], s_types.Where(type => named.Count(type.Equals) > 1));
    }

    [Fact]
    public void There_are_at_most_eight_questions() =>
        Assert.InRange(QuestionPattern().Count(SectionOf(File.ReadAllText(Repository.At(Page)))), 4, 8);

    [Fact]
    public void A_type_in_two_rows_is_found()
    {
        const string text =
            "## How to choose\n\n### One?\n\n| a | b |\n|---|---|\n| x | `One<T>`, `Two`.`Go` |\n| y | `One<T>` |\n\n"
            + "## Next\n| z | `Three` |\n";
        Assert.Equal(["One", "Two", "One"], NamedIn(text));
    }

    /// <summary>
    /// The types that the rows of the section name, once for each row. Namespaces and what has a dot before it are no types.
    /// </summary>
    private static IEnumerable<string> NamedIn(string text) =>
        SectionOf(text).Split('\n').Where(static line => line.StartsWith('|'))
            .SelectMany(static row => TypePattern().Matches(row).Select(static match => match.Groups[1].Value).Distinct());

    private static string SectionOf(string text) => text.Split("## How to choose\n")[1].Split("\n## ")[0];

    [GeneratedRegex(@"(?<![.\w])`([A-Z]\w+)(?:<\w+>)?`")]
    private static partial Regex TypePattern();

    [GeneratedRegex("^### .*[?]$", RegexOptions.Multiline)]
    private static partial Regex QuestionPattern();
}
