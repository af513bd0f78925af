using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what code does with the length of a buffer that may be longer than requested.</summary>
internal static class LengthUses
{
    /// <summary>Returns the effect on the buffer of reading its length.</summary>
    internal static ParameterEffect EffectOf(IPropertyReferenceOperation length) =>
        IsBoundOfReads(length) || IsCountOfRead(length) ? ParameterEffect.ReadsAll
        : IsKeptAsCount(length) || IsCountOfCopy(length) ? ParameterEffect.Counts
        : ParameterEffect.None;

    /// <summary>
    /// Returns whether a member named for the number of elements, and not for the room for them, gets the length of a buffer.
    /// </summary>
    private static bool IsKeptAsCount(IPropertyReferenceOperation length)
    {
        IOperation kept = length;
        while (kept.Parent is IConversionOperation)
        {
            kept = kept.Parent;
        }

        return kept.Parent is ISimpleAssignmentOperation { Target: IMemberReferenceOperation { Member.Name: var name } } assignment
            && assignment.Value == kept
            && name.EndsWith("Count", StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>
    /// Returns whether a method copies all of the memory that it may only read, and moves on by its length, as writers do.
    /// </summary>
    private static bool IsCountOfCopy(IPropertyReferenceOperation length)
    {
        if (length.Instance is not IParameterReferenceOperation { Type.Name: "ReadOnlySpan" or "ReadOnlyMemory", Syntax: { } source })
        {
            return false;
        }

        IOperation count = length;
        while (count.Parent is IConversionOperation)
        {
            count = count.Parent;
        }

        bool isAmount = count.Parent switch
        {
            IArgumentOperation { Parent: IInvocationOperation } => true,
            ICompoundAssignmentOperation { OperatorKind: BinaryOperatorKind.Add } added => added.Value == count,
            _ => false,
        };
        return isAmount
            && source.FirstAncestorOrSelf<BlockSyntax>() is { } block
            && block.DescendantNodes().OfType<MemberAccessExpressionSyntax>().Any(member =>
                member.Name.Identifier.ValueText is "CopyTo" or "TryCopyTo" && member.Expression.ToString() == source.ToString());
    }

    /// <summary>Returns whether a length bounds a loop that only reads the elements below it.</summary>
    private static bool IsBoundOfReads(IPropertyReferenceOperation length) =>
        length.Syntax is MemberAccessExpressionSyntax
        {
            Expression: IdentifierNameSyntax { Identifier.ValueText: var name },
            Parent: BinaryExpressionSyntax { Parent: ForStatementSyntax loop } condition,
        }
        && loop.Condition == condition
        && LoopSyntax.OnlyReads(loop.Statement, name);

    /// <summary>
    /// Returns whether a length, or what remains of it after a number of elements, is the count of a call that reads or fills the same
    /// buffer.
    /// </summary>
    private static bool IsCountOfRead(IPropertyReferenceOperation length)
    {
        IOperation count = length;
        while (count.Parent is IConversionOperation or IBinaryOperation { OperatorKind: BinaryOperatorKind.Subtract })
        {
            count = count.Parent;
        }

        bool isRest = count != length && count is IBinaryOperation;
        return count.Parent is IArgumentOperation { Parent: IInvocationOperation call }
            && KnownSymbols.IsOfBaseLibrary(call.TargetMethod)
            && call.Arguments.Any(other =>
                other.Parameter is { } parameter
                && KnownSymbols.WithoutConversions(other.Value)?.Syntax.ToString() == length.Instance?.Syntax.ToString()
                && (isRest
                    ? call.TargetMethod.Name is "Read" or "ReadAsync" or "Receive" or "ReceiveAsync" && IsInLoop(call)
                    : Sinks.MustFillAll(call.TargetMethod, parameter)
                        || (Sinks.Reads(call.TargetMethod, parameter) && !Sinks.Copies(call.TargetMethod))));
    }

    private static bool IsInLoop(IOperation operation)
    {
        for (IOperation? outer = operation.Parent; outer is not null; outer = outer.Parent)
        {
            if (outer is ILoopOperation)
            {
                return true;
            }
        }

        return false;
    }
}
