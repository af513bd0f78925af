using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Determines from the source of a loop or query how far it goes.</summary>
internal static class LoopSyntax
{
    /// <summary>Returns whether code only asks whether a search found anything, and not where.</summary>
    internal static bool OnlyAsks(SyntaxNode search) =>
        search.Parent is BinaryExpressionSyntax { Right: var limit } comparison
        && comparison.Left == search
        && comparison.Kind() switch
        {
            SyntaxKind.LessThanExpression or SyntaxKind.GreaterThanOrEqualExpression => limit.ToString() == "0",
            SyntaxKind.EqualsExpression or SyntaxKind.NotEqualsExpression or SyntaxKind.GreaterThanExpression => limit.ToString() == "-1",
            _ => false,
        };

    /// <summary>
    /// Returns whether a loop's body reads elements of an array, writes none, and tests no condition but whether it found something. One
    /// that tells where it found it knows that the contents end before the array does.
    /// </summary>
    internal static bool OnlyReads(StatementSyntax body, string array)
    {
        bool isRead = false;
        foreach (SyntaxNode node in body.DescendantNodesAndSelf())
        {
            if (IsDecision(node) && !IsAnswer(node))
            {
                return false;
            }

            if (node is ElementAccessExpressionSyntax access && access.Expression.ToString() == array)
            {
                if (IsWritten(access))
                {
                    return false;
                }

                isRead = true;
            }
        }

        return isRead;
    }

    /// <summary>Returns whether a loop's body assigns an element of an array each time.</summary>
    internal static bool Fills(StatementSyntax body, string array)
    {
        StatementSyntax? only = body is BlockSyntax { Statements: { Count: 1 } statements } ? statements[0] : body;
        return only is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax { Left: ElementAccessExpressionSyntax element } }
            && element.Expression.ToString() == array;
    }

    /// <summary>
    /// Returns whether a foreach treats every element as requested: it writes none, and tests no condition that may distinguish them.
    /// </summary>
    internal static bool ReadsAll(CommonForEachStatementSyntax loop) =>
        loop is not ForEachStatementSyntax { Type: RefTypeSyntax } && !loop.Statement.DescendantNodesAndSelf().Any(IsDecision);

    /// <summary>Returns whether the loop around a place reads into an array until a count reaches a limit.</summary>
    internal static bool ReadsUntil(SyntaxNode place, string array, string count, string limit)
    {
        SyntaxNode? loop = place.Ancestors().FirstOrDefault(static node =>
            node is WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or MemberDeclarationSyntax);
        ExpressionSyntax? condition = loop switch
        {
            WhileStatementSyntax repeated => repeated.Condition,
            DoStatementSyntax repeated => repeated.Condition,
            ForStatementSyntax repeated => repeated.Condition,
            _ => null,
        };
        return condition is BinaryExpressionSyntax until
            && (until.IsKind(SyntaxKind.LessThanExpression) || until.IsKind(SyntaxKind.NotEqualsExpression))
            && until.Left.ToString() == count && until.Right.ToString() == limit
            && loop!.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call =>
                call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: var name }
                && name is "Read" or "ReadAsync" or "Receive" or "ReceiveAsync"
                && call.ArgumentList.Arguments.Any(argument => argument.Expression.ToString().StartsWith(array, StringComparison.Ordinal)));
    }

    /// <summary>
    /// Returns whether the result of a call is cut to the wanted part: only a number of elements is taken, or only certain ones, or padding
    /// is trimmed.
    /// </summary>
    internal static bool IsLimited(SyntaxNode call)
    {
        for (SyntaxNode? node = call; node is ExpressionSyntax or ArgumentSyntax or ArgumentListSyntax; node = node.Parent)
        {
            if (node is MemberAccessExpressionSyntax { Name.Identifier.ValueText: var name }
                && name is "Take" or "TakeWhile" or "First" or "FirstOrDefault" or "Where" or "OfType" or "Trim" or "TrimEnd" or "Split"
                    or "Substring" or "Remove" or "IndexOf" or "Slice" or "AsSpan")
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Returns whether the length of the stream that an expression creates is set afterwards, through the local that holds the stream.
    /// </summary>
    internal static bool IsCutLater(SyntaxNode creation) =>
        creation.Parent is EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax local }
        && local.FirstAncestorOrSelf<MemberDeclarationSyntax>()?.DescendantNodes().Any(node =>
            node is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "SetLength", Expression: IdentifierNameSyntax name }
            && name.Identifier.ValueText == local.Identifier.ValueText) == true;

    private static bool IsDecision(SyntaxNode node) =>
        node is IfStatementSyntax or ConditionalExpressionSyntax or ConditionalAccessExpressionSyntax or BreakStatementSyntax
            or ReturnStatementSyntax or SwitchStatementSyntax or SwitchExpressionSyntax or GotoStatementSyntax or IsPatternExpressionSyntax
        || node.IsKind(SyntaxKind.CoalesceExpression) || node.IsKind(SyntaxKind.CoalesceAssignmentExpression);

    /// <summary>Returns whether a condition only decides that a constant is the result, or is what that condition returns.</summary>
    private static bool IsAnswer(SyntaxNode node) => node switch
    {
        IfStatementSyntax { Else: null, Statement: BlockSyntax { Statements: { Count: 1 } only } } => IsAnswer(only[0]),
        IfStatementSyntax { Else: null, Statement: ReturnStatementSyntax } asked => IsAnswer(asked.Statement),
        ReturnStatementSyntax { Expression: LiteralExpressionSyntax literal } =>
            (literal.IsKind(SyntaxKind.TrueLiteralExpression) || literal.IsKind(SyntaxKind.FalseLiteralExpression))
            && literal.FirstAncestorOrSelf<IfStatementSyntax>() is not null,
        _ => false,
    };

    private static bool IsWritten(ElementAccessExpressionSyntax access)
    {
        SyntaxNode outer = access;
        while (outer.Parent is MemberAccessExpressionSyntax member && member.Expression == outer)
        {
            outer = member;
        }

        return outer.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == outer,
            ArgumentSyntax argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None),
            RefExpressionSyntax or PostfixUnaryExpressionSyntax => true,
            PrefixUnaryExpressionSyntax prefix =>
                prefix.IsKind(SyntaxKind.PreIncrementExpression) || prefix.IsKind(SyntaxKind.PreDecrementExpression),
            InvocationExpressionSyntax => access != outer,
            _ => false,
        };
    }
}
