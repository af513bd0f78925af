using System.Text.RegularExpressions;

namespace Tarn.Tests.Tidy;

public partial class MarkdownTests
{
    /// <summary>Where a host of repositories shows the runs of workflows, as seen from the page that shows the README.</summary>
    private const string Workflows = "../../actions/workflows/";

    public static TheoryData<string> Documents => [.. Repository.Files(".", ".md")];

    [Theory]
    [MemberData(nameof(Documents))]
    public void Every_path_a_document_names_exists(string document) =>
        Assert.Empty(MarkdownPaths.FindMissing(File.ReadAllText(Repository.At(document)), path => Exists(document, path)));

    [Fact]
    public void A_path_that_does_not_exist_is_found()
    {
        const string text =
            """
            See `src/Gone.cs`, [the page](docs/gone.md#part) and `README.md`, or [the site](https://example.org/gone.md), `gone/`.
            Media types such as `application/json` are paths too as far as anyone can tell, `dotnet run --project lab/x` is not.
            ```
            `src/Fenced.cs`
            ```
            """;

        Assert.Equal(
            ["docs/gone.md", "src/Gone.cs", "gone/", "application/json"],
            MarkdownPaths.FindMissing(text, path => path == "README.md"));
    }

    /// <summary>Markdown takes such a line for HTML: its backticks are shown, and what stands in angle brackets is not.</summary>
    [Theory]
    [MemberData(nameof(Documents))]
    public void No_line_with_text_begins_with_a_comment(string document) =>
        Assert.Empty(LinesOfHtml(File.ReadAllLines(Repository.At(document))));

    [Theory]
    [InlineData("<!-- claim:x -->1<!-- /claim --> of `List<T>`", true)]
    [InlineData("  <!-- claim:x -->1<!-- /claim -->.", true)]
    [InlineData("- <!-- claim:x -->1<!-- /claim --> of it", true)]
    [InlineData("> 1. <!-- claim:x -->1<!-- /claim --> of it", true)]
    [InlineData("of <!-- claim:x -->1<!-- /claim --> of `List<T>`", false)]
    [InlineData("<!-- claim:table -->", false)]
    [InlineData("| <!-- claim:x -->1<!-- /claim --> | 2 |", false)]
    public void A_line_that_begins_with_a_comment_is_found(string line, bool isFound)
    {
        Assert.Equal(isFound ? [line] : [], LinesOfHtml([line]));
        Assert.Empty(LinesOfHtml(["```", line, "```"]));
    }

    private static IEnumerable<string> LinesOfHtml(string[] lines)
    {
        bool isCode = false;
        foreach (string line in lines)
        {
            isCode ^= line.TrimStart().StartsWith("```", StringComparison.Ordinal);
            if (!isCode && TextBehindComment().IsMatch(line))
            {
                yield return line;
            }
        }
    }

    [GeneratedRegex(@"^[\s>]*(?:(?:[-*+]|\d+\.)\s+)*<!--.*-->.*[^\s>]")]
    private static partial Regex TextBehindComment();

    /// <summary>From the root, from the document's folder, or from a library's; a page of a workflow, where its file is.</summary>
    private static bool Exists(string document, string path) =>
        path.StartsWith(Workflows, StringComparison.Ordinal)
        ? IsThere(Repository.At($".github/workflows/{path[Workflows.Length..].Split('/')[0]}"))
        : IsThere(Repository.At(path))
            || IsThere(Path.Combine(Path.GetDirectoryName(Repository.At(document))!, path))
            || IsThere(Path.Combine(Repository.At("src/Tarn"), path))
            || IsThere(Path.Combine(Repository.At("src/Tarn.SharedMemory"), path));

    private static bool IsThere(string path) => File.Exists(path) || Directory.Exists(path);
}
