using Microsoft.CodeAnalysis;
using Tarn.Tests.Tidy;

namespace Tarn.AspNetCore.Tests.Tidy;

public class DocumentTests
{
    /// <summary>Usings of a project for the web.</summary>
    private const string WebUsings =
        " global using Microsoft.AspNetCore.Builder; global using Microsoft.AspNetCore.Http; "
        + "global using Microsoft.Extensions.DependencyInjection;";

    [Fact]
    public void Every_example_of_the_page_compiles()
    {
        string[] examples = [.. DocumentExamples.Extract(File.ReadAllText(Repository.At("docs/aspnetcore.md")))];

        Assert.Equal(9, examples.Length);
        Assert.Empty(
            from example in examples
            from error in DocumentExamples.Compile(example, WebUsings, References())
            select $"{error} in\n{example}");
    }

    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        string approvedPath = Repository.At("tests/Tarn.AspNetCore.Tests/Tidy/PublicSurface.approved.txt");
        string receivedPath = approvedPath.Replace(".approved.", ".received.", StringComparison.Ordinal);
        string surface = PublicSurface.Print(typeof(TarnServerOptions).Assembly.GetExportedTypes());
        if (File.Exists(approvedPath) && File.ReadAllText(approvedPath) == surface)
        {
            File.Delete(receivedPath);
            return;
        }

        File.WriteAllText(receivedPath, surface);
        Assert.Fail(
            "The public surface has changed. Compare the received file with the approved one beside it; if it is meant, rename it.");
    }

    /// <summary>The package and the framework for the web that runs these tests.</summary>
    private static IEnumerable<MetadataReference> References()
    {
        string folder = Path.GetDirectoryName(typeof(Microsoft.AspNetCore.Http.HttpContext).Assembly.Location)!;
        return Directory.GetFiles(folder, "Microsoft.*.dll").Append(typeof(TarnServerOptions).Assembly.Location)
            .Select(path => MetadataReference.CreateFromFile(path));
    }
}
