using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Moving;

/// <summary>Finds the places of a method that name a local variable.</summary>
internal static class LocalNames
{
    /// <summary>Returns the method, accessor or function that a node is part of; the whole file for top-level statements.</summary>
    internal static SyntaxNode MethodOf(SyntaxNode node) =>
        node.Ancestors().First(static ancestor => IsMethod(ancestor) || ancestor is CompilationUnitSyntax);

    /// <summary>Returns the nodes of a part of a method, without those of functions inside it.</summary>
    internal static IEnumerable<SyntaxNode> NodesOf(SyntaxNode part) =>
        part.DescendantNodesAndSelf(node => node == part || !IsMethod(node));

    /// <summary>Returns every place in the method, and in functions inside it, that names a local variable.</summary>
    internal static IEnumerable<IdentifierNameSyntax> Of(
        ILocalSymbol local, SyntaxNode method, SemanticModel model, CancellationToken cancellation) =>
        method.DescendantNodes().OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == local.Name
                && SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(name, cancellation).Symbol, local));

    /// <summary>Returns whether a part of a method awaits or yields, so that no variable on the stack lives across it.</summary>
    internal static bool Suspends(SyntaxNode part) => NodesOf(part).Any(static node => node switch
    {
        AwaitExpressionSyntax or YieldStatementSyntax => true,
        CommonForEachStatementSyntax loop => loop.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
        UsingStatementSyntax scope => scope.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
        LocalDeclarationStatementSyntax declaration => declaration.AwaitKeyword.IsKind(SyntaxKind.AwaitKeyword),
        _ => false,
    });

    private static bool IsMethod(SyntaxNode node) =>
        node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax
            or LocalFunctionStatementSyntax or AnonymousFunctionExpressionSyntax;
}
