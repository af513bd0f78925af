using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;

namespace Tarn.CodeFixes.Reading;

/// <summary>A diagnostic that someone wants mended, and where it stands.</summary>
/// <param name="Document">The file.</param>
/// <param name="Root">Its syntax.</param>
/// <param name="Model">What its names mean.</param>
/// <param name="Site">What the diagnostic points at.</param>
/// <param name="Other">The other place that it speaks of: the first return, the rent.</param>
/// <param name="RuleId">The rule.</param>
/// <param name="Cancellation">Ends the search for a fix.</param>
internal sealed record FixRequest(
    Document Document, SyntaxNode Root, SemanticModel Model, SyntaxNode Site, SyntaxNode? Other, string RuleId, CancellationToken Cancellation)
{
    /// <summary>What the diagnostic points at, as an expression.</summary>
    internal ExpressionSyntax? SiteExpression => Site switch
    {
        ExpressionSyntax expression => expression,
        ArgumentSyntax argument => argument.Expression,
        ReturnStatementSyntax statement => statement.Expression,
        ExpressionStatementSyntax statement => statement.Expression,
        _ => null,
    };

    internal ISymbol? SymbolOf(SyntaxNode node) => Model.GetSymbolInfo(node, Cancellation).Symbol;

    internal SyntaxEditor Edit() => new(Root, Document.Project.Solution.Services);
}
