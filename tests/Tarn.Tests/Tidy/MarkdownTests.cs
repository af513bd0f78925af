namespace Tarn.Tests.Tidy;

public class MarkdownTests
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

    /// <summary>From the root, from the document's folder, or from the library's; a page of a workflow, where its file is.</summary>
    private static bool Exists(string document, string path) =>
        path.StartsWith(Workflows, StringComparison.Ordinal)
        ? IsThere(Repository.At($".github/workflows/{path[Workflows.Length..].Split('/')[0]}"))
        : IsThere(Repository.At(path))
            || IsThere(Path.Combine(Path.GetDirectoryName(Repository.At(document))!, path))
            || IsThere(Path.Combine(Repository.At("src/Tarn"), path));

    private static bool IsThere(string path) => File.Exists(path) || Directory.Exists(path);
}
