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

    /// <summary>Random programs found these, with seeds of an earlier generator.</summary>
    [Theory]
    [InlineData("void M(int n) { byte[] b = ArrayPool<byte>.Shared.Rent(n); n = n > 1 ? 1 : b![; 0]; ArrayPool<byte>.Shared.Return(b); }")]
    [InlineData(
        "byte[] _b = ArrayPool<byte>.Shared.Rent(9); byte[] P { } public void Dispose() { P = null; ArrayPool<byte>.Shared.Return(_b); }")]
    public async Task Members_that_lack_a_part_are_analyzed(string members)
    {
        CSharpCompilation compilation = Analyzed.Compile(
            [Analyzed.Parse("using System; using System.Buffers; class C : IDisposable { " + members + " }", "Unfinished.cs")],
            OutputKind.DynamicallyLinkedLibrary);
        Assert.Contains(compilation.GetDiagnostics(), static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        Assert.All(
            await Analyzed.GetDiagnosticsAsync(compilation),
            static diagnostic => Assert.StartsWith("TARN", diagnostic.Id, StringComparison.Ordinal));
    }
}
