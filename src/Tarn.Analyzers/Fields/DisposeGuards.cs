using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>Finds the conditions that may prevent a part of a method from running in a second Dispose.</summary>
/// <remarks>
/// A condition guards nothing if a second Dispose finds it unchanged: if it reads only the field itself, which no code clears, the
/// parameter that distinguishes Dispose from the finalizer, constants, immutable fields, and flags that no code sets or resets. Every other
/// condition may be the guard.
/// </remarks>
internal sealed class DisposeGuards
{
    private readonly DisposeBody _body;
    private readonly ISymbol _field;
    private readonly Func<IMethodSymbol, DisposeBody?> _getBody;
    private readonly Func<IFieldSymbol, bool?, bool> _isNeverSetTo;
    private IOperation? _site;

    internal DisposeGuards(
        DisposeBody body, ISymbol field, Func<IMethodSymbol, DisposeBody?> getBody, Func<IFieldSymbol, bool?, bool> isNeverSetTo)
    {
        _isNeverSetTo = isNeverSetTo;
        _body = body;
        _field = field;
        _getBody = getBody;
    }

    /// <summary>Whether a second Dispose may skip an operation.</summary>
    internal bool Guard(IOperation site)
    {
        _site = site;
        return IsInside(site)
            || _body.Operations.Any(operation => operation.Syntax.SpanStart < site.Syntax.SpanStart && LeavesBefore(operation, site));
    }

    /// <summary>Whether a condition around an operation may skip it.</summary>
    private bool IsInside(IOperation site)
    {
        for (IOperation inner = site; inner.Parent is { } outer; inner = outer)
        {
            if (Decides(outer, inner, isTaken: true))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether an operation decides, by a condition that may change, whether a part of it runs.</summary>
    private bool Decides(IOperation outer, IOperation inner, bool isTaken) => outer switch
    {
        IConditionalOperation conditional =>
            inner != conditional.Condition && !IsSettled(conditional.Condition, (inner == conditional.WhenTrue) == isTaken),
        IConditionalAccessOperation access => inner == access.WhenNotNull && !IsSettled(access.Operation, isTaken),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr } binary =>
            inner == binary.RightOperand,
        IForEachLoopOperation loop when SymbolEqualityComparer.Default.Equals(_body.CollectionOf(loop), _field) => false,
        ICoalesceOperation or ICoalesceAssignmentOperation or ISwitchOperation or ISwitchExpressionOperation or ILoopOperation
            or ICatchClauseOperation => true,
        IAnonymousFunctionOperation or ILocalFunctionOperation => true,
        _ => false,
    };

    /// <summary>Whether the method may end here, before it reaches the site.</summary>
    private bool LeavesBefore(IOperation operation, IOperation site) => operation switch
    {
        IReturnOperation { IsImplicit: false } or IThrowOperation or IBranchOperation { BranchKind: BranchKind.GoTo } =>
            !IsAround(operation, site) && IsLeftOut(operation, site),
        IBranchOperation => IsInLoopOf(operation, site) && IsLeftOut(operation, site),
        IInvocationOperation call => !IsAround(operation, site) && (MayThrow(call.TargetMethod) || IsRefusedByDisposed(call)),
        _ => false,
    };

    /// <summary>Whether a branch may skip the rest of a loop that contains the site.</summary>
    private static bool IsInLoopOf(IOperation branch, IOperation site)
    {
        IOperation? loop = branch;
        while (loop is not null and not IForEachLoopOperation)
        {
            loop = loop.Parent;
        }

        return loop is not null && IsAround(loop, site);
    }

    /// <summary>Whether a call is made on an object that the method disposes, so that it may throw the second time.</summary>
    private bool IsRefusedByDisposed(IInvocationOperation call) =>
        !IsEnd(call)
        && _body.ReceiverOf(call) is { } receiver
        && _body.Operations.Any(
            operation =>
                operation is IInvocationOperation other
                    && IsEnd(other)
                    && SymbolEqualityComparer.Default.Equals(_body.ReceiverOf(other), receiver));

    private static bool IsEnd(IInvocationOperation call) => call.TargetMethod.Name is "Dispose" or "DisposeAsync" or "Close";

    private bool MayThrow(IMethodSymbol method) =>
        method.Name.IndexOf("Throw", StringComparison.Ordinal) >= 0
        || method.Name.IndexOf("Disposed", StringComparison.Ordinal) >= 0
        || _getBody(method)?.Throws() == true;

    /// <summary>Whether a second Dispose may take an exit that the first did not.</summary>
    private bool IsLeftOut(IOperation exit, IOperation site)
    {
        IOperation? common = exit;
        while (common is not null && !IsAround(common, site))
        {
            common = common.Parent;
        }

        int depth = 0;
        for (IOperation inner = exit; inner.Parent is { } outer; inner = outer)
        {
            if (outer is IAnonymousFunctionOperation or ILocalFunctionOperation && !IsAround(outer, site))
            {
                return false;
            }

            if (outer == common)
            {
                break;
            }

            if (Decides(outer, inner, isTaken: depth > 0))
            {
                return true;
            }

            depth += outer is IConditionalOperation ? 1 : 0;
        }

        return depth == 0;
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

    /// <summary>Whether a condition has the same value in a second Dispose.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="value">The value with which the path continues.</param>
    private bool IsSettled(IOperation? condition, bool value) => DisposeBody.Plain(condition) switch
    {
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } negation => IsSettled(negation.Operand, !value),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd } both when value =>
            OperandsOf(both).All(operand => IsSettled(operand, true)),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalOr } either when !value =>
            OperandsOf(either).All(operand => IsSettled(operand, false)),
        IFieldReferenceOperation
        {
            Field.Type.SpecialType: SpecialType.System_Boolean, Instance: IInstanceReferenceOperation,
        } flag when _isNeverSetTo(flag.Field, !value) => true,
        IParameterReferenceOperation { Parameter: { Type.SpecialType: SpecialType.System_Boolean } parameter }
            when SymbolEqualityComparer.Default.Equals(parameter.ContainingSymbol, _body.Method) => value,
        { } other => other.DescendantsAndSelf().All(StaysTheSame),
        null => false,
    };

    /// <summary>Returns the operands of a chain of one operator, such as <c>a &amp;&amp; b &amp;&amp; c</c>, the last one first.</summary>
    private static IEnumerable<IOperation> OperandsOf(IBinaryOperation chain)
    {
        IOperation? left = chain;
        while (DisposeBody.Plain(left) is IBinaryOperation binary && binary.OperatorKind == chain.OperatorKind)
        {
            yield return binary.RightOperand;
            left = binary.LeftOperand;
        }

        yield return left!;
    }

    private bool StaysTheSame(IOperation operation) => operation switch
    {
        { ConstantValue.HasValue: true } => true,
        IFieldReferenceOperation field => field.Field.IsReadOnly || IsField(field)
            || (field.Instance is IInstanceReferenceOperation
                && !DisposeBody.IsBySetting(_site ?? field)
                && _isNeverSetTo(field.Field, null)),
        IPropertyReferenceOperation property => IsField(property) || IsField(property.Instance) || _body.IsConstant(property),
        ILocalReferenceOperation or IParameterReferenceOperation => IsField(operation),
        IInvocationOperation { TargetMethod: { IsStatic: true, ContainingNamespace.Name: not "Threading" } method } =>
            KnownSymbols.IsOfBaseLibrary(method),
        ILiteralOperation or IDefaultValueOperation or ITypeOfOperation or ISizeOfOperation or IInstanceReferenceOperation
            or IArgumentOperation => true,
        IBinaryOperation or IUnaryOperation or IConversionOperation or IIsPatternOperation or IIsTypeOperation
            or IPatternOperation or IPropertySubpatternOperation => true,
        _ => false,
    };

    private bool IsField(IOperation? operation)
    {
        if (operation is IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.PatternInput })
        {
            while (operation is not null and not IIsPatternOperation)
            {
                operation = operation.Parent;
            }

            operation = (operation as IIsPatternOperation)?.Value;
        }

        return SymbolEqualityComparer.Default.Equals(_body.FieldOf(operation), _field);
    }
}
