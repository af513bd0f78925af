namespace Tarn.Tests.Tidy;

public class LineRuleTests
{
    /// <summary>The folders whose lines are held to the limit, with all below them.</summary>
    private static readonly string[] s_folders = ["docs", "lab", "samples", "src", "tests"];

    private static readonly int s_limit = LineRules.LimitIn(File.ReadAllText(Repository.At(".editorconfig")));

    [Fact]
    public void No_line_is_longer_than_the_editor_shows()
    {
        string[] paths =
        [
            .. s_folders.SelectMany(static folder => Repository.Files(folder, ".cs").Concat(Repository.Files(folder, ".md")))
                .Where(static path => !Repository.IsCopied(path)),
        ];

        Assert.All(s_folders, folder => Assert.Contains(paths, path => path.StartsWith(folder + "/", StringComparison.Ordinal)));
        string[] tooLong =
            [.. paths.SelectMany(static path => LineRules.FindLongLines(path, File.ReadAllText(Repository.At(path)), s_limit))];
        Assert.True(tooLong.Length == 0, string.Join('\n', tooLong));
    }

    [Fact]
    public void The_limit_is_that_of_all_files()
    {
        Assert.Equal(140, s_limit);
        Assert.Equal(99, LineRules.LimitIn("root = true\n\n[*]\ncharset = utf-8\nmax_line_length = 99\n\n[*.md]\nmax_line_length = 80\n"));
    }

    [Theory]
    [InlineData("A.cs", "int a;\nint bcd;\nint ef;\n", "A.cs:2 has 8 characters, more than 7")]
    [InlineData("A.cs", "// [a](b)", "A.cs:1 has 9 characters, more than 7")]
    [InlineData("A.cs", "abcdefgh", "A.cs:1 has 8 characters, more than 7")]
    [InlineData("A.cs", "int ab;\r\nint c;\r\n", null)]
    [InlineData("a.md", "two words", "a.md:1 has 9 characters, more than 7")]
    [InlineData("a.md", "- two words", "a.md:1 has 11 characters, more than 7")]
    [InlineData("a.md", "see [a](b)", "a.md:1 has 10 characters, more than 7")]
    [InlineData("a.md", "[a link](b) and", "a.md:1 has 15 characters, more than 7")]
    [InlineData("a.md", "| a | b |\n# A heading\n- [a link](b)\n![a picture](b)\n  1. indivisible", null)]
    public void Only_unbreakable_lines_are_longer(string path, string text, string? found) =>
        Assert.Equal(found ?? "", string.Join(", ", LineRules.FindLongLines(path, text, limit: 7)));
}
