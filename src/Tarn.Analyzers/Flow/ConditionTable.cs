using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a condition was tested before on a path: the result holds until an operand is assigned.</summary>
internal sealed class ConditionTable
{
    private readonly Dictionary<string, int> _indices = new(StringComparer.Ordinal);
    private readonly List<HashSet<string>> _names = [];

    internal ConditionTable(ControlFlowGraph graph)
    {
        Dictionary<string, int> counts = new(StringComparer.Ordinal);
        foreach (BasicBlock block in graph.Blocks)
        {
            if (block.ConditionKind != ControlFlowConditionKind.None
                && block.BranchValue is { } condition
                && Asks(condition)
                && TryGetKey(condition.Syntax, out string key, out _))
            {
                counts[key] = counts.TryGetValue(key, out int count) ? count + 1 : 1;
                if (counts[key] == 2)
                {
                    _indices.Add(key, _names.Count);
                    _names.Add([.. NamesIn(condition.Syntax)]);
                }
            }
        }
    }

    /// <summary>
    /// Returns the number of a condition, and whether it tests for the opposite; -1 if it is tested only once, or has effects.
    /// </summary>
    internal int IndexOf(IOperation condition, out bool isNegated)
    {
        isNegated = false;
        return _indices.Count > 0
            && Asks(condition)
            && TryGetKey(condition.Syntax, out string key, out isNegated)
            && _indices.TryGetValue(key, out int index) ? index : -1;
    }

    /// <summary>Forgets the results of conditions on an assigned variable.</summary>
    internal void Forget(IOperation target, FlowState state)
    {
        string? name = target switch
        {
            ILocalReferenceOperation local => local.Local.Name,
            IParameterReferenceOperation parameter => parameter.Parameter.Name,
            IMemberReferenceOperation member => member.Member.Name,
            _ => null,
        };
        for (int i = 0; name is not null && i < _names.Count; i++)
        {
            if (_names[i].Contains(name))
            {
                state.SetFact(i, null);
            }
        }
    }

    /// <summary>Forgets the results of conditions that are not tested again from a block on.</summary>
    internal void LeaveTested(int block, BufferSlice slice, FlowState state)
    {
        for (int i = 0; i < _names.Count; i++)
        {
            if (state.GetFact(i) is not null && !slice.AsksAgain(_names[i], block))
            {
                state.SetFact(i, null);
            }
        }
    }

    /// <summary>
    /// Returns whether a condition is written in the source: those that loops and usings imply have the syntax of something else.
    /// </summary>
    private static bool Asks(IOperation condition) =>
        !condition.IsImplicit
        && condition is IBinaryOperation or IUnaryOperation or ILocalReferenceOperation or IParameterReferenceOperation
            or IMemberReferenceOperation or IConversionOperation;

    private static IEnumerable<string> NamesIn(SyntaxNode condition) =>
        condition.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Select(static name => name.Identifier.ValueText);

    /// <summary>Gets the text of a condition without effects: names, members, numbers and comparisons.</summary>
    private static bool TryGetKey(SyntaxNode condition, out string key, out bool isNegated)
    {
        isNegated = false;
        while (true)
        {
            if (condition is ParenthesizedExpressionSyntax parenthesized)
            {
                condition = parenthesized.Expression;
            }
            else if (condition is PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } not)
            {
                condition = not.Operand;
                isNegated = !isNegated;
            }
            else
            {
                break;
            }
        }

        key = string.Empty;
        if (!condition.DescendantNodesAndSelf().All(static node => node is IdentifierNameSyntax or MemberAccessExpressionSyntax
            or LiteralExpressionSyntax or BinaryExpressionSyntax or ParenthesizedExpressionSyntax or ThisExpressionSyntax
            or PredefinedTypeSyntax or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression }))
        {
            return false;
        }

        if (condition is BinaryExpressionSyntax binary && Opposite(binary.Kind()) is { } sign)
        {
            isNegated = !isNegated;
            key = $"{binary.Left.ToString().Trim()} {sign} {binary.Right.ToString().Trim()}";
            return true;
        }

        key = condition is BinaryExpressionSyntax plain
            ? $"{plain.Left.ToString().Trim()} {plain.OperatorToken.Text} {plain.Right.ToString().Trim()}"
            : condition.ToString().Trim();
        return true;
    }

    /// <summary>Returns the operator that stands for both of a pair of opposites.</summary>
    private static string? Opposite(SyntaxKind kind) => kind switch
    {
        SyntaxKind.NotEqualsExpression => "==",
        SyntaxKind.GreaterThanOrEqualExpression => "<",
        SyntaxKind.GreaterThanExpression => "<=",
        _ => null,
    };
}
