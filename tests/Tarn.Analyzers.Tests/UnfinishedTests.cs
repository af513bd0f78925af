using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Code that does not compile yet, as while somebody types.</summary>
public sealed class UnfinishedTests
{
    [Theory]
    [InlineData("byte[] b = new byte[n]; Unknown(ref b); ArrayPool<byte>.Shared.Return(b);")]
    [InlineData(
        "byte[] b = ArrayPool<byte>.Shared.Rent(n); ArrayPool<byte>.Shared.Return(b); Unknown(out b); ArrayPool<byte>.Shared.Return(b);")]
    [InlineData("byte[] b = ArrayPool<byte>.Shared.Rent(n); Unknown(b);")]
    public async Task Nothing_is_reported_about_the_effects_of_unknown_code(string body)
    {
        CSharpCompilation compilation = Analyzed.Compile(
            [Analyzed.Parse("using System.Buffers; class C { void M(int n) { " + body + " } }", "Unfinished.cs")],
            OutputKind.DynamicallyLinkedLibrary);
        Assert.Contains(compilation.GetDiagnostics(), static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        Assert.DoesNotContain(
            await Analyzed.GetDiagnosticsAsync(compilation), static diagnostic => diagnostic.Severity > DiagnosticSeverity.Hidden);
    }
}
