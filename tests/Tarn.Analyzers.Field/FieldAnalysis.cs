using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Field;

/// <summary>Runs the rules that find misuse. Those that move code to Tarn find none and stay out.</summary>
internal static class FieldAnalysis
{
    private static readonly ImmutableArray<DiagnosticAnalyzer> s_analyzers = [.. CreateAnalyzers()];

    internal static IReadOnlyList<DiagnosticAnalyzer> CreateAnalyzers() =>
    [
        .. typeof(BufferFlowAnalyzer).Assembly.GetTypes()
            .Where(static type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)) && !type.IsAbstract)
            .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!)
            .Where(static analyzer => analyzer.SupportedDiagnostics.Any(static rule => rule.IsEnabledByDefault)),
    ];

    /// <summary>Attaches analyzers to a compilation. Analyzers that are measured run one after the other.</summary>
    internal static CompilationWithAnalyzers With(
        CSharpCompilation compilation, ImmutableArray<DiagnosticAnalyzer> analyzers, Action<Exception>? onCrash, bool isMeasured) =>
        compilation.WithAnalyzers(
            analyzers,
            new CompilationWithAnalyzersOptions(
                new AnalyzerOptions([]),
                onCrash is null ? null : (exception, _, _) => onCrash(exception),
                concurrentAnalysis: !isMeasured,
                logAnalyzerExecutionTime: isMeasured));

    /// <summary>Returns all findings in a compilation, by file and line. An analyzer that throws ends the run.</summary>
    internal static async Task<IReadOnlyList<FieldFinding>> AnalyzeAsync(
        CSharpCompilation compilation, SourceTree tree, CancellationToken cancellation)
    {
        List<Exception> crashes = [];
        CompilationWithAnalyzers run = With(compilation, s_analyzers, crashes.Add, isMeasured: false);
        ImmutableArray<Diagnostic> found = await run.GetAnalyzerDiagnosticsAsync(cancellation);
        if (crashes.Count > 0)
        {
            throw new AggregateException($"The analyzer threw in {compilation.AssemblyName}.", crashes);
        }

        return
        [
            .. found.Where(static one => one.Location.IsInSource)
                .OrderBy(static one => one.Location.SourceTree!.FilePath, StringComparer.Ordinal)
                .ThenBy(static one => one.Location.SourceSpan.Start)
                .Select(one => Describe(one, compilation, tree)),
        ];
    }

    /// <summary>Returns the findings in one file of a compilation, except hidden ones.</summary>
    internal static async Task<IReadOnlyList<Diagnostic>> AnalyzeFileAsync(
        CSharpCompilation compilation, SyntaxTree file, CancellationToken cancellation)
    {
        List<Exception> crashes = [];
        CompilationWithAnalyzers run = With(compilation, s_analyzers, crashes.Add, isMeasured: false);
        ImmutableArray<Diagnostic> found =
            await run.GetAnalyzerSemanticDiagnosticsAsync(compilation.GetSemanticModel(file), filterSpan: null, cancellation);
        return crashes.Count > 0
            ? throw new AggregateException($"The analyzer threw in {file.FilePath}.", crashes)
            : [.. found.Where(one => one.Severity > DiagnosticSeverity.Hidden && one.Location.SourceTree == file)];
    }

    private static FieldFinding Describe(Diagnostic diagnostic, CSharpCompilation compilation, SourceTree tree)
    {
        SyntaxTree file = diagnostic.Location.SourceTree!;
        SyntaxNode place = file.GetRoot().FindNode(diagnostic.Location.SourceSpan);
        MemberDeclarationSyntax? member = place.FirstAncestorOrSelf<MemberDeclarationSyntax>();
        SemanticModel model = compilation.GetSemanticModel(file);
        int errors = member is null ? 0 : model.GetDiagnostics(member.Span).Count(static one => one.Severity == DiagnosticSeverity.Error);
        return new FieldFinding(
            Path.GetRelativePath(tree.Root, file.FilePath),
            diagnostic.Location.GetLineSpan().StartLinePosition.Line + 1,
            diagnostic.Severity,
            diagnostic.Id,
            diagnostic.GetMessage(null),
            model.GetEnclosingSymbol(diagnostic.Location.SourceSpan.Start)?.ToDisplayString() ?? string.Empty,
            errors);
    }
}
