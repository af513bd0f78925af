using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Tarn.CodeFixes.Moving;

/// <summary>The common base of the fixes that move code to Tarn. They change one place, or all places of a solution at once.</summary>
/// <remarks>
/// All places of a file are changed together and compiled once. Only if the file then has new errors is each place tried by itself, and
/// a place for which nothing compiles stays as it is.
/// </remarks>
public abstract class MovingCodeFix : CodeFixProvider
{
    private readonly string _title;

    private protected MovingCodeFix(string id, string title)
    {
        FixableDiagnosticIds = ImmutableArray.Create(id);
        _title = title;
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <summary>Gets the number of ways to change a place, the best one first.</summary>
    private protected abstract int Ways { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider? GetFixAllProvider() => FixAllProvider.Create(
        static async (context, document, diagnostics) =>
            await ((MovingCodeFix)context.CodeFixProvider).FixAsync(document, diagnostics, context.CancellationToken)
                .ConfigureAwait(false));

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            ImmutableArray<Diagnostic> one = ImmutableArray.Create(diagnostic);
            if (await FixAsync(context.Document, one, context.CancellationToken).ConfigureAwait(false) is { } changed)
            {
                var action = CodeAction.Create(_title, _ => Task.FromResult(changed), equivalenceKey: diagnostic.Id);
                context.RegisterCodeFix(action, diagnostic);
            }
        }
    }

    /// <summary>
    /// Returns the nodes that <see cref="Change"/> needs to find again, the place of the diagnostic first. Empty for no fix.
    /// </summary>
    private protected abstract IReadOnlyList<SyntaxNode> FindNodes(SyntaxNode root, Diagnostic diagnostic);

    /// <summary>Changes one place of a file, in which other places may be changed already.</summary>
    private protected abstract SyntaxNode Change(SyntaxNode root, IReadOnlyList<SyntaxNode> nodes, Diagnostic diagnostic, int way);

    /// <summary>Returns the file with all places changed that can be; null if there are none.</summary>
    private async Task<Document?> FixAsync(Document document, ImmutableArray<Diagnostic> diagnostics, CancellationToken cancellation)
    {
        if (await document.GetSyntaxRootAsync(cancellation).ConfigureAwait(false) is not { } root)
        {
            return null;
        }

        List<Place> places =
        [
            .. diagnostics.OrderBy(static diagnostic => diagnostic.Location.SourceSpan.Start)
                .Select(diagnostic => new Place(diagnostic, FindNodes(root, diagnostic)))
                .Where(static place => place.Nodes.Count > 0),
        ];
        int errors = await CountErrorsAsync(document, cancellation).ConfigureAwait(false);
        if (await ApplyAsync(document, root, places, errors, cancellation).ConfigureAwait(false) is { } all)
        {
            return places.Count > 0 ? all : null;
        }

        List<Place> kept = [];
        Document? best = null;
        foreach (Place place in places)
        {
            for (int way = 0; way < Ways; way++)
            {
                List<Place> tried = [.. kept, place with { Way = way }];
                if (await ApplyAsync(document, root, tried, errors, cancellation).ConfigureAwait(false) is { } changed)
                {
                    (kept, best) = (tried, changed);
                    break;
                }
            }
        }

        return best;
    }

    /// <summary>Changes places of a file; null if it has new errors afterwards.</summary>
    private async Task<Document?> ApplyAsync(
        Document document, SyntaxNode root, IReadOnlyList<Place> places, int errors, CancellationToken cancellation)
    {
        Dictionary<SyntaxNode, SyntaxAnnotation> marks = [];
        foreach (SyntaxNode node in places.SelectMany(static place => place.Nodes))
        {
            marks[node] = new SyntaxAnnotation();
        }

        SyntaxNode changed = root.ReplaceNodes(
            marks.Keys, (node, rewritten) => rewritten.WithAdditionalAnnotations(marks[node]));
        foreach (Place place in places)
        {
            IReadOnlyList<SyntaxNode> nodes = [.. place.Nodes.Select(node => changed.GetAnnotatedNodes(marks[node]).Single())];
            changed = Change(changed, nodes, place.Diagnostic, place.Way);
        }

        Document result = document.WithSyntaxRoot(changed);
        if (await CountErrorsAsync(result, cancellation).ConfigureAwait(false) > errors)
        {
            return null;
        }

        // An import may make other names of the file ambiguous. The names then stay qualified.
        Document imported = await ImportAdder.AddImportsAsync(result, Simplifier.AddImportsAnnotation, cancellationToken: cancellation)
            .ConfigureAwait(false);
        bool isClear = await CountErrorsAsync(imported, cancellation).ConfigureAwait(false) <= errors;
        Document simple = await Simplifier.ReduceAsync(isClear ? imported : result, Simplifier.Annotation, cancellationToken: cancellation)
            .ConfigureAwait(false);
        return await Formatter.FormatAsync(simple, Formatter.Annotation, cancellationToken: cancellation).ConfigureAwait(false);
    }

    private static async Task<int> CountErrorsAsync(Document document, CancellationToken cancellation) =>
        await document.GetSemanticModelAsync(cancellation).ConfigureAwait(false) is { } model
            ? model.GetDiagnostics(cancellationToken: cancellation).Count(static one => one.Severity == DiagnosticSeverity.Error)
            : 0;

    /// <summary>A place to change.</summary>
    private sealed record Place(Diagnostic Diagnostic, IReadOnlyList<SyntaxNode> Nodes)
    {
        /// <summary>Gets the way to change it.</summary>
        internal int Way { get; init; }
    }
}
