using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Tarn.SharedMemory;
using Tarn.Tests.Support;

namespace Tarn.Tests.Tidy;

public class DocumentExampleTests
{
    public static TheoryData<string> Documents => [.. Names];

    /// <summary>
    /// The pages whose examples need other packages. The tests of those, and Tarn.Integrations.Tests, compile them.
    /// </summary>
    private static readonly string[] s_withPackages =
        ["docs/integrations.md", "docs/migrate.md", "docs/aspnetcore.md", "docs/shared-memory-kestrel.md", "docs/testing.md"];

    private static readonly MetadataReference s_sharedMemory =
        MetadataReference.CreateFromFile(typeof(SharedRegion).Assembly.Location);

    /// <summary>
    /// The examples that users read. The pages under docs/rules have tests of their own, because half of their examples are wrong on
    /// purpose.
    /// </summary>
    private static IEnumerable<string> Names =>
        Repository.Files("docs", ".md").Where(path => path.Count(letter => letter == '/') == 1).Except(s_withPackages).Prepend("README.md");

    [SkippableTheory]
    [MemberData(nameof(Documents))]
    public void Every_example_of_a_document_compiles(string document)
    {
        Skip.IfNot(StressLength.IsLong, "it compiles the documents; the long form does it");
        Assert.Empty(DocumentExamples.CompilePage(document, references: s_sharedMemory));
    }

    [Fact]
    public void The_readme_and_the_pages_of_the_parts_have_examples() =>
        Assert.Subset(
            Names.Where(name => CodeBlocks.Extract(File.ReadAllText(Repository.At(name))).Any()).ToHashSet(),
            new HashSet<string>
            {
                "README.md",
                "docs/array-pool.md",
                "docs/native-heap.md",
                "docs/pooled-stream.md",
                "docs/shared-memory.md",
                "docs/copying.md",
            });

    /// <summary>Whoever copies a page's first example with a type of Tarn needs the import; later ones continue it.</summary>
    [Fact]
    public void A_page_imports_the_namespace_before_it_uses_it()
    {
        IEnumerable<string> types = new[] { typeof(BufferPool<>), typeof(SharedRegion) }
            .SelectMany(static type => type.Assembly.GetExportedTypes()).Select(type => type.Name.Split('`')[0]);
        Regex ofTarn = new($@"\b({string.Join('|', types)})\b");
        IEnumerable<string> pages = Repository.Files("docs", ".md").Where(path => path.Count(letter => letter == '/') == 1)
            .Concat(Repository.Files("src", ".md")).Append("README.md");

        Assert.Empty(
            from page in pages
            let text = File.ReadAllText(Repository.At(page))
            let first = CodeBlocks.Extract(text).FirstOrDefault(example => ofTarn.IsMatch(example))
            where first is not null
            where !text[..(text.IndexOf(first, StringComparison.Ordinal) + first.Length)].Contains("using Tarn", StringComparison.Ordinal)
            select page);
    }

    [Fact]
    public void Examples_are_found_between_their_fences()
    {
        const string text =
            """
            ```csharp
            int a = 1;
            ```
            ```bash
            ls
            ```
            ```csharp
            int b = 2;
            ```
            """;

        Assert.Equal(["int a = 1;\n", "int b = 2;\n"], CodeBlocks.Extract(text));
    }

    [Theory]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Rent(10);\nBufferPool<byte>.Shared.Return(a);")]
    [InlineData(
        "using System.Buffers;\nusing IMemoryOwner<byte> a = BufferPool<byte>.Shared.LeaseMemory(10);\nawait "
            + "Stream.Null.WriteAsync(a.Memory);")]
    [InlineData("namespace Mine;\npublic class A { public ScratchBuffer<int> B => default; }")]
    [InlineData("Say(Tarn.Diagnostics.BufferDiagnostics.MeterName);\nstatic void Say(string a) => Console.WriteLine(a);\nclass A { }")]
    public void An_example_that_is_right_compiles(string example) => Assert.Empty(DocumentExamples.Compile(example));

    [Theory]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Borrow(10);", "Borrow")]
    [InlineData("byte[] a = BufferPool<byte>.Shared.Rent(10)", "; expected")]
    [InlineData("public class A { public BufferLoan<int> B => default; }", "BufferLoan")]
    public void An_example_that_is_wrong_does_not_compile(string example, string error) =>
        Assert.Contains(DocumentExamples.Compile(example), found => found.Contains(error, StringComparison.Ordinal));
}
