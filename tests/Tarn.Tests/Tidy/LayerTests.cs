using Tarn.Tests.Support;

namespace Tarn.Tests.Tidy;

public class LayerTests
{
    private static readonly LayerTable s_table = LayerTable.Read(File.ReadAllText(Repository.At("ARCHITECTURE.md")));

    private static readonly LayerTable s_sampleTable = LayerTable.Read(
        """
        | folder | holds | may use |
        |---|---|---|
        | Low | a | nothing |
        | Middle | b | Low |
        | High | c | Low, Middle |

        | folder | other |
        """);

    [SkippableFact]
    public void Every_folder_uses_only_the_folders_that_its_row_of_the_table_allows()
    {
        Skip.IfNot(StressLength.IsLong, "it binds all sources; the long form does it");
        List<LayerUse> uses = LayerReading.Read(
            Repository.Files("src/Tarn", ".cs").Select(path => (path["src/Tarn/".Length..], File.ReadAllText(Repository.At(path)))));

        Assert.Contains(uses, use => use is { From: "ArrayPool", To: "Diagnostics" });
        Assert.DoesNotContain(uses, use => !s_table.Allows(use.From, use.To));
    }

    [Fact]
    public void Every_row_allows_only_folders_above_it()
    {
        Assert.Empty(s_table.FindRowsOutOfOrder());
        Assert.Equal(
            [
                "Annotations", "Primitives", "Platform", "Trimming", "Caching", "Copying", "Diagnostics", "Budgets",
                "ArrayPool", "Sharing", "NativeHeap", "Writers", "Streams", "SharedMemory", "Pipes",
            ],
            s_table.Folders);
    }

    [Fact]
    public void Every_source_lies_in_a_folder_of_the_table()
    {
        IEnumerable<string> elsewhere = Repository.Files("src/Tarn", ".cs")
            .Where(path => path.Split('/') is not ["src", "Tarn", var folder, ..] || !s_table.Folders.Contains(folder));

        Assert.Empty(elsewhere);
    }

    [Theory]
    [InlineData("High/H.cs", "class H { M? m; }", "Middle/M.cs", "class M { }", null)]
    [InlineData("Low/L.cs", "class L { H? h; }", "High/H.cs", "class H { }", "Low uses High: Low/L.cs uses H")]
    [InlineData(
        "Low/L.cs",
        "class L { int x = M.Y; }",
        "Middle/M.cs",
        "static class M { public static int Y; }",
        "Low uses Middle: Low/L.cs uses M")]
    [InlineData(
        "Low/L.cs",
        "partial class P { object o = P.F(); }",
        "Middle/P.cs",
        "partial class P { static H F() => new(); } class H { }",
        "Low uses Middle: Low/L.cs uses H, Low uses Middle: Low/L.cs uses P")]
    [InlineData("Low/L.cs", "/// <see cref=\"H\"/>\nclass L { }", "High/H.cs", "class H { }", null)]
    public void The_reading_finds_a_use_that_the_table_does_not_allow(string path, string text, string usedPath, string used, string? found)
    {
        List<LayerUse> uses = LayerReading.Read([(path, text), (usedPath, used)]);

        Assert.Equal(found ?? "", string.Join(", ", uses.Where(use => !s_sampleTable.Allows(use.From, use.To))));
    }

    [Fact]
    public void A_row_that_allows_a_folder_below_it_is_found()
    {
        LayerTable table = LayerTable.Read("| folder | holds | may use |\n|---|---|---|\n| Low | a | High |\n| High | b | Low, Gone |");

        Assert.Equal(
            ["Low may use High, which does not stand above it", "High may use Gone, which does not stand above it"],
            table.FindRowsOutOfOrder());
    }
}
