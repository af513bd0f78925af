using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.CodeFixes.Reading;

/// <summary>Which method a place stands in, and which statements.</summary>
internal static class Bodies
{
    /// <summary>The method, accessor or function that a node is part of; the whole file for statements at its top.</summary>
    internal static SyntaxNode MethodOf(SyntaxNode node) =>
        node.Ancestors().First(static ancestor => IsMethod(ancestor) || ancestor is CompilationUnitSyntax);

    /// <summary>The nodes of a body without those of functions inside of it.</summary>
    internal static IEnumerable<SyntaxNode> NodesOf(SyntaxNode body) =>
        body.DescendantNodesAndSelf(node => node == body || !IsMethod(node));

    /// <summary>The statement that a node stands in, and the list of statements that one is part of; null where it stands in none.</summary>
    internal static (StatementSyntax Statement, SyntaxList<StatementSyntax> List)? StatementOf(SyntaxNode node) =>
        node.FirstAncestorOrSelf<StatementSyntax>() is { } statement && ListOf(statement) is { } list ? (statement, list) : null;

    /// <summary>The list of statements that a node stands in somewhere, and its place there; -1 where it does not stand in that list.</summary>
    internal static int PlaceIn(SyntaxList<StatementSyntax> list, SyntaxNode node) =>
        list.IndexOf(statement => statement.Span.Contains(node.Span) && statement.SyntaxTree == node.SyntaxTree);

    /// <summary>Whether the last thing that can happen in a statement may be something else than its end: a return, a jump out of it.</summary>
    internal static bool CanLeave(StatementSyntax statement) => NodesOf(statement).Any(node => node switch
    {
        ReturnStatementSyntax or GotoStatementSyntax or YieldStatementSyntax or ThrowStatementSyntax or LabeledStatementSyntax => true,
        BreakStatementSyntax or ContinueStatementSyntax => !node.Ancestors().TakeWhile(ancestor => ancestor != statement.Parent).Any(static ancestor => ancestor is
            WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax or SwitchStatementSyntax),
        _ => false,
    });

    private static SyntaxList<StatementSyntax>? ListOf(StatementSyntax statement) => statement.Parent switch
    {
        BlockSyntax block => block.Statements,
        SwitchSectionSyntax section => section.Statements,
        _ => null,
    };

    private static bool IsMethod(SyntaxNode node) =>
        node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or LocalFunctionStatementSyntax or AnonymousFunctionExpressionSyntax;
}
