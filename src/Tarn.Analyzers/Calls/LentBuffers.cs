using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers where a lambda reads a whole array that the method which receives the lambda rents and lends to it.</summary>
internal sealed class LentBuffers(KnownSymbols known, MethodSummaries summaries)
{
    /// <summary>Returns whether a call passes a lambda, which most do not.</summary>
    internal static bool MayLend(IInvocationOperation call)
    {
        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument.Value is IDelegateCreationOperation)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Returns the reads in the lambdas of a call, and the rent of what each reads. A lambda that asks for the length knows it.
    /// </summary>
    internal IEnumerable<(IParameterReferenceOperation Read, SyntaxNode Rent)> FindReads(IInvocationOperation call)
    {
        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument.Value is not IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda }
                || argument.Parameter is not { } parameter
                || summaries.LentThrough(parameter) is not { Count: > 0 } lent)
            {
                continue;
            }

            foreach (KeyValuePair<int, SyntaxNode> one in lent)
            {
                IParameterReferenceOperation[] uses =
                [
                    .. lambda.Body.Descendants().OfType<IParameterReferenceOperation>().Where(use =>
                        use.Parameter.Ordinal == one.Key
                        && SymbolEqualityComparer.Default.Equals(use.Parameter.ContainingSymbol, lambda.Symbol)),
                ];
                foreach (IParameterReferenceOperation use in uses.Any(IsMeasured) ? [] : uses.Where(use => IsRead(use, lambda)))
                {
                    yield return (use, one.Value);
                }
            }
        }
    }

    /// <summary>
    /// Returns the rents of the arrays that a method lends to the delegate which a parameter receives, by the numbers of its arguments.
    /// </summary>
    internal static Dictionary<int, SyntaxNode> Infer(IParameterSymbol parameter, IOperation body, KnownSymbols known)
    {
        Dictionary<int, SyntaxNode> lent = [];
        foreach (IInvocationOperation call in body.Descendants().OfType<IInvocationOperation>())
        {
            if (call.TargetMethod.MethodKind != MethodKind.DelegateInvoke
                || KnownSymbols.WithoutConversions(call.Instance) is not IParameterReferenceOperation { Parameter: { } called }
                || !SymbolEqualityComparer.Default.Equals(called, parameter))
            {
                continue;
            }

            foreach (IArgumentOperation argument in call.Arguments)
            {
                if (argument.Parameter is { Ordinal: var number } && RentOf(argument.Value, body, known) is { } rent)
                {
                    lent[number] = rent;
                }
            }
        }

        return lent;
    }

    private static bool IsMeasured(IOperation use) =>
        use.Parent is IPropertyReferenceOperation { Property.Name: "Length" } length
        && length.Parent is IBinaryOperation { OperatorKind: not (BinaryOperatorKind.Add or BinaryOperatorKind.Subtract) }
        && length.Syntax.Parent?.Parent is not ForStatementSyntax;

    /// <summary>Returns the call that rents a value, or the first that rents what a variable gets; null if there is none.</summary>
    private static SyntaxNode? RentOf(IOperation value, IOperation body, KnownSymbols known)
    {
        IEnumerable<IOperation?> sources = KnownSymbols.WithoutConversions(value) is ILocalReferenceOperation { Local: { } local }
            ? body.Descendants().Select(operation => operation switch
            {
                IVariableDeclaratorOperation declared when SymbolEqualityComparer.Default.Equals(declared.Symbol, local) =>
                    declared.GetVariableInitializer()?.Value,
                ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: { } target } } assignment
                    when SymbolEqualityComparer.Default.Equals(target, local) => assignment.Value,
                _ => null,
            })
            : [value];
        IOperation?[] rents =
            [.. sources.Where(static one => one is not null && !KnownSymbols.IsNull(one)).Select(KnownSymbols.WithoutConversions)];
        bool isRented = rents.All(one =>
            one is IInvocationOperation call && known.AsRent(call) is { Kind: BufferKind.Array, IsExact: false });
        return isRented ? rents.FirstOrDefault()?.Syntax : null;
    }

    private bool IsRead(IOperation use, IOperation lambda) =>
        (new BufferUses(lambda, known, summaries.EffectOf).Follow(use, isWhole: true, isToEnd: true) & ParameterEffect.ReadsAll) != 0;
}
