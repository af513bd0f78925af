using Microsoft.CodeAnalysis;
using Tarn.Tests.Support;
using Tarn.Tests.Tidy;

namespace Tarn.AspNetCore.Tests.Tidy;

public class DocumentTests
{
    /// <summary>Usings of a project for the web.</summary>
    private const string WebUsings =
        " global using Microsoft.AspNetCore.Builder; global using Microsoft.AspNetCore.Http; "
        + "global using Microsoft.AspNetCore.Hosting; global using Microsoft.Extensions.DependencyInjection;";

    [SkippableFact]
    public void Every_example_of_the_page_compiles()
    {
        Skip.IfNot(StressLength.IsLong, "it compiles a document; the long form does it");
        string[] examples = [.. DocumentExamples.Extract(File.ReadAllText(Repository.At("docs/aspnetcore.md")))];

        Assert.Equal(12, examples.Length);
        Assert.Empty(
            from example in examples
            from error in DocumentExamples.Compile(example, WebUsings, References())
            select $"{error} in\n{example}");
    }

    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.AspNetCore.Tests/Tidy/PublicSurface.approved.txt", typeof(TarnServerOptions).Assembly.GetExportedTypes());

    /// <summary>The package and the framework for the web that runs these tests.</summary>
    private static IEnumerable<MetadataReference> References()
    {
        string folder = Path.GetDirectoryName(typeof(Microsoft.AspNetCore.Http.HttpContext).Assembly.Location)!;
        return Directory.GetFiles(folder, "Microsoft.*.dll").Append(typeof(TarnServerOptions).Assembly.Location)
            .Select(path => MetadataReference.CreateFromFile(path));
    }
}
