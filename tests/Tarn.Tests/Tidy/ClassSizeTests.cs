using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>A class divided into partial files is still one class. Decision 16 lists the long ones that stay whole.</summary>
public sealed partial class ClassSizeTests
{
    private const int MaxLines = 600;
    private const string Decision = "docs/decisions/0016-classes-that-stay-whole.md";

    [Fact]
    public void Classes_of_more_than_600_lines_are_those_of_decision_16()
    {
        string page = File.ReadAllText(Repository.At(Decision));
        IEnumerable<string> listed = ListedPattern().Matches(page).Select(static match => match.Groups[1].Value);
        IEnumerable<string> found = FindLong(Repository.Files("src", ".cs").Select(path => File.ReadAllText(Repository.At(path))));
        Assert.Equal(listed.Order(StringComparer.Ordinal), found.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_lines_of_all_files_of_a_class_add_up()
    {
        string half = $"partial class A\n{{\n{string.Concat(Enumerable.Repeat("int b;\n", 298))}}}\n";
        Assert.Equal(["A"], FindLong([half, half]));
        Assert.Empty(FindLong([half, half.Replace("class A", "class B", StringComparison.Ordinal)]));
    }

    private static IEnumerable<string> FindLong(IEnumerable<string> texts) =>
        from text in texts
        from type in CSharpSyntaxTree.ParseText(text).GetRoot().DescendantNodes(IsOutside).OfType<BaseTypeDeclarationSyntax>()
        group type.ToFullString().Count(static character => character == '\n') by type.Identifier.Text into lines
        where lines.Sum() > MaxLines
        select lines.Key;

    private static bool IsOutside(SyntaxNode node) => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax;

    /// <summary>The name that begins an item of the list.</summary>
    [GeneratedRegex(@"^- `(\w+)", RegexOptions.Multiline)]
    private static partial Regex ListedPattern();
}
