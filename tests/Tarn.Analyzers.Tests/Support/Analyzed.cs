using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>Source that was compiled, without errors, and analyzed.</summary>
internal sealed class Analyzed
{
    internal static IReadOnlyList<MetadataReference> References { get; } =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(static path => MetadataReference.CreateFromFile(path))];

    internal static ImmutableArray<DiagnosticAnalyzer> Analyzers { get; } =
        [
            .. typeof(BufferFlowAnalyzer).Assembly.GetTypes()
                .Where(static type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)) && !type.IsAbstract)
                .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
        ];

    internal static CSharpCompilationOptions CompilationOptions { get; } =
        new(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);

    private Analyzed(string source, ImmutableArray<Diagnostic> diagnostics)
    {
        Source = source;
        Diagnostics = diagnostics;
    }

    internal string Source { get; }

    internal ImmutableArray<Diagnostic> Diagnostics { get; }

    internal static async Task<Analyzed> RunAsync(string source, IReadOnlyDictionary<string, string>? options = null)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Latest), path: "Case.cs");
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Case",
            [tree],
            References,
            CompilationOptions);
        Assert.Empty(compilation.GetDiagnostics().Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        CompilationWithAnalyzers analyzed = compilation.WithAnalyzers(
            Analyzers,
            new AnalyzerOptions([], new FixedOptions(options ?? new Dictionary<string, string>())));
        ImmutableArray<Diagnostic> diagnostics = await analyzed.GetAnalyzerDiagnosticsAsync();
        return new Analyzed(source, diagnostics);
    }
}
