using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers who owns an array that an object of the source rents when it is created, or gets for its Dispose to return.</summary>
internal sealed class MadeOwners(MethodContext context, ValueLookup values, ResourceTransitions transitions)
{
    /// <summary>The objects that got arrays to return, by the resources of the arrays.</summary>
    private readonly Dictionary<int, Value> _taken = [];

    /// <summary>Returns the object that an expression creates; null if it has no array to return.</summary>
    internal Value? Make(IObjectCreationOperation creation, ulong passed, FlowState state) =>
        context.Known.MakesOwner(creation) ? Create(creation, state)
        : FindTaken(creation, passed, state) is { } taken ? CreateOver(taken, creation, state)
        : null;

    /// <summary>Records that a value is returned to a pool. Code that returns an array itself does not leave that to the object.</summary>
    internal void RecordReturn(Value value, FlowState state)
    {
        if (value.Kind == ValueKind.Whole && _taken.TryGetValue(value.Resource, out Value owner))
        {
            state.Escape(owner);
        }
    }

    /// <summary>Returns whether a method of an object that rented an array hands out the object itself, as far as its type shows.</summary>
    internal bool HandsOutItself(IInvocationOperation call, Value instance) =>
        instance.Kind == ValueKind.Whole
        && context.Resources[instance.Resource] is { Kind: BufferKind.Pooled, Rent: not null }
        && SymbolEqualityComparer.Default.Equals(call.TargetMethod.ReturnType, call.TargetMethod.ContainingType);

    /// <summary>Lets an owner go whose own method gives it back to where it came from, under whatever name its pool has for that.</summary>
    internal void LetGo(IInvocationOperation call, Value instance, FlowState state)
    {
        if (instance.Kind == ValueKind.Whole
            && (call.TargetMethod.Name is "Return" or "Release" or "Free" or "Recycle" or "GiveBack" or "Close" or "Detach" or "Reset"
                || HandsOutAnother(call.Type, instance))
            && context.Resources[instance.Resource].Kind is BufferKind.Owner or BufferKind.Pooled)
        {
            state.Escape(instance);
        }
    }

    /// <summary>Lets an owner go where a property hands out another owner, or one that it shares its memory with.</summary>
    internal void LetGo(IPropertyReferenceOperation property, Value instance, FlowState state)
    {
        if (instance.Kind == ValueKind.Whole && HandsOutAnother(property.Type, instance))
        {
            state.Escape(instance);
        }
    }

    /// <summary>
    /// Returns whether what a member of an owner hands out may own the same memory, because its type is an owner too.
    /// </summary>
    private bool HandsOutAnother(ITypeSymbol? result, Value instance) =>
        context.Resources[instance.Resource].Kind == BufferKind.Owner
        && result is not null
        && RentedResults.ElementsOf(result).Any(context.Known.IsOwner);

    /// <summary>Lets an object go that rented an array for itself, if a member hands out the array: whoever has it may return it.</summary>
    internal void Expose(ITypeSymbol? type, Value instance, FlowState state)
    {
        if (type is IArrayTypeSymbol
            && instance.Kind == ValueKind.Whole
            && context.Resources[instance.Resource] is { Kind: BufferKind.Pooled, Rent: not null })
        {
            state.Escape(instance);
        }
    }

    /// <summary>Creates an object that rents an array for itself. What is created over it may dispose it, as with streams.</summary>
    private Value Create(IObjectCreationOperation operation, FlowState state)
    {
        BufferKind kind = context.Known.IsPooled(operation.Type) ? BufferKind.Pooled : BufferKind.Owner;
        RentCall rent = new(kind, null, IsExact: true, IsScarce: false) { IsStream = true };
        int resource = context.Resources.IndexOf(operation.Syntax, rent, name: null);
        if (resource < 0)
        {
            return Value.NotNull;
        }

        transitions.Acquire(resource, ResourceStatus.Rented, state);
        return Value.Whole(resource);
    }

    /// <summary>Returns the rented array that an object of the source gets, and that its Dispose returns; null if there is none.</summary>
    private int? FindTaken(IObjectCreationOperation creation, ulong passed, FlowState state)
    {
        if (passed == 0
            || context.Known.TakesArray(creation.Constructor) is not { } parameter
            || creation.Arguments.FirstOrDefault(argument => argument.Parameter?.Ordinal == parameter.Ordinal) is not { Value: var taken })
        {
            return null;
        }

        int array = KnownSymbols.WithoutConversions(taken) is IInvocationOperation rent ? context.Resources.Find(rent.Syntax)
            : values.Peek(taken, state) is { Kind: ValueKind.Whole, Resource: var resource } ? resource
            : -1;
        return array >= 0
            && context.Resources[array] is { Kind: BufferKind.Array, Rent: not null }
            && state.GetResource(array).Status == ResourceStatus.Rented
                ? array
                : null;
    }

    private Value CreateOver(int array, IObjectCreationOperation creation, FlowState state)
    {
        Value owner = Create(creation, state);
        if (owner.Kind == ValueKind.Whole)
        {
            _taken[array] = owner;
        }

        return owner;
    }
}
