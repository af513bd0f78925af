using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <content>Conditions: what they ask, and what an answer tells.</content>
internal sealed partial class Interpreter
{
    /// <summary>A condition, visited already, has an answer on this path; false when what is known does not allow it.</summary>
    internal bool Assume(IOperation condition, bool answer, FlowState state)
    {
        switch (condition)
        {
            case IParenthesizedOperation parenthesized:
                return Assume(parenthesized.Operand, answer, state);
            case IConversionOperation { OperatorMethod: null } conversion:
                return Assume(conversion.Operand, answer, state);
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not, OperatorMethod: null } not:
                return Assume(not.Operand, !answer, state);
            case ILiteralOperation { ConstantValue: { HasValue: true, Value: bool value } }:
                return value == answer;
            case IIsNullOperation isNull:
                return AssumeNull(isNull.Operand, answer, state);
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } binary
                when IsNullLiteral(binary.RightOperand) || IsNullLiteral(binary.LeftOperand):
                IOperation compared = IsNullLiteral(binary.RightOperand) ? binary.LeftOperand : binary.RightOperand;
                return _variables.IndexOf(compared) < 0
                    ? AssumeFact(condition, answer, state)
                    : AssumeNull(compared, answer == (binary.OperatorKind == BinaryOperatorKind.Equals), state);
            case IIsPatternOperation pattern:
                return AssumePattern(pattern.Value, pattern.Pattern, answer, state);
            case ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation or IFlowCaptureReferenceOperation:
                return AssumeVariable(condition, answer, state);
            default:
                return AssumeFact(condition, answer, state);
        }
    }

    private static bool IsNullLiteral(IOperation operation) => operation switch
    {
        IConversionOperation conversion => IsNullLiteral(conversion.Operand),
        _ => operation.ConstantValue is { HasValue: true, Value: null },
    };

    private bool AssumeNull(IOperation operand, bool isNull, FlowState state)
    {
        int index = _variables.IndexOf(operand);
        if (index < 0)
        {
            return true;
        }

        Value value = state.GetVariable(index);
        if (IsNull(value, state) is { } known)
        {
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
        if (_variables.SourceOf(operand) is >= 0 and int source && state.GetVariable(source) == value)
        {
            state.SetVariable(source, refined);
        }

        return true;
    }

    /// <summary>What came from outside may be null although it is counted as a buffer.</summary>
    private bool? IsNull(Value value, FlowState state) =>
        value.Kind == ValueKind.Whole && _resources[value.Resource].Rent is null && !state.GetResource(value.Resource).IsNonNull ? null : value.IsNull;

    private bool AssumePattern(IOperation value, IPatternOperation pattern, bool answer, FlowState state) => pattern switch
    {
        IConstantPatternOperation { Value.ConstantValue: { HasValue: true, Value: null } } => AssumeNull(value, answer, state),
        INegatedPatternOperation negated => AssumePattern(value, negated.Pattern, !answer, state),
        IRecursivePatternOperation { PropertySubpatterns.IsEmpty: true, DeconstructionSubpatterns.IsEmpty: true } whole
            when SymbolEqualityComparer.Default.Equals(whole.MatchedType, value.Type) => AssumeNull(value, !answer, state),
        IDeclarationPatternOperation or IRecursivePatternOperation or ITypePatternOperation when answer => AssumeNull(value, isNull: false, state),
        _ => true,
    };

    private bool AssumeVariable(IOperation variable, bool answer, FlowState state)
    {
        int index = _variables.IndexOf(variable);
        if (index < 0)
        {
            return AssumeFact(variable, answer, state);
        }

        Value value = state.GetVariable(index);
        if (value.Kind is ValueKind.True or ValueKind.False)
        {
            return (value.Kind == ValueKind.True) == answer;
        }

        state.SetVariable(index, Value.Of(answer));
        return true;
    }

    private bool AssumeFact(IOperation condition, bool answer, FlowState state)
    {
        int index = _conditions.IndexOf(condition, out bool isNegated);
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

    public override Value VisitIsNull(IIsNullOperation operation, FlowState state) =>
        Visit(operation.Operand, state).IsNull is { } isNull ? Value.Of(isNull) : Value.Unknown;

    public override Value VisitUnaryOperator(IUnaryOperation operation, FlowState state) => (Visit(operation.Operand, state).Kind, operation.OperatorKind) switch
    {
        (ValueKind.True, UnaryOperatorKind.Not) => Value.Of(false),
        (ValueKind.False, UnaryOperatorKind.Not) => Value.Of(true),
        _ => Value.Unknown,
    };

    public override Value VisitBinaryOperator(IBinaryOperation operation, FlowState state)
    {
        // Comparing references looks into no buffer.
        Value left = Visit(operation.LeftOperand, state);
        Value right = Visit(operation.RightOperand, state);
        _oversized.CheckBinary(operation, left, right, state);
        if (operation.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals
            && left.IsNull is { } isLeftNull && right.IsNull is { } isRightNull && (isLeftNull || isRightNull))
        {
            return Value.Of((isLeftNull == isRightNull) == (operation.OperatorKind == BinaryOperatorKind.Equals));
        }

        return Value.Unknown;
    }

    public override Value VisitIsPattern(IIsPatternOperation operation, FlowState state)
    {
        Value value = Visit(operation.Value, state);
        _oversized.RecordMeasured(value);
        Bind(operation.Pattern, value, state);
        return Value.Unknown;
    }

    /// <summary>The variables that a pattern declares are what was matched, or nothing known.</summary>
    private void Bind(IPatternOperation pattern, Value value, FlowState state)
    {
        switch (pattern)
        {
            case IDeclarationPatternOperation { DeclaredSymbol: ILocalSymbol local }:
                _variables.Set(local, value, state);
                break;
            case IRecursivePatternOperation recursive:
                if (recursive.DeclaredSymbol is ILocalSymbol declared)
                {
                    _variables.Set(declared, value, state);
                }

                foreach (IPropertySubpatternOperation property in recursive.PropertySubpatterns)
                {
                    Bind(property.Pattern, Value.Unknown, state);
                }

                foreach (IPatternOperation part in recursive.DeconstructionSubpatterns)
                {
                    Bind(part, Value.Unknown, state);
                }

                break;
            case INegatedPatternOperation negated:
                Bind(negated.Pattern, value, state);
                break;
            case IBinaryPatternOperation binary:
                Bind(binary.LeftPattern, value, state);
                Bind(binary.RightPattern, value, state);
                break;
        }
    }
}
