using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;

namespace Tarn.CodeFixes.Reading;

/// <summary>Describes a diagnostic to be fixed, and where it is.</summary>
/// <param name="Document">The file.</param>
/// <param name="Root">The syntax of the file.</param>
/// <param name="Model">The semantic model of the file.</param>
/// <param name="Site">The node that the diagnostic points at.</param>
/// <param name="Other">The related place that it mentions: the first return, or the rent.</param>
/// <param name="RuleId">The id of the rule.</param>
/// <param name="Cancellation">Cancels the search for a fix.</param>
internal sealed record FixRequest(
    Document Document,
    SyntaxNode Root,
    SemanticModel Model,
    SyntaxNode Site,
    SyntaxNode? Other,
    string RuleId,
    CancellationToken Cancellation)
{
    /// <summary>Gets the expression that the diagnostic points at.</summary>
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
