using System;
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
