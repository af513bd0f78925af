using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what a condition says about a state, and whether known facts rule its path out.</summary>
internal sealed class Assumptions(MethodContext context)
{
    /// <summary>Assumes the result of a condition that was already visited; returns false if known facts contradict it.</summary>
    internal bool TryAssume(IOperation condition, bool answer, FlowState state)
    {
        switch (condition)
        {
            case IConversionOperation { OperatorMethod: null } conversion:
                return TryAssume(conversion.Operand, answer, state);
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null } not:
                return TryAssume(not.Operand, !answer, state);
            case ILiteralOperation { ConstantValue: { HasValue: true, Value: bool value } }:
                return value == answer;
            case IIsNullOperation isNull:
                return TryAssumeNull(isNull.Operand, answer, state);
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } binary
                when IsNullLiteral(binary.RightOperand) || IsNullLiteral(binary.LeftOperand):
                IOperation compared = IsNullLiteral(binary.RightOperand) ? binary.LeftOperand : binary.RightOperand;
                return context.Variables.IndexOf(compared) < 0
                    ? TryAssumeFact(condition, answer, state)
                    : TryAssumeNull(compared, answer == (binary.OperatorKind == BinaryOperatorKind.Equals), state);
            case IIsPatternOperation pattern:
                return TryAssumePattern(pattern.Value, pattern.Pattern, answer, state);
            case ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation or IFlowCaptureReferenceOperation:
                return TryAssumeVariable(condition, answer, state);
            default:
                return TryAssumeFact(condition, answer, state);
        }
    }

    /// <summary>Assumes what the result of a call tells; returns false if the call cannot have that result.</summary>
    internal bool TryAssume(Value outcome, bool answer, FlowState state) => context.Outcomes.TryAssume(outcome, answer, state);

    /// <summary>Assumes the conditions that a call ensures by returning, as assertions do.</summary>
    internal void AssumeEnsured(ImmutableArray<IArgumentOperation> arguments, FlowState state)
    {
        foreach (IArgumentOperation argument in arguments)
        {
            if (KnownSymbols.Ensures(argument.Parameter) is { } answer)
            {
                TryAssume(argument.Value, answer, state);
            }
        }
    }

    /// <summary>
    /// Returns whether two values are the same; null if that is not known. Buffers that are compared were rented at one time.
    /// </summary>
    internal bool? AreSame(Value one, Value other, FlowState state)
    {
        if (IsNull(one, state) is { } isNull && IsNull(other, state) is { } isOtherNull && (isNull || isOtherNull))
        {
            return isNull == isOtherNull;
        }

        if (one.Kind != ValueKind.Whole || other.Kind != ValueKind.Whole)
        {
            return null;
        }

        bool isOther = one.Resource != other.Resource && IsRented(one.Resource, state) && IsRented(other.Resource, state);
        return one.Resource == other.Resource ? true : isOther ? false : null;
    }

    private bool IsRented(int resource, FlowState state) =>
        context.Resources[resource].Rent is not null
        && state.GetResource(resource).Status is ResourceStatus.Rented or ResourceStatus.Returned;

    /// <summary>Returns whether a pattern matches a rented buffer, which is not null; null if that depends on more.</summary>
    internal bool? Matches(IIsPatternOperation operation, Value value) =>
        value.Kind == ValueKind.Whole && context.Resources[value.Resource].Rent is not null
            ? MatchesAll(operation.Pattern, operation.Value.Type)
            : null;

    /// <summary>Returns whether a pattern matches everything but null, or only null; null if it depends on more.</summary>
    private static bool? MatchesAll(IPatternOperation pattern, ITypeSymbol? type) => pattern switch
    {
        IConstantPatternOperation { Value.ConstantValue: { HasValue: true, Value: null } } => false,
        INegatedPatternOperation negated => !MatchesAll(negated.Pattern, type),
        IRecursivePatternOperation { PropertySubpatterns.IsEmpty: true, DeconstructionSubpatterns.IsEmpty: true } whole
            when SymbolEqualityComparer.Default.Equals(whole.MatchedType, type) => true,
        IDeclarationPatternOperation declared when SymbolEqualityComparer.Default.Equals(declared.MatchedType, type) => true,
        _ => null,
    };

    private static bool IsNullLiteral(IOperation operation) => operation switch
    {
        IConversionOperation conversion => IsNullLiteral(conversion.Operand),
        _ => operation.ConstantValue is { HasValue: true, Value: null },
    };

    private bool TryAssumeNull(IOperation operand, bool isNull, FlowState state)
    {
        int index = context.Variables.IndexOf(operand);
        if (index < 0)
        {
            return true;
        }

        Value value = state.GetVariable(index);
        if (IsNull(value, state) is { } known)
        {
            if (!isNull && value.Kind == ValueKind.Whole && context.Resources[value.Resource].Rent is { MayBeNull: true })
            {
                state.SetResource(value.Resource, state.GetResource(value.Resource) with { IsNonNull = true });
            }

            return known == isNull;
        }

        Value refined = isNull ? Value.Null : value.Kind == ValueKind.Unknown ? Value.NotNull : value;
        if (value.Kind == ValueKind.Whole)
        {
            state.Replace(value, refined);
            ResourceState resource = state.GetResource(value.Resource);
            state.SetResource(value.Resource, resource with { IsNonNull = !isNull, IsOrphaned = resource.IsOrphaned && !isNull });
            return true;
        }

        state.SetVariable(index, refined);
        if (context.Variables.SourceOf(operand) is >= 0 and int source && state.GetVariable(source) == value)
        {
            state.SetVariable(source, refined);
        }

        return true;
    }

    /// <summary>Returns whether a value is known to be null or not null. A buffer from outside may be null.</summary>
    private bool? IsNull(Value value, FlowState state)
    {
        bool mayBeNull = value.Kind == ValueKind.Whole
            && context.Resources[value.Resource].Rent is null
            && !state.GetResource(value.Resource).IsNonNull;
        return mayBeNull ? null : value.IsNull;
    }

    private bool TryAssumePattern(IOperation value, IPatternOperation pattern, bool answer, FlowState state) => pattern switch
    {
        INegatedPatternOperation negated => TryAssumePattern(value, negated.Pattern, !answer, state),
        _ when MatchesAll(pattern, value.Type) is { } matchesAll => TryAssumeNull(value, matchesAll != answer, state),
        IDeclarationPatternOperation or IRecursivePatternOperation or ITypePatternOperation when answer =>
            TryAssumeNull(value, isNull: false, state),
        _ => true,
    };

    private bool TryAssumeVariable(IOperation variable, bool answer, FlowState state)
    {
        int index = context.Variables.IndexOf(variable);
        if (index < 0)
        {
            return TryAssumeFact(variable, answer, state);
        }

        Value value = state.GetVariable(index);
        if (value.Kind is ValueKind.True or ValueKind.False)
        {
            return (value.Kind == ValueKind.True) == answer;
        }

        state.SetVariable(index, Value.Of(answer));
        return true;
    }

    private bool TryAssumeFact(IOperation condition, bool answer, FlowState state)
    {
        int index = context.Conditions.IndexOf(condition, out bool isNegated);
        if (index < 0)
        {
            return true;
        }

        bool fact = answer != isNegated;
        if (state.GetFact(index) is { } known)
        {
            return known == fact;
        }

        state.SetFact(index, fact);
        return true;
    }
}
