using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what kind of place an operation stands in: a result, a choice, a wait.</summary>
internal static class UsePlaces
{
    /// <summary>Returns whether a pattern declares a variable for what it matches.</summary>
    internal static bool Declares(IPatternOperation pattern) =>
        pattern is not (IConstantPatternOperation or ITypePatternOperation or IRelationalPatternOperation)
        && !(pattern is INegatedPatternOperation { Pattern: var negated } && !Declares(negated))
        && !(pattern is IRecursivePatternOperation { DeclaredSymbol: null, DeconstructionSubpatterns.IsEmpty: true });

    /// <summary>Returns whether an expression chooses a value or throws.</summary>
    internal static bool IsOnlyChoice(IOperation value) => value.Parent switch
    {
        ICoalesceOperation coalesce => coalesce.Value == value && Throws(coalesce.WhenNull),
        IConditionalOperation conditional => (conditional.WhenTrue == value && Throws(conditional.WhenFalse))
            || (conditional.WhenFalse == value && Throws(conditional.WhenTrue)),
        _ => false,
    };

    /// <summary>Returns whether a tuple is the result of the body.</summary>
    internal static bool IsResult(IOperation tuple)
    {
        IOperation? outer = tuple.Parent;
        while (outer is IConversionOperation)
        {
            outer = outer.Parent;
        }

        return outer is IReturnOperation;
    }

    /// <summary>Returns whether a task is awaited where it starts, waited for, or handed to the caller, who waits.</summary>
    internal static bool IsWaitedFor(IInvocationOperation call)
    {
        IOperation? outer = call.Parent;
        while (outer is IConversionOperation
            || (outer is IInvocationOperation { TargetMethod: var member }
                && (KnownSymbols.OnlyWrapsTask(member) || member.Name == "GetResult"))
            || outer is IObjectCreationOperation { Type.Name: "ValueTask" }
            || outer is IArgumentOperation { Parent: IObjectCreationOperation { Type.Name: "ValueTask" } })
        {
            if (outer is IInvocationOperation { TargetMethod.Name: "GetResult" })
            {
                return true;
            }

            outer = outer.Parent;
        }

        return outer is IAwaitOperation or IReturnOperation;
    }

    private static bool Throws(IOperation? value) => KnownSymbols.WithoutConversions(value) is IThrowOperation;
}
