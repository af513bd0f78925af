using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <content>Visits comparisons and patterns: what they say where the path shows it.</content>
internal sealed partial class Interpreter
{
    public override Value VisitIsNull(IIsNullOperation operation, FlowState state) =>
        Visit(operation.Operand, state).IsNull is { } isNull ? Value.Of(isNull) : Value.Unknown;

    public override Value VisitUnaryOperator(IUnaryOperation operation, FlowState state)
    {
        Value operand = Visit(operation.Operand, state);
        return operation.OperatorKind != UnaryOperatorKind.Not ? Value.Unknown : operand.Kind switch
        {
            ValueKind.True => Value.Of(false),
            ValueKind.False => Value.Of(true),
            ValueKind.Outcome => _context.Outcomes.Not(operation.Syntax, operand),
            _ => Value.Unknown,
        };
    }

    public override Value VisitBinaryOperator(IBinaryOperation operation, FlowState state)
    {
        // Comparing references does not use the buffers.
        Value left = Visit(operation.LeftOperand, state);
        Value right = Visit(operation.RightOperand, state);
        _oversized.CheckBinary(operation, left, right, state);
        Value result = left.Kind == ValueKind.Outcome ? left : right;
        object? constant = (left.Kind == ValueKind.Outcome ? operation.RightOperand : operation.LeftOperand).ConstantValue.Value;
        if (result.Kind == ValueKind.Outcome)
        {
            bool isEqual = operation.OperatorKind == BinaryOperatorKind.Equals;
            return constant is not null && (isEqual || operation.OperatorKind == BinaryOperatorKind.NotEquals)
                ? _context.Outcomes.Compare(operation.Syntax, result, constant, isEqual)
                : Value.Unknown;
        }

        return operation.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals
            && _assumptions.AreSame(left, right, state) is { } areSame
            ? Value.Of(areSame == (operation.OperatorKind == BinaryOperatorKind.Equals))
            : Value.Unknown;
    }

    public override Value VisitIsPattern(IIsPatternOperation operation, FlowState state)
    {
        Value value = Visit(operation.Value, state);
        _oversized.RecordMeasured(value);
        _access.Bind(operation.Pattern, value, state);
        return value.Kind == ValueKind.Outcome
            ? OfPattern(operation.Syntax, value, operation.Pattern, isMatch: true)
            : _assumptions.Matches(operation, value) is { } answer ? Value.Of(answer) : Value.Unknown;
    }

    /// <summary>Returns what a pattern that compares a result with a constant tells.</summary>
    private Value OfPattern(SyntaxNode site, Value result, IPatternOperation pattern, bool isMatch) => pattern switch
    {
        INegatedPatternOperation negated => OfPattern(site, result, negated.Pattern, !isMatch),
        IConstantPatternOperation { Value.ConstantValue: { HasValue: true, Value: { } constant } } =>
            _context.Outcomes.Compare(site, result, constant, isMatch),
        _ => Value.Unknown,
    };
}
