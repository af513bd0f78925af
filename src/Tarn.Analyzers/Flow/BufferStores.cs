using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what keeps a buffer beyond the method: a field, a collection, the caller's variable or a fresh object.</summary>
internal sealed class BufferStores(MethodContext context, ValueLookup values)
{
    private readonly Dictionary<(int Variable, int Resource), SyntaxNode> _stores = [];
    private readonly Dictionary<int, bool> _writtenOnlyHere = [];
    private readonly Dictionary<int, bool> _lostHere = [];
    private readonly Dictionary<int, SyntaxNode> _replacements = [];
    private readonly HashSet<(int Variable, int Resource)> _returnedByField = [];

    /// <summary>The names that the method assigns.</summary>
    private readonly Lazy<HashSet<string>> _assigned = new(() =>
        [.. context.Syntax.DescendantNodes().OfType<AssignmentExpressionSyntax>().Select(static one => one.Left.ToString())]);

    /// <summary>Returns whether a variable belongs to the caller.</summary>
    internal static bool IsCallers(IOperation target) =>
        target is IParameterReferenceOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out };

    /// <summary>Returns whether the method stored a resource in a variable on some path.</summary>
    internal bool Contains(int variable, int resource) => _stores.ContainsKey((variable, resource));

    /// <summary>Returns the rent of the buffer that took a resource's place in its field.</summary>
    internal SyntaxNode ReplacementOf(int resource) => _replacements[resource];

    /// <summary>Records that a variable is assigned: a field or a variable of the caller keeps the value beyond the method.</summary>
    internal void RecordStore(IOperation target, int index, Value value)
    {
        if (value.IsOfResource && (target is IFieldReferenceOperation or IPropertyReferenceOperation || IsCallers(target)))
        {
            _stores[(index, value.Resource)] = (target.Parent ?? target).Syntax;
        }
    }

    /// <summary>Records that an element of a collection in a field is assigned, which keeps the value.</summary>
    internal void RecordElement(IOperation target, Value value, FlowState state)
    {
        if (target is IPropertyReferenceOperation { Property.IsIndexer: true } element
            && KeeperOf(element.Instance) is { } collection
            && KnownSymbols.IsOfBaseLibrary(element.Property))
        {
            Store(context.Variables.IndexOfContents(collection), (target.Parent ?? target).Syntax, value, state);
        }
    }

    /// <summary>Records that an event gets a handler, or loses one. What the handler captures lives on with the event.</summary>
    internal void RecordHandler(IEventAssignmentOperation assignment, Value handler, FlowState state)
    {
        if (assignment.EventReference is IEventReferenceOperation { Event: var raised, Instance: var instance }
            && (instance is null or IInstanceReferenceOperation ? raised : KeeperOf(instance)) is { } keeper)
        {
            bool isKept = assignment.Adds && handler.Kind is ValueKind.Wrapper or ValueKind.Holder;
            Value captured = isKept ? new Value(ValueKind.Holder, handler.Resources & (~handler.Resources + 1)) : Value.Unknown;
            Store(context.Variables.IndexOfContents(keeper, raised), assignment.Syntax, captured, state);
        }
    }

    private void Store(int index, SyntaxNode site, Value value, FlowState state)
    {
        if (value.IsOfResource)
        {
            _stores[(index, value.Resource)] = site;
        }

        state.SetVariable(index, value.IsOfResource ? value : Value.Unknown);
    }

    /// <summary>
    /// Returns the variable with an object that lives on after the method: a field, or a parameter that the method does not assign.
    /// </summary>
    private ISymbol? KeeperOf(IOperation? instance) => instance switch
    {
        IFieldReferenceOperation { Field.Type.IsReferenceType: true } field when IsOwnField(field) => field.Field,
        IParameterReferenceOperation { Parameter: { RefKind: RefKind.None, Type.IsReferenceType: true } parameter }
            when !_assigned.Value.Contains(parameter.Name) => parameter,
        _ => null,
    };

    /// <summary>Records that a plain property or field of a fresh object is assigned: the object wraps a buffer, or loses it.</summary>
    internal void RecordMember(IOperation target, Value value, FlowState state)
    {
        IOperation? instance = target switch
        {
            IFieldReferenceOperation field => field.Instance,
            IPropertyReferenceOperation property when VariableTable.IsPlain(property.Property) => property.Instance,
            _ => null,
        };
        if (instance is null || context.Variables.IndexOf(instance) is not (>= 0 and int index))
        {
            return;
        }

        if (!IsFreshObject(state.GetVariable(index)))
        {
            if (KeeperOf(instance) is { } keeper)
            {
                int member = context.Variables.IndexOfContents(keeper, ((IMemberReferenceOperation)target).Member);
                Store(member, (target.Parent ?? target).Syntax, value, state);
            }

            return;
        }

        Value wrapped = value.IsOfResource ? Value.Wrapped(value.Resources | state.GetVariable(index).Resources) : Value.NotNull;
        state.SetVariable(index, wrapped);
    }

    /// <summary>
    /// Records what a call does to fields and collections: other code may write the fields, and a collection of the base library receives
    /// buffers or may lose its own.
    /// </summary>
    internal void RecordCall(IInvocationOperation call, FlowState state)
    {
        if (!KnownSymbols.IsOfBaseLibrary(call.TargetMethod))
        {
            ForgetFields(state);
        }
        else if (KeeperOf(call.Instance) is { } collection)
        {
            CallOnKept(collection, call, state);
        }
        else if (call.Instance is { } instance
            && context.Variables.IndexOf(instance) is >= 0 and int index
            && IsFreshObject(state.GetVariable(index)))
        {
            state.SetVariable(index, CallOnFresh(call, state.GetVariable(index), state));
        }
    }

    /// <summary>Records that a fresh object is passed: its contents are unknown after other code had it.</summary>
    internal void RecordPassed(IArgumentOperation argument, FlowState state)
    {
        if (argument.Parameter is { } parameter
            && !KnownSymbols.IsOfBaseLibrary(parameter.ContainingSymbol)
            && context.Variables.IndexOf(argument.Value) is >= 0 and int index)
        {
            state.SetVariable(index, Value.NotNull);
        }
    }

    /// <summary>Records that an object is passed that lives on: its contents are unknown from then on.</summary>
    internal void RecordLent(IArgumentOperation argument, FlowState state)
    {
        if (KeeperOf(KnownSymbols.WithoutConversions(argument.Value)) is { } keeper && context.Variables.HasContents(keeper))
        {
            ForgetFields(state);
        }
    }

    /// <summary>Records that a field's buffer is returned under the field's name, so the code knows that the field holds it.</summary>
    internal void RecordReturn(IOperation argument, int resource)
    {
        if (context.Variables.IndexOf(argument) is >= 0 and int index && context.Variables.Fields.Contains(index))
        {
            _returnedByField.Add((index, resource));
        }
    }

    /// <summary>
    /// Records that another array replaces the one in a field that its type fills from pools and returns to them. The first array has no
    /// owner from then on.
    /// </summary>
    internal void RecordReplacement(int index, Value value, FlowState state)
    {
        Value before = state.GetVariable(index);
        if (value.Kind == ValueKind.Whole && before.Kind == ValueKind.Whole
            && value.Resource is int successor && before.Resource is int resource && successor != resource
            && context.Resources[successor].Rent is { Kind: BufferKind.Array or BufferKind.Owner }
            && context.Resources[successor].Kind == context.Resources[resource].Kind
            && context.Resources[resource].Rent is null
            && state.GetResource(resource) is { Status: ResourceStatus.Foreign, IsHandedOver: false }
            && context.Variables.FieldOf(index) is { } field
            && (context.Known.Fields.IsRentedAndReturned(field) || IsLostHere(index, field)))
        {
            _replacements[resource] = context.Resources[successor].Site;
            state.SetResource(resource, state.GetResource(resource) with { IsOrphaned = true });
        }
    }

    private bool IsLostHere(int index, IFieldSymbol field)
    {
        if (!_lostHere.TryGetValue(index, out bool isLost))
        {
            _lostHere.Add(index, isLost = FieldUses.IsLostIn(field, context.Syntax));
        }

        return isLost;
    }

    /// <summary>Forgets the contents of fields, because other code may run, except for values that only this method stores.</summary>
    internal void ForgetFields(FlowState state)
    {
        IReadOnlyList<int> fields = context.Variables.Fields;
        for (int i = 0; i < fields.Count; i++)
        {
            int field = fields[i];
            if (!IsWrittenOnlyHere(field, state.GetVariable(field)))
            {
                state.SetVariable(field, Value.Unknown);
            }
        }
    }

    /// <summary>Checks fields and collections for buffers that the path returned, at its end.</summary>
    internal void CheckAtEnd(FlowState state)
    {
        foreach (KeyValuePair<(int Variable, int Resource), SyntaxNode> store in _stores)
        {
            (int variable, int index) = store.Key;
            if (context.Resources[index] is { Rent: not null } resource
                && state.GetResource(index).IsReturned
                && !_returnedByField.Contains(store.Key))
            {
                FindingKind kind = resource.Kind is BufferKind.Owner or BufferKind.Message
                    ? FindingKind.PartOutlivesOwner
                    : FindingKind.Escape;
                Value value = state.GetVariable(variable);
                context.Evidence.Observe(
                    new Finding(kind, store.Value, resource.Site, resource.Name),
                    value.IsOfResource && value.Resource == index);
            }
        }
    }

    private static bool IsOwnField(IFieldReferenceOperation field) => field.Instance is null or IInstanceReferenceOperation;

    private static bool IsFreshObject(Value value) => value.Kind is ValueKind.NotNull or ValueKind.Wrapper;

    /// <summary>Handles a call on a collection that lives on: it receives a buffer, or may lose its own.</summary>
    private void CallOnKept(ISymbol collection, IInvocationOperation call, FlowState state)
    {
        Value added = call.Arguments.Where(argument => IsAdded(argument, call))
            .Select(argument => values.Peek(argument.Value, state)).FirstOrDefault(static value => value.IsOfResource);
        if (added.IsOfResource || context.Variables.HasContents(collection))
        {
            Store(context.Variables.IndexOfContents(collection), call.Syntax, added, state);
        }
    }

    /// <summary>Returns the value of a fresh collection after a call on it: it receives buffers, or may lose its own.</summary>
    private Value CallOnFresh(IInvocationOperation call, Value collection, FlowState state)
    {
        if (call.Arguments.Length == 0 && call.TargetMethod.Name is "ToString" or "GetEnumerator" or "GetHashCode")
        {
            return collection;
        }

        ulong added = 0;
        foreach (IArgumentOperation argument in call.Arguments)
        {
            Value value = values.Peek(argument.Value, state);
            added |= value.IsOfResource && IsAdded(argument, call) ? value.Resources : 0;
        }

        return Value.Wrapped(KnownSymbols.IsAdding(call.TargetMethod) ? collection.Resources | added : 0);
    }

    /// <summary>Returns whether a call adds an argument to a collection, and not only if its result says so.</summary>
    private static bool IsAdded(IArgumentOperation argument, IInvocationOperation call) =>
        argument.Parameter is { } parameter
        && KnownSymbols.Keeps(parameter)
        && KnownSymbols.IsAdding(call.TargetMethod)
        && (call.TargetMethod.ReturnType.SpecialType != SpecialType.System_Boolean || call.Parent is IExpressionStatementOperation);

    /// <summary>Returns whether a field holds a value that this method stored, and no other code writes the field.</summary>
    private bool IsWrittenOnlyHere(int index, Value value)
    {
        if (!value.IsOfResource || !Contains(index, value.Resource) || context.Variables.FieldOf(index) is not { } field)
        {
            return false;
        }

        if (!_writtenOnlyHere.TryGetValue(index, out bool isWrittenOnlyHere))
        {
            _writtenOnlyHere.Add(index, isWrittenOnlyHere = FieldUses.IsWrittenOnlyIn(field, context.Syntax));
        }

        return isWrittenOnlyHere;
    }
}
