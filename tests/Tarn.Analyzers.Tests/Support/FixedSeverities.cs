using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>The severities that the text of an .editorconfig gives, read as the compiler reads it.</summary>
internal sealed class FixedSeverities(string editorConfig) : SyntaxTreeOptionsProvider
{
    private readonly ImmutableDictionary<string, ReportDiagnostic> _severities =
        AnalyzerConfigSet.Create<AnalyzerConfig[]>([AnalyzerConfig.Parse(editorConfig, "/.editorconfig")])
            .GetOptionsForSourcePath("/Case.cs")
            .TreeOptions;

    public override GeneratedKind IsGenerated(SyntaxTree tree, CancellationToken cancellationToken) => GeneratedKind.Unknown;

    public override bool TryGetDiagnosticValue(
        SyntaxTree tree, string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity) =>
        _severities.TryGetValue(diagnosticId, out severity);

    public override bool TryGetGlobalDiagnosticValue(
        string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity)
    {
        severity = default;
        return false;
    }
}
