using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers whether every normal path through a body reaches a place in it.</summary>
internal static class CertainPlaces
{
    /// <summary>
    /// Returns whether every normal path reaches an operation. A check of the buffer itself for null does not count as a condition, because
    /// there is nothing to return otherwise.
    /// </summary>
    internal static bool IsReached(IOperation place, IOperation body)
    {
        IOperation? last = null;
        for (IOperation inner = place; inner != body; inner = inner.Parent)
        {
            switch (inner.Parent)
            {
                case null:
                    return false;
                case ITryOperation attempt when attempt.Finally == inner:
                    last = attempt;
                    break;
                case IConditionalOperation conditional when inner != conditional.Condition:
                    if (inner != conditional.WhenTrue || !AsksFor(conditional.Condition, place))
                    {
                        return false;
                    }

                    break;
                case IConditionalAccessOperation or IBlockOperation or IExpressionStatementOperation or IMethodBodyBaseOperation
                    or ITryOperation or IUsingOperation or ILockOperation or IConditionalOperation or IArgumentOperation or IReturnOperation
                    or IAwaitOperation or IInvocationOperation or IConversionOperation or ILocalFunctionOperation
                    or IVariableInitializerOperation or IVariableDeclaratorOperation or IVariableDeclarationOperation
                    or IVariableDeclarationGroupOperation or ISimpleAssignmentOperation or IConstructorBodyOperation
                    or IObjectCreationOperation:
                    break;
                default:
                    return false;
            }
        }

        int start = (last ?? place).Syntax.SpanStart;
        return !body.Descendants().Any(operation =>
            operation.Syntax.SpanStart < start && Leaves(operation, body) && !IsAround(operation, place));
    }

    /// <summary>Returns whether an operation leaves the body, or skips a part of it, without an exception.</summary>
    private static bool Leaves(IOperation operation, IOperation body) =>
        operation is IReturnOperation { IsImplicit: false } or IBranchOperation { BranchKind: BranchKind.GoTo }
        && !IsInFunction(operation, body);

    /// <summary>Returns whether an operation is inside a lambda or a local function of the body.</summary>
    internal static bool IsInFunction(IOperation operation, IOperation body)
    {
        for (IOperation? outer = operation.Parent; outer is not null && outer != body; outer = outer.Parent)
        {
            if (outer is IAnonymousFunctionOperation or ILocalFunctionOperation)
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsAround(IOperation outer, IOperation inner)
    {
        for (IOperation? operation = inner; operation is not null; operation = operation.Parent)
        {
            if (operation == outer)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether a condition only tests whether a variable that the place uses holds a buffer.</summary>
    private static bool AsksFor(IOperation condition, IOperation place)
    {
        IOperation? tested = condition switch
        {
            IBinaryOperation { OperatorKind: BinaryOperatorKind.NotEquals } comparison =>
                IsNull(comparison.RightOperand) ? comparison.LeftOperand : IsNull(comparison.LeftOperand) ? comparison.RightOperand : null,
            IIsPatternOperation { Pattern: INegatedPatternOperation { Pattern: IConstantPatternOperation { Value: var value } } } pattern =>
                IsNull(value) ? pattern.Value : null,
            IIsPatternOperation
            {
                Pattern: IRecursivePatternOperation { PropertySubpatterns.IsEmpty: true, DeconstructionSubpatterns.IsEmpty: true },
            } pattern => pattern.Value,
            _ => null,
        };
        ISymbol? variable = tested is null ? null : SymbolOf(tested);
        return variable is not null
            && place.DescendantsAndSelf().Any(operation => SymbolEqualityComparer.Default.Equals(SymbolOf(operation), variable));
    }

    private static ISymbol? SymbolOf(IOperation operation) => operation switch
    {
        IConversionOperation conversion => SymbolOf(conversion.Operand),
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };

    private static bool IsNull(IOperation value) =>
        value is IConversionOperation conversion ? IsNull(conversion.Operand) : value.ConstantValue is { HasValue: true, Value: null };
}
