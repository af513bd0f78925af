using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>Source that was compiled, without errors, and analyzed.</summary>
internal sealed class Analyzed
{
    internal static IReadOnlyList<MetadataReference> References { get; } =
        [
            .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Select(static path => MetadataReference.CreateFromFile(path)),
        ];

    internal static ImmutableArray<DiagnosticAnalyzer> Analyzers { get; } =
        [
            .. typeof(BufferFlowAnalyzer).Assembly.GetTypes()
                .Where(static type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)) && !type.IsAbstract)
                .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
        ];

    internal static CSharpCompilationOptions CompilationOptions { get; } =
        new(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);

    /// <summary>Binds the references once for all: whatever is compiled from it shares their symbols.</summary>
    private static readonly CSharpCompilation s_nothing = CreateNothing();

    private Analyzed(string source, ImmutableArray<Diagnostic> diagnostics)
    {
        Source = source;
        Diagnostics = diagnostics;
    }

    internal string Source { get; }

    internal ImmutableArray<Diagnostic> Diagnostics { get; }

    /// <summary>Analyzes a source. Rules that are off by default are on where the source names them.</summary>
    internal static async Task<Analyzed> RunAsync(string source, IReadOnlyDictionary<string, string>? options = null)
    {
        CSharpCompilation compilation = Compile([Parse(source, "Case.cs")], OutputKind.DynamicallyLinkedLibrary);
        AssertCompiles(compilation);
        return new Analyzed(source, await GetDiagnosticsAsync(TurnOn(compilation, source), options));
    }

    /// <summary>Turns on the rules that are off by default and that a text names.</summary>
    internal static Compilation TurnOn(Compilation compilation, string text) => compilation.WithOptions(
        compilation.Options.WithSpecificDiagnosticOptions(
            Analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics)
                .Where(rule => !rule.IsEnabledByDefault && text.Contains(rule.Id, StringComparison.Ordinal))
                .Select(static rule => KeyValuePair.Create(rule.Id, ReportDiagnostic.Info))));

    internal static SyntaxTree Parse(string source, string path) =>
        CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Preview), path);

    internal static CSharpCompilation Compile(IEnumerable<SyntaxTree> trees, OutputKind kind) =>
        s_nothing.WithOptions(CompilationOptions.WithOutputKind(kind)).AddSyntaxTrees(trees);

    /// <summary>Fails unless a compilation has no errors. Some are found only when code is emitted.</summary>
    internal static void AssertCompiles(Compilation compilation) =>
        Assert.Empty(compilation.Emit(Stream.Null).Diagnostics.Where(static found => found.Severity == DiagnosticSeverity.Error));

    /// <summary>The reports of all analyzers of the project.</summary>
    internal static Task<ImmutableArray<Diagnostic>> GetDiagnosticsAsync(
        Compilation compilation, IReadOnlyDictionary<string, string>? options = null) =>
        compilation
            .WithAnalyzers(Analyzers, new AnalyzerOptions([], new FixedOptions(options ?? new Dictionary<string, string>())))
            .GetAnalyzerDiagnosticsAsync();

    private static CSharpCompilation CreateNothing()
    {
        CSharpCompilation nothing = CSharpCompilation.Create("Case", references: References, options: CompilationOptions);
        _ = nothing.GetSpecialType(SpecialType.System_Object);
        return nothing;
    }
}
