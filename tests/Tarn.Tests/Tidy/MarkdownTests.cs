namespace Tarn.Tests.Tidy;

public class MarkdownTests
{
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

    /// <summary>From the root, from the document's folder, or from the library's.</summary>
    private static bool Exists(string document, string path) =>
        IsThere(Repository.At(path))
        || IsThere(Path.Combine(Path.GetDirectoryName(Repository.At(document))!, path))
        || IsThere(Path.Combine(Repository.At("src/Tarn"), path));

    private static bool IsThere(string path) => File.Exists(path) || Directory.Exists(path);
}
