using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Syntax;

/// <summary>Recognizes conditions in the syntax.</summary>
internal static class ConditionSyntax
{
    /// <summary>
    /// Returns whether code runs whenever the code around it does: nothing but checks for null stands between a place and the nearest node
    /// around it that meets a condition. False if there is no such node in the member.
    /// </summary>
    internal static bool AlwaysRuns(SyntaxNode place, Func<SyntaxNode, bool> isAround)
    {
        for (SyntaxNode? node = place; node is { Parent: { } parent }; node = parent)
        {
            if (isAround(parent))
            {
                return true;
            }

            switch (parent)
            {
                case SwitchSectionSyntax or ConditionalExpressionSyntax or SwitchExpressionArmSyntax:
                case WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax:
                case IfStatementSyntax { Condition: var condition } when node != condition && !IsNullCheck(condition):
                case BinaryExpressionSyntax { Right: var right } binary when node == right && IsShortCircuit(binary):
                case MemberDeclarationSyntax or AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax:
                    return false;
                default:
                    break;
            }
        }

        return false;
    }

    /// <summary>
    /// Returns whether two calls return variables of different names under a condition that names both, so that the code may know whether
    /// they have the same buffer. What comparing them says, the paths show.
    /// </summary>
    internal static bool MayTellApart(SyntaxNode one, SyntaxNode other)
    {
        string? name = ReturnedBy(one);
        string? otherName = ReturnedBy(other);
        return name is not null && otherName is not null && name != otherName && (Asks(one) || Asks(other));

        bool Asks(SyntaxNode call) =>
            call.Ancestors().OfType<IfStatementSyntax>().Any(asked =>
                asked.Condition is not BinaryExpressionSyntax { Left: IdentifierNameSyntax, Right: IdentifierNameSyntax }
                && Names(asked.Condition, name!)
                && Names(asked.Condition, otherName!));
    }

    private static string? ReturnedBy(SyntaxNode call) => call switch
    {
        InvocationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }
            when arguments[0].Expression is IdentifierNameSyntax name => name.Identifier.ValueText,
        _ => null,
    };

    private static bool Names(ExpressionSyntax condition, string name) =>
        condition.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(one => one.Identifier.ValueText == name);

    private static bool IsShortCircuit(BinaryExpressionSyntax binary) =>
        binary.IsKind(SyntaxKind.LogicalAndExpression) || binary.IsKind(SyntaxKind.LogicalOrExpression)
        || binary.IsKind(SyntaxKind.CoalesceExpression);

    /// <summary>Returns whether a condition is a check for null, which is followed path by path.</summary>
    internal static bool IsNullCheck(ExpressionSyntax condition) => condition switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } binary =>
            binary.Right.IsKind(SyntaxKind.NullLiteralExpression) || binary.Left.IsKind(SyntaxKind.NullLiteralExpression),
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax or RecursivePatternSyntax } => true,
        _ => false,
    };
}
