using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Sinks: where all of a buffer is read although it may be longer than was asked for.</content>
/// <remarks>
/// Code that compares a buffer's length, divides by it, or multiplies it knows that the length is not what it asked for; nothing is said of such a buffer.
/// </remarks>
internal sealed partial class Interpreter
{
    public override Value Visit(IOperation? operation, FlowState state) =>
        operation switch
        {
            { Kind: OperationKind.None, Syntax: StackAllocArrayCreationExpressionSyntax } => new Value(ValueKind.Stack, 0),
            { Syntax: CollectionExpressionSyntax elements } => NewCollection(elements, operation.Type, base.Visit(operation, state)),
            _ => base.Visit(operation, state),
        };

    /// <summary>An empty array is one that all have: pools take it and do nothing.</summary>
    private static Value NewCollection(CollectionExpressionSyntax collection, ITypeSymbol? type, Value visited) =>
        visited.Kind is not (ValueKind.Unknown or ValueKind.NotNull) ? visited
        : type is not IArrayTypeSymbol ? Value.NotNull
        : collection.Elements.Count > 0 ? Value.Fresh
        : Value.Unknown;

    /// <summary>What an operation's value is, without doing what it does: of variables, and of what shows their memory.</summary>
    private Value Peek(IOperation? operation, FlowState state)
    {
        switch (operation)
        {
            case IConversionOperation conversion:
                Value converted = Peek(conversion.Operand, state);
                return conversion.OperatorMethod is null || !converted.IsOfResource ? converted : converted.As(ValueKind.Part);
            case IParenthesizedOperation parenthesized:
                return Peek(parenthesized.Operand, state);
            case IPropertyReferenceOperation { Instance: { } instance, Property.Name: "Length" or "LongLength" }:
                return LengthOf(Peek(instance, state));
            case IPropertyReferenceOperation { Instance: { } owner } property when _known.IsMemory(property.Type):
                return Peek(owner, state) is { IsOfResource: true } value ? value.As(ValueKind.Part) : Value.Unknown;
            case IInvocationOperation call when _known.IsMemory(call.Type) && KnownSymbols.IsOfBaseLibrary(call.TargetMethod):
                Value source = Peek(SourceOf(call), state);
                return source.IsOfResource ? PartOf(SourceOf(call), ArgumentsBehind(call), source.Resources, state) : Value.Unknown;
            case null:
                return Value.Unknown;
            default:
                return _variables.IndexOf(operation) is >= 0 and int index ? state.GetVariable(index) : Value.Unknown;
        }
    }

    /// <summary>What a call shows that makes a span, a memory or a segment: up to the end, or not.</summary>
    private Value PartOf(IInvocationOperation call, ulong resources, FlowState state) =>
        call.TargetMethod.Name is "AsSpan" or "AsMemory" or "Slice" or "AsBytes" or "Cast"
            ? PartOf(SourceOf(call), ArgumentsBehind(call), resources, state)
            : new Value(ValueKind.Part, resources);

    private Value PartOf(IOperation? source, ImmutableArray<IArgumentOperation> bounds, ulong resources, FlowState state)
    {
        Value whole = Peek(source, state);
        bool isToEnd = whole.IsToEnd && (bounds.Length == 0 || (bounds.Length == 1 && IsConstant(bounds[0])) || (bounds.Length == 2 && IsConstant(bounds[0]) && IsLengthOf(bounds[1], whole, state)));
        return new Value(ValueKind.Part, resources) { IsToEnd = isToEnd };
    }

    private static bool IsConstant(IArgumentOperation argument) => argument.Value.ConstantValue is { HasValue: true, Value: int };

    private bool IsLengthOf(IArgumentOperation argument, Value whole, FlowState state) =>
        Peek(argument.Value, state) is { Kind: ValueKind.Length } length && length.Resources == whole.Resources;

    /// <summary>The length of a value, if it is that of a resource.</summary>
    private static Value LengthOf(Value value) => value is { IsOfResource: true, IsToEnd: true } ? new Value(ValueKind.Length, value.Resources) : Value.Unknown;

    private static IOperation? SourceOf(IInvocationOperation call) => call.Instance ?? call.Arguments.FirstOrDefault()?.Value;

    private static ImmutableArray<IArgumentOperation> ArgumentsBehind(IInvocationOperation call) => call.Instance is null ? call.Arguments.RemoveAt(0) : call.Arguments;

    /// <summary>Code reckons with the length that a buffer really has.</summary>
    private void NoteMeasured(Value value)
    {
        if (value.Kind == ValueKind.Length)
        {
            _evidence.RecordMeasured(_resources[value.Resource].Site);
        }
    }

    private void NoteMeasured(IBinaryOperation operation, Value left, Value right, FlowState state)
    {
        Value length = left.Kind == ValueKind.Length ? left : right;
        if (length.Kind != ValueKind.Length)
        {
            return;
        }

        if (operation.OperatorKind is BinaryOperatorKind.LessThan or BinaryOperatorKind.NotEquals && operation.Syntax.Parent is ForStatementSyntax loop)
        {
            LookAtLoop(loop, operation.RightOperand, length, state);
        }
        else if (operation.OperatorKind == BinaryOperatorKind.Subtract && left.Kind == ValueKind.Length)
        {
            LookAtRest(operation, length, state);
        }
        else if (operation.OperatorKind is not (BinaryOperatorKind.Add or BinaryOperatorKind.Subtract))
        {
            NoteMeasured(length);
        }
    }

    /// <summary>As much as still fits is read until there is as much as was asked for: too much.</summary>
    private void LookAtRest(IBinaryOperation rest, Value length, FlowState state)
    {
        if (_resources[length.Resource].Site is InvocationExpressionSyntax { ArgumentList.Arguments: { Count: 1 } requested }
            && rest.Syntax is BinaryExpressionSyntax { Left: MemberAccessExpressionSyntax array, Right: { } done }
            && LoopSyntax.ReadsUntil(rest.Syntax, array.Expression.ToString(), done.ToString(), requested[0].Expression.ToString()))
        {
            Arrive(rest.Syntax, length, FindingKind.Oversized, state);
        }
    }

    /// <summary>A loop over all elements that only reads them.</summary>
    private void LookAtLoop(ForStatementSyntax loop, IOperation bound, Value length, FlowState state)
    {
        if (bound.Syntax is MemberAccessExpressionSyntax { Expression: { } array } && LoopSyntax.OnlyReads(loop.Statement, array.ToString()))
        {
            Arrive(bound.Syntax, length, FindingKind.OversizedLength, state);
        }
    }

    /// <summary>An argument is passed: all of a buffer to somebody who reads it.</summary>
    private void LookAtSink(IArgumentOperation argument, Value value, FlowState state)
    {
        if (argument.Parameter is not { ContainingSymbol: IMethodSymbol method } parameter)
        {
            return;
        }

        if (parameter.RefKind is RefKind.Ref or RefKind.Out)
        {
            NoteElement(argument.Value, argument.Value, state);
            return;
        }

        if (value.Kind == ValueKind.Length && method.ContainingType.Name is "Math")
        {
            NoteMeasured(value);
        }

        // Who looks for a terminator knows that the contents end before the array does.
        if (value.IsToEnd && method.Name.StartsWith("IndexOf", StringComparison.Ordinal) && KnownSymbols.IsOfBaseLibrary(method))
        {
            _evidence.RecordMeasured(_resources[value.Resource].Site);
        }

        if (Sinks.WritesNumber(method, parameter))
        {
            Arrive(argument.Value.Syntax, value.Kind == ValueKind.Length ? value : Value.Unknown, FindingKind.OversizedLength, state);
        }

        LookAtWhole(argument, method, parameter, value, state);
        if (value.IsOfResource)
        {
            NotePassed(argument.Parent, method, parameter, value, state);
        }
    }

    private void LookAtWhole(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
    {
        ImmutableArray<IArgumentOperation> arguments = ArgumentsOf(argument.Parent);
        bool isRead = Sinks.Reads(method, parameter)
            || Sinks.MustFillAll(method, parameter)
            || IsBlindRead(argument, method, parameter, value)
            || IsStreamOver(method, parameter, value, arguments, state);
        if (!isRead || IsHarmless(argument.Parent, method, arguments, argument, state))
        {
            return;
        }

        bool isAll = value.IsToEnd && (!Sinks.IsCounted(method, parameter) || arguments.Any(other => IsLengthOf(other, value, state)));
        bool isMeant = value.IsOfResource && !Sinks.Emits(method) && state.GetResource(value.Resource).IsFull;
        Arrive(argument.Value.Syntax, (isAll && !isMeant) || value.Kind == ValueKind.Stack ? value : Value.Unknown, FindingKind.Oversized, state);
    }

    /// <summary>A stream fills all that there is, and nobody asks how much that was: just as much as the constant that was asked for is believed.</summary>
    private bool IsBlindRead(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, Value value)
    {
        bool isUsed = argument.Parent?.Syntax.Parent is not (ExpressionStatementSyntax or AwaitExpressionSyntax { Parent: ExpressionStatementSyntax });
        return !isUsed && value.IsToEnd && Sinks.MayFillAll(method, parameter) && _resources[value.Resource].Rent is { Requested: not null } rent && !IsPowerOfTwo(rent);
    }

    /// <summary>A collection is made of elements: of all that a buffer has.</summary>
    private void LookAtSpread(IOperation collection, IOperation element, Value value, FlowState state)
    {
        if (collection.Syntax is SpreadElementSyntax || element.Syntax.Parent is SpreadElementSyntax)
        {
            Arrive(element.Syntax, value.IsOfResource && state.GetResource(value.Resource).IsFull ? Value.Unknown : value, FindingKind.Oversized, state);
        }
    }

    /// <summary>A method is called on a buffer: one that reads all of it.</summary>
    private void LookAtReceiver(IInvocationOperation call, Value value, ulong passed, FlowState state)
    {
        if (value.IsOfResource && Sinks.FillsAll(call.TargetMethod))
        {
            NoteFilled(value.Resources, value.IsToEnd ? call.TargetMethod : null, state);
        }

        if (!Sinks.ReadsReceiver(call.TargetMethod) || !KnownSymbols.IsOfBaseLibrary(call.TargetMethod) || (Sinks.Copies(call.TargetMethod) && IsOfPool(passed, state)))
        {
            return;
        }

        if (call.TargetMethod.Name != "GetEnumerator" || call.Syntax.Parent is not CommonForEachStatementSyntax loop || LoopSyntax.ReadsAll(loop))
        {
            bool isMeant = value.IsOfResource && state.GetResource(value.Resource).IsFull;
            Arrive(call.Instance!.Syntax, isMeant ? Value.Unknown : value, FindingKind.Oversized, state);
        }
    }

    /// <summary>The last element of all that there are is not the last that was asked for, nor is the rest of an array the rest of that.</summary>
    private void LookAtIndex(IOperation element, IOperation index, Value array, FlowState state)
    {
        bool isWritten = element.Syntax.Parent is AssignmentExpressionSyntax assignment && assignment.Left == element.Syntax;
        bool isFromEnd = index is IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat };
        if (!isWritten && (isFromEnd || (IsRest(index) && element.Type is IArrayTypeSymbol)))
        {
            Arrive(element.Syntax, array, FindingKind.Oversized, state);
        }
    }

    /// <summary>Whether a range begins at a certain element and has no other end than the array's.</summary>
    private static bool IsRest(IOperation index) =>
        index is IRangeOperation { RightOperand: null } range
        && range.LeftOperand is null or IConversionOperation { Operand.ConstantValue.HasValue: true };

    /// <summary>A stream over an array that holds something already is there to be read.</summary>
    private static bool IsStreamOver(IMethodSymbol method, IParameterSymbol parameter, Value value, ImmutableArray<IArgumentOperation> arguments, FlowState state) =>
        method is { MethodKind: MethodKind.Constructor, ContainingType.Name: "MemoryStream" } && parameter.Type is IArrayTypeSymbol && KnownSymbols.IsOfBaseLibrary(method)
        && (arguments.Any(static argument => argument is { Parameter.Name: "writable", Value.ConstantValue: { HasValue: true, Value: false } })
            || (value.IsOfResource && state.GetResource(value.Resource).IsFilled));

    private bool IsHarmless(IOperation? call, IMethodSymbol method, ImmutableArray<IArgumentOperation> arguments, IArgumentOperation argument, FlowState state) =>
        (Sinks.Copies(method) && arguments.Any(other => !ReferenceEquals(other, argument) && Peek(other.Value, state) is { IsOfResource: true } target && IsOfPool(target.Resources, state)))
        || call?.Syntax is BaseObjectCreationExpressionSyntax { Initializer: not null }
        || (call is not null && (LoopSyntax.IsLimited(call.Syntax) || LoopSyntax.IsCutLater(call.Syntax)));

    /// <summary>Whether one of several resources was rented by this method.</summary>
    private bool IsOfPool(ulong resources, FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            if ((resources & (1UL << i)) != 0 && _resources[i].Rent is not null)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>A path comes to where all of a value is read: bad if it is more than was asked for.</summary>
    private void Arrive(SyntaxNode site, Value value, FindingKind kind, FlowState state)
    {
        // A buffer on the stack is there instead of one of a pool, and says nothing about it.
        if (value.Kind == ValueKind.Stack || (value.IsOfResource && state.GetResource(value.Resource).IsReturned))
        {
            return;
        }

        bool isOfResource = value.IsToEnd || value.Kind == ValueKind.Length;
        ResourceInfo? info = isOfResource ? _resources[value.Resource] : null;
        bool isBad = info?.Rent is { IsExact: false } rent && !(rent.Requested is not null && state.GetResource(value.Resource).IsFull);
        if (isBad && IsPowerOfTwo(info!.Rent!))
        {
            kind = FindingKind.OversizedLength;
        }

        foreach (FindingKind each in isBad ? [kind] : new[] { FindingKind.Oversized, FindingKind.OversizedLength })
        {
            _evidence.Observe(new Finding(each, site, info?.Site, info?.Name ?? string.Empty), isBad);
        }
    }

    /// <summary>The shared pool happens to give just as much as was asked for, although it does not promise to.</summary>
    private static bool IsPowerOfTwo(RentCall rent) => rent.Requested is >= 16 and <= 1 << 30 and int length && (length & (length - 1)) == 0;

    private static ImmutableArray<IArgumentOperation> ArgumentsOf(IOperation? call) => call switch
    {
        IInvocationOperation invocation => invocation.Arguments,
        IObjectCreationOperation creation => creation.Arguments,
        _ => ImmutableArray<IArgumentOperation>.Empty,
    };

    /// <summary>A buffer was handed to somebody who may have written into it.</summary>
    /// <param name="resources">The resources, a bit for each.</param>
    /// <param name="filler">The method that wrote all of it; null when it may have been a part.</param>
    /// <param name="state">The state.</param>
    private static void NoteFilled(ulong resources, IMethodSymbol? filler, FlowState state) => state.Change(resources, resource =>
    {
        bool isPadded = resource.IsPadded || filler is { Name: "Fill" };
        return resource with { IsFilled = true, IsFull = isPadded || filler is not null, IsPadded = isPadded, IsCleared = false };
    });
}
