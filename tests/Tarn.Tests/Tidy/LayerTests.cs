using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Tarn.Tests.Support;

namespace Tarn.Tests.Tidy;

public class LayerTests
{
    /// <summary>What the second library has of the first one's sources, as its project links them.</summary>
    private static readonly (string Path, string Source)[] s_linked =
    [
        .. Regex.Matches(File.ReadAllText(Repository.At("src/Tarn.SharedMemory/Tarn.SharedMemory.csproj")), @"""\.\./Tarn/(\w+/\w+\.cs)""")
            .Select(static match => (match.Groups[1].Value, $"src/Tarn/{match.Groups[1].Value}")),
    ];

    private static readonly LayerTable s_sampleTable = LayerTable.Read(
        """
        | folder of High | a | nothing |
        |---|---|---|

        | folder of src/X | holds | may use |
        |---|---|---|
        | Low | a | nothing |
        | Middle | b | Low |
        | High | c | Low, Middle |

        | folder | other |
        """,
        "src/X");

    [SkippableTheory]
    [InlineData("src/Tarn", "ArrayPool", "Diagnostics")]
    [InlineData("src/Tarn.SharedMemory", "Queues", "Layout")]
    public void Every_folder_uses_only_the_folders_that_its_row_of_the_table_allows(string project, string from, string to)
    {
        Skip.IfNot(StressLength.IsLong, "it binds all sources; the long form does it");
        LayerTable table = TableOf(project);
        List<LayerUse> uses = LayerReading.Read(
            SourcesOf(project).Select(static source => (source.Path, File.ReadAllText(Repository.At(source.Source)))),
            UsingsOf(project),
            project == "src/Tarn" ? [] : [MetadataReference.CreateFromFile(typeof(BufferPool<>).Assembly.Location)]);

        Assert.Contains(uses, use => use.From == from && use.To == to);
        Assert.DoesNotContain(uses, use => !table.Allows(use.From, use.To));
        Assert.Equal([], table.FindUnused(uses));
    }

    [Theory]
    [InlineData(
        "src/Tarn",
        "Annotations, Primitives, Platform, Trimming, Caching, Copying, Diagnostics, Budgets, ArrayPool, Sharing, NativeHeap, Writers, "
        + "Streams")]
    [InlineData("src/Tarn.SharedMemory", "Primitives, Platform, Layout, Waiting, Messages, Regions, Rings, Queues, Topics, Values, Pipes")]
    public void Every_row_allows_only_folders_above_it(string project, string folders)
    {
        Assert.Empty(TableOf(project).FindRowsOutOfOrder());
        Assert.Equal(folders, string.Join(", ", TableOf(project).Folders));
    }

    [Theory]
    [InlineData("src/Tarn")]
    [InlineData("src/Tarn.SharedMemory")]
    public void Every_source_lies_in_a_folder_of_the_table(string project)
    {
        LayerTable table = TableOf(project);
        Assert.All(SourcesOf(project), source => Assert.Contains(source.Path.Split('/')[0], table.Folders));
    }

    /// <summary>Each row of the second library that is linked names only what stands there.</summary>
    [Fact]
    public void The_linked_sources_exist() =>
        Assert.All(s_linked, static linked => Assert.True(File.Exists(Repository.At(linked.Source)), linked.Source));

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
        LayerTable table = LayerTable.Read(
            "| folder of src/X | holds | may use |\n|---|---|---|\n| Low | a | High |\n| High | b | Low, Gone |", "src/X");

        Assert.Equal(
            ["Low may use High, which does not stand above it", "High may use Gone, which does not stand above it"],
            table.FindRowsOutOfOrder());
    }

    [Fact]
    public void A_permission_that_nothing_uses_is_found() =>
        Assert.Equal(
            ["High may use Low, and uses nothing of it", "Middle may use Low, and uses nothing of it"],
            s_sampleTable.FindUnused([new LayerUse("High", "Middle", "High/H.cs", "M")]).Order());

    private static LayerTable TableOf(string project) => LayerTable.Read(File.ReadAllText(Repository.At("ARCHITECTURE.md")), project);

    private static string UsingsOf(string project) => string.Concat(
        Regex.Matches(File.ReadAllText(Repository.At($"{project}/{project["src/".Length..]}.csproj")), @"<Using Include=""([\w.]+)""")
            .Select(static match => $" global using {match.Groups[1].Value};"));

    private static IEnumerable<(string Path, string Source)> SourcesOf(string project) =>
        Repository.Files(project, ".cs").Select(path => (path[(project.Length + 1)..], path))
            .Concat(project == "src/Tarn" ? [] : s_linked);
}
