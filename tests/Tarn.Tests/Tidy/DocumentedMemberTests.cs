namespace Tarn.Tests.Tidy;

public class DocumentedMemberTests
{
    private static readonly DocumentedMembers s_library = new(
        Repository.Files("src", ".cs").Select(static path => File.ReadAllText(Repository.At(path))));

    /// <summary>The changelog tells of what was, too.</summary>
    public static TheoryData<string> Documents =>
        [.. Repository.Files(".", ".md").Where(static path => path != "CHANGELOG.md" && !Repository.IsCopied(path))];

    [Theory]
    [MemberData(nameof(Documents))]
    public void Every_member_a_document_names_exists(string document) =>
        Assert.Empty(s_library.FindMissing(File.ReadAllText(Repository.At(document))));

    [Fact]
    public void A_member_that_does_not_exist_is_found()
    {
        DocumentedMembers members = new(
        [
            "class Own : Base { int Field; void Method() { } class Inner { } } class Base { int Above { get; } }",
            "enum Kind { One } record Pair(int Left); partial class Own { event E Raised; } class Stream2 : System.IO.Stream { }",
        ]);
        const string text =
            """
            `Own.Field`, `Own.Method()`, `Own<T>.Above`, `Own.Inner`, `Own.Raised`, `Kind.One`, `Pair.Left`, `Stream2.CopyTo`, `Other.Any`.
            `Own.Gone`, `Own<T>.Lost(x)`, `Kind.Two`, `Own.gone`, Own.Plain
            ```
            `Own.Fenced`
            ```
            """;

        Assert.Equal(["Own.Gone", "Own.Lost", "Kind.Two"], members.FindMissing(text));
    }
}
