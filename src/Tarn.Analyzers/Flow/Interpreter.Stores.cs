using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Where buffers are put that outlives the method: fields, collections, objects that are made.</content>
internal sealed partial class Interpreter
{
    private readonly Dictionary<(int Variable, int Resource), SyntaxNode> _stores = [];
    private readonly Dictionary<int, bool> _onlyOurs = [];
    private readonly Dictionary<int, SyntaxNode> _drops = [];
    private readonly HashSet<(int Variable, int Resource)> _returnedByField = [];

    private static Value Wrapped(ulong resources) => resources == 0 ? Value.NotNull : new Value(ValueKind.Wrapper, resources);

    /// <summary>A buffer is put into a variable: a field's, or the caller's, keeps it when the method is over.</summary>
    private void Store(IOperation target, int index, Value value)
    {
        if (value.IsOfResource && (target is IFieldReferenceOperation or IPropertyReferenceOperation || IsCallers(target)))
        {
            _stores[(index, value.Resource)] = (target.Parent ?? target).Syntax;
        }
    }

    /// <summary>Whether a variable is the caller's.</summary>
    private static bool IsCallers(IOperation target) => target is IParameterReferenceOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out };

    /// <summary>A call on a collection in a field: it gets a buffer, or may lose the one it got.</summary>
    private void Collect(IFieldSymbol collection, IInvocationOperation call, FlowState state)
    {
        int index = _variables.IndexOfContents(collection);
        foreach (IArgumentOperation argument in call.Arguments)
        {
            int variable = _variables.IndexOf(argument.Value);
            Value value = variable < 0 ? Value.Unknown : state.GetVariable(variable);
            if (value.IsOfResource && argument.Parameter is { } parameter && KnownSymbols.Keeps(parameter) && KnownSymbols.IsAdding(call.TargetMethod))
            {
                _stores[(index, value.Resource)] = call.Syntax;
                state.SetVariable(index, value);
                return;
            }
        }

        state.SetVariable(index, Value.Unknown);
    }

    /// <summary>An element of a collection in a field is set: that keeps what it gets.</summary>
    private void Collect(IOperation target, Value value, FlowState state)
    {
        if (target is IPropertyReferenceOperation { Property.IsIndexer: true, Instance: IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } collection } element
            && KnownSymbols.IsOfBaseLibrary(element.Property))
        {
            int index = _variables.IndexOfContents(collection.Field);
            if (value.IsOfResource)
            {
                _stores[(index, value.Resource)] = (target.Parent ?? target).Syntax;
            }

            state.SetVariable(index, value.IsOfResource ? value : Value.Unknown);
        }
    }

    /// <summary>A call on a collection that was made here: it gets buffers, or may lose those it got.</summary>
    private Value WithElements(IInvocationOperation call, Value collection, FlowState state)
    {
        if (call.Arguments.Length == 0 && call.TargetMethod.Name is "ToString" or "GetEnumerator" or "GetHashCode")
        {
            return collection;
        }

        ulong held = 0;
        foreach (IArgumentOperation argument in call.Arguments)
        {
            Value value = _values.Peek(argument.Value, state);
            bool isKept = argument.Parameter is { } parameter && KnownSymbols.Keeps(parameter) && KnownSymbols.IsAdding(call.TargetMethod);
            held |= isKept && value.IsOfResource ? value.Resources : 0;
        }

        return Wrapped(KnownSymbols.IsAdding(call.TargetMethod) ? collection.Resources | held : 0);
    }

    /// <summary>Code that is not seen gets an object that was made here: what that holds afterwards is not known.</summary>
    private void Unwrap(IArgumentOperation argument, FlowState state)
    {
        if (argument.Parameter is { } parameter && !KnownSymbols.IsOfBaseLibrary(parameter.ContainingSymbol) && _variables.IndexOf(argument.Value) is >= 0 and int index)
        {
            state.SetVariable(index, Value.NotNull);
        }
    }

    /// <summary>An object that was made here gets a buffer into a plain property or field, or loses it.</summary>
    private void Wrap(IOperation target, Value value, FlowState state)
    {
        IOperation? instance = target switch
        {
            IFieldReferenceOperation field => field.Instance,
            IPropertyReferenceOperation property when VariableTable.IsPlain(property.Property) => property.Instance,
            _ => null,
        };
        if (instance is null || _variables.IndexOf(instance) is not (>= 0 and int index) || state.GetVariable(index).Kind is not (ValueKind.NotNull or ValueKind.Wrapper))
        {
            return;
        }

        state.SetVariable(index, value.IsOfResource ? Wrapped(value.Resources | state.GetVariable(index).Resources) : Value.NotNull);
    }

    /// <summary>A field that its type fills from pools and returns to them gets another array: the one that was there has nobody now.</summary>
    private void Drop(int index, Value value, FlowState state)
    {
        Value before = state.GetVariable(index);
        if (value.Kind == ValueKind.Whole && before.Kind == ValueKind.Whole
            && value.Resource is int successor && before.Resource is int resource && successor != resource
            && _resources[successor].Rent is { Kind: BufferKind.Array }
            && _resources[resource].Rent is null
            && state.GetResource(resource) is { Status: ResourceStatus.Foreign, IsHandedOver: false }
            && _variables.FieldOf(index) is { } field
            && FieldUses.IsReturned(field) && FieldUses.IsAlwaysRented(field))
        {
            _drops[resource] = _resources[successor].Site;
            state.SetResource(resource, state.GetResource(resource) with { IsOrphaned = true });
        }
    }

    /// <summary>A local variable that held a rented buffer gets another one: the one before is lost if nobody else has it.</summary>
    private void Overwrite(IOperation target, int index, Value value, FlowState state)
    {
        if (target is not ILocalReferenceOperation { Local: var local } || value.Kind != ValueKind.Whole || _resources[value.Resource].Rent is null)
        {
            return;
        }

        Value before = state.GetVariable(index);
        ResourceInfo? info = before.Kind == ValueKind.Whole ? _resources[before.Resource] : null;
        if (info?.Rent is null && before.Kind is ValueKind.Unknown or ValueKind.Whole && LocalUses.IsAlwaysRented(local, _method))
        {
            // It was rented in the turn of a loop before, and what became of it is not known.
            return;
        }

        bool isLost = info?.Rent is not null && before.Resource != value.Resource && !_variables.IsCaptured(target)
            && IsLost(before.Resource, state) && state.GetResource(before.Resource).Borrowers == 0
            && !_variables.AreHolding(before.Resource, state, [local.Name]);
        _exits.Overwritten((target.Parent ?? target).Syntax, isLost ? info : null);
    }

    /// <summary>Who returns a field's buffer under the field's name knows that it stands there.</summary>
    private void NoteFieldReturn(IOperation argument, int resource)
    {
        if (_variables.IndexOf(argument) is >= 0 and int index && _variables.Fields.Contains(index))
        {
            _returnedByField.Add((index, resource));
        }
    }

    /// <summary>Whether a field holds what this method put there, and nobody else writes it.</summary>
    private bool IsOnlyOurs(int index, Value value)
    {
        if (!value.IsOfResource || !_stores.ContainsKey((index, value.Resource)) || _variables.FieldOf(index) is not { } field)
        {
            return false;
        }

        if (!_onlyOurs.TryGetValue(index, out bool isOnlyOurs))
        {
            _onlyOurs.Add(index, isOnlyOurs = FieldUses.IsWrittenOnlyIn(field, _method));
        }

        return isOnlyOurs;
    }

    /// <summary>What stands in fields and collections when the method is over and has returned it.</summary>
    private void LookAtStores(FlowState state)
    {
        foreach (KeyValuePair<(int Variable, int Resource), SyntaxNode> store in _stores)
        {
            (int variable, int index) = store.Key;
            if (_resources[index] is { Rent: not null } resource && state.GetResource(index).IsReturned && !_returnedByField.Contains(store.Key))
            {
                Value value = state.GetVariable(variable);
                _evidence.Observe(new Finding(resource.Kind == BufferKind.Owner ? FindingKind.PartOutlivesOwner : FindingKind.Escape, store.Value, resource.Site, resource.Name), value.IsOfResource && value.Resource == index);
            }
        }
    }
}
