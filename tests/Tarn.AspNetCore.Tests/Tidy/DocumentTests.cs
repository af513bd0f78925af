using Microsoft.CodeAnalysis;
using Tarn.SharedMemory;
using Tarn.SharedMemory.AspNetCore;
using Tarn.Tests.Support;
using Tarn.Tests.Tidy;

namespace Tarn.AspNetCore.Tests.Tidy;

public class DocumentTests
{
    /// <summary>Usings of a project for the web.</summary>
    private const string WebUsings =
        " global using Microsoft.AspNetCore.Builder; global using Microsoft.AspNetCore.Http; "
        + "global using Microsoft.AspNetCore.Hosting; global using Microsoft.Extensions.DependencyInjection;";

    [SkippableTheory]
    [InlineData("docs/aspnetcore.md", 10)]
    [InlineData("docs/shared-memory-kestrel.md", 2)]
    public void Every_example_of_the_page_compiles(string page, int examples)
    {
        Skip.IfNot(StressLength.IsLong, "it compiles a document; the long form does it");
        Assert.Equal(examples, CodeBlocks.Extract(File.ReadAllText(Repository.At(page))).Count());
        Assert.Empty(DocumentExamples.CompilePage(page, WebUsings, References()));
    }

    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.AspNetCore.Tests/Tidy/PublicSurface.approved.txt", typeof(TarnServerOptions).Assembly.GetExportedTypes());

    [Fact]
    public void The_public_surface_of_Kestrel_over_rings_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.AspNetCore.Tests/Tidy/SharedMemorySurface.approved.txt", typeof(SharedMemoryEndPoint).Assembly.GetExportedTypes());

    /// <summary>The packages and the framework for the web that runs these tests.</summary>
    private static IEnumerable<MetadataReference> References()
    {
        string folder = Path.GetDirectoryName(typeof(Microsoft.AspNetCore.Http.HttpContext).Assembly.Location)!;
        return Directory.GetFiles(folder, "Microsoft.*.dll").Append(typeof(TarnServerOptions).Assembly.Location)
            .Append(typeof(SharedRegion).Assembly.Location).Append(typeof(SharedMemoryEndPoint).Assembly.Location)
            .Select(path => MetadataReference.CreateFromFile(path));
    }
}
