using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what value an operation has without applying its effects.</summary>
internal sealed class ValueLookup(MethodContext context)
{
    /// <summary>Returns the value of an operation without changing the state.</summary>
    internal Value Peek(IOperation? operation, FlowState state)
    {
        switch (operation)
        {
            case IConversionOperation conversion:
                Value converted = Peek(conversion.Operand, state);
                return conversion.OperatorMethod is null || !converted.IsOfResource ? converted : converted.As(ValueKind.Part);
            case IPropertyReferenceOperation { Instance: { } instance, Property.Name: "Length" or "LongLength" }:
                return LengthOf(Peek(instance, state));
            case IPropertyReferenceOperation { Instance: { } segment, Property: { Name: "Array", ContainingType.Name: "ArraySegment" } }:
                return Peek(segment, state) is { IsOfResource: true } shown ? Value.Whole(shown.Resource) : Value.Unknown;
            case IPropertyReferenceOperation { Instance: { } owner } property when KnownSymbols.IsMemory(property.Type):
                return Peek(owner, state) is { IsOfResource: true } value ? value.As(ValueKind.Part) : Value.Unknown;
            case IInvocationOperation call when KnownSymbols.IsMemory(call.Type) && KnownSymbols.IsOfBaseLibrary(call.TargetMethod):
                Value source = Peek(SourceOf(call), state);
                return source.IsOfResource ? PartOf(SourceOf(call), BoundsOf(call), source.Resources, state) : Value.Unknown;
            case IObjectCreationOperation { Arguments: { Length: > 0 } bounds } made when KnownSymbols.IsMemory(made.Type):
                return Peek(bounds[0].Value, state) is { IsOfResource: true } array
                    ? PartOf(bounds[0].Value, bounds.RemoveAt(0), array.Resources, state)
                    : Value.Unknown;
            case ISimpleAssignmentOperation { IsRef: false } assignment:
                return Peek(assignment.Target, state);
            case null:
                return Value.Unknown;
            default:
                return context.Variables.IndexOf(operation) is >= 0 and int index ? state.GetVariable(index) : Value.Unknown;
        }
    }

    /// <summary>Returns the memory that a reference to an element leads to; an unknown value if it leads elsewhere.</summary>
    internal Value ReferenceTo(IOperation? place, FlowState state)
    {
        switch (place)
        {
            case IArrayElementReferenceOperation element:
                return PartOf(Peek(element.ArrayReference, state));
            case IImplicitIndexerReferenceOperation element:
                return PartOf(Peek(element.Instance, state));
            case IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } span } when KnownSymbols.IsMemory(span.Type):
                return PartOf(Peek(span, state));
            case IFieldReferenceOperation { Instance: { Type.IsValueType: true } changed }:
                return ReferenceTo(changed, state);
            case ILocalReferenceOperation { Local.RefKind: not RefKind.None }:
                return Peek(place, state);
            case IAddressOfOperation { Reference: var addressed }:
                return ReferenceTo(addressed, state);
            case IInvocationOperation { TargetMethod: { ReturnsByRef: true } or { ReturnsByRefReadonly: true } } call
                when KnownSymbols.IsOfBaseLibrary(call.TargetMethod) && SourceOf(call) is { } source:
                return call.Instance is null && call.Arguments[0].Parameter?.RefKind is not (null or RefKind.None)
                    ? ReferenceTo(source, state)
                    : PartOf(Peek(source, state));
            default:
                return Value.Unknown;
        }

        static Value PartOf(Value value) => value.IsOfResource ? new Value(ValueKind.Part, value.Resources) : Value.Unknown;
    }

    /// <summary>Returns the part exposed by a call that creates a span, a memory or a segment.</summary>
    internal Value PartOf(IInvocationOperation call, ulong resources, FlowState state) =>
        call.TargetMethod.Name is "AsSpan" or "AsMemory" or "Slice" or "AsBytes" or "Cast"
            ? PartOf(SourceOf(call), BoundsOf(call), resources, state)
            : new Value(ValueKind.Part, resources);

    /// <summary>Returns the part of a source that the arguments delimit; without arguments it extends to the end.</summary>
    internal Value PartOf(IOperation? source, ImmutableArray<IArgumentOperation> bounds, ulong resources, FlowState state)
    {
        Value whole = Peek(source, state);
        bool isUnbounded = bounds.Length switch
        {
            0 => true,
            1 => IsConstant(bounds[0]),
            2 => IsConstant(bounds[0]) && IsLengthOf(bounds[1], whole, state),
            _ => false,
        };
        return new Value(ValueKind.Part, resources) { IsToEnd = whole.IsToEnd && isUnbounded };
    }

    /// <summary>Returns whether an argument is the length of a value.</summary>
    internal bool IsLengthOf(IArgumentOperation argument, Value whole, FlowState state) =>
        Peek(argument.Value, state) is { Kind: ValueKind.Length } length && length.Resources == whole.Resources;

    /// <summary>Returns the length of a value if it extends to the end of a resource; otherwise an unknown value.</summary>
    internal static Value LengthOf(Value value) =>
        value is { IsOfResource: true, IsToEnd: true } ? new Value(ValueKind.Length, value.Resources) : Value.Unknown;

    /// <summary>Returns the receiver of a call: its instance, or the first argument of an extension method.</summary>
    internal static IOperation? SourceOf(IInvocationOperation call) => call.Instance ?? call.Arguments.FirstOrDefault()?.Value;

    private static ImmutableArray<IArgumentOperation> BoundsOf(IInvocationOperation call) =>
        call.Instance is null ? call.Arguments.RemoveAt(0) : call.Arguments;

    private static bool IsConstant(IArgumentOperation argument) => argument.Value.ConstantValue is { HasValue: true, Value: int };

    /// <summary>Returns the value of a collection expression. Empty ones share one array, which pools accept and ignore.</summary>
    internal static Value OfCollection(CollectionExpressionSyntax collection, ITypeSymbol? type, Value visited) =>
        visited.Kind is not (ValueKind.Unknown or ValueKind.NotNull) ? visited
        : type is not IArrayTypeSymbol ? Value.NotNull
        : collection.Elements.Count > 0 ? Value.Fresh
        : Value.Unknown;
}
