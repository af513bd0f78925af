using System.Collections.Immutable;
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
        Assert.DoesNotContain(
            await AnalyzeAsync("class C { void M(int n) { " + body + " } }"),
            static diagnostic => diagnostic.Severity > DiagnosticSeverity.Hidden);
    }

    /// <summary>Random programs found these, with seeds of an earlier generator.</summary>
    [Theory]
    [InlineData("void M(int n) { byte[] b = ArrayPool<byte>.Shared.Rent(n); n = n > 1 ? 1 : b![; 0]; ArrayPool<byte>.Shared.Return(b); }")]
    [InlineData(
        "byte[] _b = ArrayPool<byte>.Shared.Rent(9); byte[] P { } public void Dispose() { P = null; ArrayPool<byte>.Shared.Return(_b); }")]
    public async Task Members_that_lack_a_part_are_analyzed(string members)
    {
        Assert.All(
            await AnalyzeAsync("class C : IDisposable { " + members + " }"),
            static diagnostic => Assert.StartsWith("TARN", diagnostic.Id, StringComparison.Ordinal));
    }

    /// <summary>Analyzes a type that has errors.</summary>
    private static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string type)
    {
        CSharpCompilation compilation = Analyzed.Compile(
            [Analyzed.Parse("using System; using System.Buffers; " + type, "Unfinished.cs")], OutputKind.DynamicallyLinkedLibrary);
        Assert.Contains(compilation.GetDiagnostics(), static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        return Analyzed.GetDiagnosticsAsync(compilation);
    }
}
