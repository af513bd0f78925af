using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what a variable holds, and records what it gets.</summary>
internal sealed class VariableAccess(
    MethodContext context, BufferContents contents, BufferStores stores, OversizedUses oversized, ResourceTransitions transitions)
{
    /// <summary>Cached results for locals, each of which takes a walk through the method.</summary>
    private readonly Dictionary<ILocalSymbol, bool> _alwaysRented = new(SymbolEqualityComparer.Default);

    /// <summary>Reads a variable. A buffer that other code stored there is a resource from the first read on.</summary>
    internal Value Read(IOperation operation, ISymbol symbol, FlowState state)
    {
        int index = context.Variables.IndexOf(operation);
        if (index < 0)
        {
            return Value.Unknown;
        }

        Value value = state.GetVariable(index);
        if (value.Kind is not (ValueKind.Unknown or ValueKind.NotNull)
            || !context.Known.IsBuffer(operation.Type)
            || !context.Slice.Ends(symbol))
        {
            return value;
        }

        int resource = context.Resources.IndexOf(index, operation, symbol.Name, context.Known.IsPooled(operation.Type));
        if (resource < 0)
        {
            return value;
        }

        if (IsSameRing(operation, symbol) && state.GetResource(resource).Status != ResourceStatus.Untracked)
        {
            state.SetVariable(index, Value.Whole(resource));
            return Value.Whole(resource);
        }

        transitions.Acquire(resource, ResourceStatus.Foreign, state);
        state.SetResource(resource, state.GetResource(resource) with { IsNonNull = value.Kind == ValueKind.NotNull });
        contents.RecordForeign(resource, symbol);
        state.SetVariable(index, Value.Whole(resource));
        return Value.Whole(resource);
    }

    /// <summary>Assigns a value to a variable or another target.</summary>
    internal void Assign(IOperation assigned, Value value, FlowState state)
    {
        IOperation target = context.Variables.Resolve(assigned);
        if (context.Variables.IsCaptured(target) || BufferStores.IsCallers(target))
        {
            state.Escape(value);
        }

        if (target is IDiscardOperation)
        {
            // A discard keeps nothing: whoever else has the value still has it.
            return;
        }

        int index = context.Variables.IndexOf(target);
        if (target is ILocalReferenceOperation { Local.RefKind: not RefKind.None } && index >= 0 && state.GetVariable(index).IsOfResource)
        {
            // The element gets the value; the variable refers to it as before.
            StoreElsewhere(value, state);
            return;
        }

        if (index < 0)
        {
            StoreElsewhere(value, state);
            stores.RecordMember(target, value, state);
            stores.RecordElement(target, value, state);
            return;
        }

        stores.RecordReplacement(index, value, state);
        CheckOverwritten(target, index, value, state);
        stores.RecordStore(target, index, value);
        state.SetVariable(index, value);
        context.Conditions.Forget(target, state);
        if (target is IFieldReferenceOperation or IPropertyReferenceOperation)
        {
            StoreElsewhere(value, state);
        }
    }

    /// <summary>Assigns an unknown value to a variable, or to each variable of a tuple.</summary>
    internal void AssignUnknown(IOperation target, FlowState state)
    {
        if (target is ITupleOperation tuple)
        {
            foreach (IOperation element in tuple.Elements)
            {
                AssignUnknown(element, state);
            }
        }
        else if (target is IDeclarationExpressionOperation declaration)
        {
            AssignUnknown(declaration.Expression, state);
        }
        else
        {
            Assign(target, Value.Unknown, state);
        }
    }

    /// <summary>Assigns the variables that a pattern declares: the matched value, or an unknown one.</summary>
    internal void Bind(IPatternOperation pattern, Value value, FlowState state)
    {
        switch (pattern)
        {
            case IDeclarationPatternOperation { DeclaredSymbol: ILocalSymbol local }:
                context.Variables.Set(local, value, state);
                break;
            case IRecursivePatternOperation recursive:
                if (recursive.DeclaredSymbol is ILocalSymbol declared)
                {
                    context.Variables.Set(declared, value, state);
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

    /// <summary>Stores a value where other code sees it. Work that is kept there may be awaited there.</summary>
    private void StoreElsewhere(Value value, FlowState state)
    {
        oversized.RecordMeasured(value);
        state.Escape(value);
        if (value.Kind == ValueKind.Work)
        {
            state.SettleWork(value.Resources);
        }
    }

    /// <summary>Checks a local variable with a rented buffer that gets another: the first is lost if nothing else holds it.</summary>
    private void CheckOverwritten(IOperation target, int index, Value value, FlowState state)
    {
        if (target is not ILocalReferenceOperation { Local: var local }
            || value.Kind != ValueKind.Whole
            || context.Resources[value.Resource].Rent is null)
        {
            return;
        }

        Value before = state.GetVariable(index);
        ResourceInfo? info = before.Kind == ValueKind.Whole ? context.Resources[before.Resource] : null;
        if (info?.Rent is null && before.Kind is ValueKind.Unknown or ValueKind.Whole && IsAlwaysRented(local))
        {
            // It was rented in a previous iteration of a loop, and its fate is unknown.
            return;
        }

        bool isLost = info?.Rent is not null
            && before.Resource != value.Resource
            && !context.Variables.IsCaptured(target)
            && state.IsLost(before.Resource)
            && state.GetResource(before.Resource).Borrowers == 0
            && !context.Variables.AreHolding(before.Resource, state, [local.Name]);
        context.Exits.Overwritten((target.Parent ?? target).Syntax, isLost ? info : null);
    }

    /// <summary>Returns whether a field holds one writer all the time, whatever code was called since it was read.</summary>
    private bool IsSameRing(IOperation read, ISymbol symbol) =>
        symbol is IFieldSymbol { IsReadOnly: true }
        && context.Known.HasTarn && TarnOwners.IsContiguousWriter(read.Type)
        && context.Syntax.FirstAncestorOrSelf<ConstructorDeclarationSyntax>() is null;

    private bool IsAlwaysRented(ILocalSymbol local)
    {
        if (!_alwaysRented.TryGetValue(local, out bool isAlwaysRented))
        {
            _alwaysRented.Add(local, isAlwaysRented = LocalUses.IsAlwaysRented(local, context.Syntax));
        }

        return isAlwaysRented;
    }
}
