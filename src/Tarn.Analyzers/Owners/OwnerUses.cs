using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;

namespace Tarn.Analyzers.Owners;

/// <summary>Determines the use of a variable after it was read.</summary>
internal static class OwnerUses
{
    /// <summary>Returns the variable, or the field of the same object, that an operation reads.</summary>
    internal static ISymbol? SymbolOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } field => field.Field,
        _ => null,
    };

    internal static bool IsUsing(IOperation source) => source is ILocalReferenceOperation { Local.IsUsing: true };

    /// <summary>Whether a variable is still an owner after it was read.</summary>
    internal static bool LivesOn(IOperation source) => SymbolOf(source) switch
    {
        ILocalSymbol { IsUsing: true } => true,
        IParameterSymbol { RefKind: RefKind.In } => true,
        IParameterSymbol { RefKind: not RefKind.None } parameter => !IsChanged(Body(source), parameter),
        IFieldSymbol field => !IsChanged(Body(source), field),
        ILocalSymbol { RefKind: not RefKind.None } => false,
        { } variable and (ILocalSymbol or IParameterSymbol) => source.Parent is not IReturnOperation && IsUsedAfter(source, variable),
        _ => false,
    };

    /// <summary>Whether a local is initialized with the default value and never assigned.</summary>
    internal static bool IsDefault(IOperation source)
    {
        if (source is not ILocalReferenceOperation { Local: { RefKind: RefKind.None } local })
        {
            return false;
        }

        IOperation body = Body(source);
        return !IsChanged(body, local) && body.DescendantsAndSelf().Any(operation =>
            operation is IVariableDeclaratorOperation declarator
            && SymbolEqualityComparer.Default.Equals(declarator.Symbol, local)
            && IsDefaultValue(declarator.GetVariableInitializer()?.Value));
    }

    private static bool IsDefaultValue(IOperation? value) => value switch
    {
        IConversionOperation { OperatorMethod: null } conversion => IsDefaultValue(conversion.Operand),
        IDefaultValueOperation or IObjectCreationOperation { Arguments.Length: 0, Initializer: null } => true,
        _ => false,
    };

    private static IOperation Body(IOperation operation)
    {
        while (operation.Parent is { } parent)
        {
            operation = parent;
        }

        return operation;
    }

    /// <summary>Whether a variable is assigned anywhere, or passed where it may be assigned.</summary>
    private static bool IsChanged(IOperation body, ISymbol variable) =>
        body.DescendantsAndSelf().Any(operation => IsReference(operation, variable) && IsWrite(operation));

    private static bool IsReference(IOperation operation, ISymbol variable) =>
        SymbolOf(operation) is { } symbol && SymbolEqualityComparer.Default.Equals(symbol, variable);

    private static bool IsWrite(IOperation reference)
    {
        IOperation place = reference;
        while (place.Parent is ITupleOperation)
        {
            place = place.Parent;
        }

        return place.Parent switch
        {
            IAssignmentOperation assignment => assignment.Target == place || assignment is ISimpleAssignmentOperation { IsRef: true },
            IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } or IAddressOfOperation => true,
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol.RefKind: not RefKind.None } } => true,
            _ => false,
        };
    }

    /// <summary>
    /// Whether every path from an operation reaches a use of the variable, as far as the following statements show. Statements that are
    /// nested too deeply for the stack show nothing.
    /// </summary>
    private static bool IsUsedAfter(IOperation copy, ISymbol variable)
    {
        IOperation inner = copy;
        for (; inner.Parent is { } outer; inner = outer)
        {
            bool? isUsed = outer switch
            {
                IBlockOperation or ISwitchCaseOperation => Find(outer.ChildOperations.SkipWhile(child => child != inner).Skip(1), variable),
                ITryOperation { Finally: { } last } attempt when inner != last => Find([last], variable),
                ILoopOperation loop when inner == loop.Body => IsReadAgain(loop, variable),
                IAnonymousFunctionOperation or ILocalFunctionOperation => false,
                _ => null,
            };
            if (isUsed is { } answer)
            {
                return answer;
            }
        }

        return false;
    }

    /// <summary>Whether a loop reaches the same operation again with the same value; null for a loop that may end in between.</summary>
    private static bool? IsReadAgain(ILoopOperation loop, ISymbol variable)
    {
        bool isInside = variable.DeclaringSyntaxReferences.Any(
            reference => reference.SyntaxTree == loop.Syntax.SyntaxTree && loop.Syntax.Span.Contains(reference.Span));
        return isInside
            ? null
            : !loop.DescendantsAndSelf().Any(operation => IsJump(operation) || (IsReference(operation, variable) && IsWrite(operation)));
    }

    /// <summary>Returns true if a use is certain, false if it can no longer be certain, and null if the variable does not occur.</summary>
    private static bool? Find(IEnumerable<IOperation> operations, ISymbol variable)
    {
        foreach (IOperation operation in operations)
        {
            if (Find(operation, variable, isCertain: true) is { } answer)
            {
                return answer;
            }
        }

        return null;
    }

    private static bool? Find(IOperation operation, ISymbol variable, bool isCertain)
    {
        if (!StackRoom.IsLeft())
        {
            return false;
        }

        if (operation is IAnonymousFunctionOperation or ILocalFunctionOperation)
        {
            return null;
        }

        int index = 0;
        foreach (IOperation child in operation.ChildOperations)
        {
            if (Find(child, variable, isCertain && !IsConditional(operation, index)) is { } answer)
            {
                return answer;
            }

            index++;
        }

        if (!IsReference(operation, variable))
        {
            return IsJump(operation) ? false : null;
        }

        bool isLength = operation.Parent is IPropertyReferenceOperation { Property.Name: "Length" or "Count" or "IsEmpty" };
        return IsWrite(operation) ? false : isCertain && !isLength ? true : null;
    }

    private static bool IsJump(IOperation operation) => operation is IReturnOperation or IThrowOperation or IBranchOperation;

    /// <summary>Whether the n-th part of an operation runs conditionally.</summary>
    private static bool IsConditional(IOperation operation, int part) => operation switch
    {
        IConditionalOperation or IConditionalAccessOperation or ICoalesceOperation or ISwitchOperation or ISwitchExpressionOperation =>
            part > 0,
        IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr } => part > 0,
        ILoopOperation or ICatchClauseOperation => true,
        _ => false,
    };
}
