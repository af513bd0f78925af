using Microsoft.CodeAnalysis;
using Tarn.Tests.Tidy;

namespace Tarn.Testing.Tests.Tidy;

/// <summary>The page of the package, and its public surface.</summary>
public sealed class DocumentTests
{
    [Fact]
    public void The_example_of_the_page_compiles()
    {
        string example = Assert.Single(CodeBlocks.Extract(File.ReadAllText(Repository.At("docs/testing.md"))));

        Assert.Empty(DocumentExamples.Compile(example, "", MetadataReference.CreateFromFile(typeof(BufferScope).Assembly.Location)));
    }

    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.Testing.Tests/Tidy/PublicSurface.approved.txt", typeof(BufferScope).Assembly.GetExportedTypes());
}
