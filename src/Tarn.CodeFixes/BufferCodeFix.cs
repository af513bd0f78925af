using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Simplification;
using Tarn.CodeFixes.Reading;

namespace Tarn.CodeFixes;

/// <summary>The common base of the fixes. A fix offers its first proposal that compiles, or none.</summary>
/// <remarks>All fixes of a rule have one equivalence key, so that fixing all findings of a rule fixes each shape in its own way.</remarks>
public abstract class BufferCodeFix : CodeFixProvider
{
    private protected BufferCodeFix(params string[] ids)
    {
        FixableDiagnosticIds = ids.ToImmutableArray();
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider? GetFixAllProvider() => RuleFixAllProvider.Instance;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (root is null || model is null)
        {
            return;
        }

        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            FixRequest request = new(
                context.Document,
                root,
                model,
                root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true),
                FindOther(root, diagnostic),
                diagnostic.Id,
                context.CancellationToken);
            if (await FindFirstAsync(request).ConfigureAwait(false) is { } fix)
            {
                Document changed = context.Document.WithSyntaxRoot(fix.Root);
                context.RegisterCodeFix(
                    CodeAction.Create(
                        fix.Title,
                        token => ImportAdder.AddImportsAsync(changed, Simplifier.AddImportsAnnotation, cancellationToken: token),
                        equivalenceKey: diagnostic.Id),
                    diagnostic);
            }
        }
    }

    /// <summary>Proposes fixes, the best one first.</summary>
    private protected abstract IEnumerable<ProposedFix> Propose(FixRequest request);

    private static SyntaxNode? FindOther(SyntaxNode root, Diagnostic diagnostic)
    {
        Location? location = diagnostic.AdditionalLocations.Count > 0 ? diagnostic.AdditionalLocations[0] : null;
        return location is not null && location.GetLineSpan().Path == root.SyntaxTree.FilePath
            ? root.FindNode(location.SourceSpan, getInnermostNodeForTie: true)
            : null;
    }

    private async Task<ProposedFix?> FindFirstAsync(FixRequest request)
    {
        foreach (ProposedFix fix in Propose(request))
        {
            if (await CompilesAsync(request, fix, request.Cancellation).ConfigureAwait(false))
            {
                return fix;
            }
        }

        return null;
    }

    /// <summary>Returns whether the changed file has no new errors.</summary>
    private static async Task<bool> CompilesAsync(FixRequest request, ProposedFix fix, CancellationToken cancellation)
    {
        SemanticModel? changed = await request.Document.WithSyntaxRoot(fix.Root).GetSemanticModelAsync(cancellation).ConfigureAwait(false);
        return changed is not null && CountErrors(changed, cancellation) <= CountErrors(request.Model, cancellation);
    }

    private static int CountErrors(SemanticModel model, CancellationToken cancellation) =>
        model.GetDiagnostics(cancellationToken: cancellation).Count(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
}
