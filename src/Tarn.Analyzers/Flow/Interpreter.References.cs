using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <content>Visits what leads to an element of a buffer: addresses, pointers and references.</content>
internal sealed partial class Interpreter
{
    /// <summary>Returns the memory that a pointer leads to, which a fixed statement keeps in place.</summary>
    private Value Pin(IOperation operation, FlowState state)
    {
        Value pinned = Value.Unknown;
        foreach (IOperation child in operation.ChildOperations)
        {
            Value value = Visit(child, state);
            _transitions.Use(child, value, state);
            pinned = value.IsOfResource ? new Value(ValueKind.Part, value.Resources) : _values.ReferenceTo(child, state);
        }

        return pinned;
    }

    public override Value VisitAddressOf(IAddressOfOperation operation, FlowState state)
    {
        Visit(operation.Reference, state);
        return _values.ReferenceTo(operation.Reference, state);
    }

    /// <summary>Lets a variable refer to an element, or assigns the element that it refers to.</summary>
    private Value AssignReference(
        ISimpleAssignmentOperation operation, ILocalReferenceOperation target, Value value, FlowState state)
    {
        if (operation.IsRef)
        {
            _context.Variables.Set(target.Local, _values.ReferenceTo(operation.Value, state), state);
            return Value.Unknown;
        }

        Visit(target, state);
        state.Escape(value);
        _contents.RecordElement(target, operation.Value, state);
        return value;
    }
}
