using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Tarn.CodeFixes;

/// <summary>Fixes all findings of a rule, whatever equivalence key the host asks for.</summary>
/// <remarks>
/// <c>dotnet format</c> takes the key of the first finding of all the rules that it fixes. If that is of another rule, or has no fix,
/// the key is missing or belongs to the other rule, and the usual provider fixes nothing.
/// </remarks>
internal sealed class RuleFixAllProvider : FixAllProvider
{
    private RuleFixAllProvider()
    {
    }

    internal static RuleFixAllProvider Instance { get; } = new();

    /// <inheritdoc/>
    public override Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext) =>
        WellKnownFixAllProviders.BatchFixer.GetFixAsync(WithKeyOfRule(fixAllContext));

    private static FixAllContext WithKeyOfRule(FixAllContext context)
    {
        string? key = context.DiagnosticIds.Count == 1 ? context.DiagnosticIds.First() : context.CodeActionEquivalenceKey;
        CodeFixProvider fix = context.CodeFixProvider;
        SameDiagnostics found = new(context);
        return context.Document is { } document
            ? new(document, fix, context.Scope, key!, context.DiagnosticIds, found, context.CancellationToken)
            : new(context.Project, fix, context.Scope, key!, context.DiagnosticIds, found, context.CancellationToken);
    }

    private sealed class SameDiagnostics(FixAllContext context) : FixAllContext.DiagnosticProvider
    {
        public override async Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
            await context.GetAllDiagnosticsAsync(project).ConfigureAwait(false);

        public override async Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(
            Document document, CancellationToken cancellationToken) =>
            await context.GetDocumentDiagnosticsAsync(document).ConfigureAwait(false);

        public override async Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(
            Project project, CancellationToken cancellationToken) =>
            await context.GetProjectDiagnosticsAsync(project).ConfigureAwait(false);
    }
}
