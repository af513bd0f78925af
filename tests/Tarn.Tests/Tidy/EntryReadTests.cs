using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>
/// A trimmer replaces an entry's magazine at any time, so code without the section's lock reads it once: a length of one magazine says
/// nothing of another. A race between two reads is a few instructions long, and a stress test seldom meets it.
/// </summary>
public class EntryReadTests
{
    public static TheoryData<string> Files =>
        [.. Repository.Files("src/Tarn/ArrayPool", ".cs").Where(static path =>
            Path.GetFileName(path) is { } file && (file.StartsWith("BufferPool", StringComparison.Ordinal) || file == "CacheEntry.cs"))];

    [Theory]
    [MemberData(nameof(Files))]
    public void A_method_without_the_lock_reads_an_entrys_magazine_once(string path) =>
        Assert.Empty(MethodsThatReadTwice(File.ReadAllText(Repository.At(path))));

    [Fact]
    public void A_second_read_is_found() =>
        Assert.Equal(
            ["Twice", "Own"],
            MethodsThatReadTwice(
                """
                class C { int[] Items; int Once(E entry) { var items = entry.Items; return items[items.Length - 1]; }
                int Twice(E entry) => entry.Items[entry.Items.Length - 1]; int Own(int i) { return i < Items.Length ? Items[i] : 0; } }
                """));

    private static IEnumerable<string> MethodsThatReadTwice(string source) =>
        CSharpSyntaxTree.ParseText(source).GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>()
            .Where(static method => method.DescendantNodes().OfType<IdentifierNameSyntax>().Count(IsMagazine) > 1)
            .Select(static method => method.Identifier.Text);

    private static bool IsMagazine(IdentifierNameSyntax name) => name.Identifier.Text == "Items";
}
