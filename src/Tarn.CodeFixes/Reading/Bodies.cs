using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.CodeFixes.Reading;

/// <summary>Finds the method and the statements that contain a place.</summary>
internal static class Bodies
{
    /// <summary>Returns the method, accessor or function that a node is part of; the whole file for top-level statements.</summary>
    internal static SyntaxNode MethodOf(SyntaxNode node) =>
        node.Ancestors().First(static ancestor => IsMethod(ancestor) || ancestor is CompilationUnitSyntax);

    /// <summary>Returns the nodes of a body without those of functions inside it.</summary>
    internal static IEnumerable<SyntaxNode> NodesOf(SyntaxNode body) =>
        body.DescendantNodesAndSelf(node => node == body || !IsMethod(node));

    /// <summary>Returns the statement that contains a node, and the list of statements that it is part of; null if there is none.</summary>
    internal static (StatementSyntax Statement, SyntaxList<StatementSyntax> List)? StatementOf(SyntaxNode node) =>
        node.FirstAncestorOrSelf<StatementSyntax>() is { } statement && ListOf(statement) is { } list ? (statement, list) : null;

    /// <summary>Returns the index of the statement in a list that contains a node; -1 if none does.</summary>
    internal static int PlaceIn(SyntaxList<StatementSyntax> list, SyntaxNode node) =>
        list.IndexOf(statement => statement.Span.Contains(node.Span) && statement.SyntaxTree == node.SyntaxTree);

    /// <summary>Returns whether a statement may end before its end: through a return, or a jump out of it.</summary>
    internal static bool CanLeave(StatementSyntax statement) => NodesOf(statement).Any(node => node switch
    {
        ReturnStatementSyntax or GotoStatementSyntax or YieldStatementSyntax or ThrowStatementSyntax or LabeledStatementSyntax => true,
        BreakStatementSyntax or ContinueStatementSyntax =>
            !node.Ancestors().TakeWhile(ancestor => ancestor != statement.Parent).Any(static ancestor => ancestor is
            WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax or SwitchStatementSyntax),
        _ => false,
    });

    /// <summary>
    /// Returns whether a statement awaits or yields. No variable on the stack lives across that, which the compiler says only once it
    /// writes the assembly.
    /// </summary>
    internal static bool Suspends(StatementSyntax statement) => NodesOf(statement).Any(static node =>
        node is YieldStatementSyntax { RawKind: (int)SyntaxKind.YieldReturnStatement }
        || node.ChildTokens().Any(static token => token.IsKind(SyntaxKind.AwaitKeyword)));

    private static SyntaxList<StatementSyntax>? ListOf(StatementSyntax statement) => statement.Parent switch
    {
        BlockSyntax block => block.Statements,
        SwitchSectionSyntax section => section.Statements,
        _ => null,
    };

    private static bool IsMethod(SyntaxNode node) =>
        node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax
            or LocalFunctionStatementSyntax or AnonymousFunctionExpressionSyntax;
}
