using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>How a path ends, and with what.</content>
internal sealed partial class Interpreter
{
    /// <summary>The method returns a value; what comes behind is finally blocks.</summary>
    internal void Return(IOperation operation, Value value, FlowState state)
    {
        Use(operation, value, state);
        state.Result = value;
        _evidence.RecordResult(value, operation.Syntax);
        Share(value, state);
        if (operation is IArrayElementReferenceOperation element)
        {
            // By reference, perhaps: the caller gets at the array then.
            Share(_values.Peek(element.ArrayReference, state), state);
        }
    }

    /// <summary>A path ends: the method is over.</summary>
    internal void Leave(FlowState state)
    {
        List<Departure> departures = [];
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (resource.IsReturned)
            {
                _origins.EndClean(resource.Origin);
            }

            if (Depart(i, state) is { } departure)
            {
                departures.Add(departure);
            }
        }

        _exits.Leave(state.Exit, departures);
        LookAtResult(state);
        LookAtStores(state);
        LookAtCallersVariables(state);
    }

    /// <summary>A path leaves variables behind, and what only they hold.</summary>
    internal void LeaveScope(HashSet<string> locals, int exit, FlowState state)
    {
        List<Departure> departures = [];
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            ResourceInfo info = _resources[i];
            if (info.Rent is not null && resource.Status != ResourceStatus.Untracked && _resources.TargetsOf(i).Overlaps(locals))
            {
                bool isLost = IsLost(i, state) && !_variables.AreHolding(i, state, locals);
                departures.Add(new Departure(info, info, isLost, resource.IsReturned, resource.Borrowers));
            }
        }

        _exits.Leave(exit, departures);
    }

    /// <summary>What becomes of a resource at a path's end; null when there is nothing to say.</summary>
    private Departure? Depart(int index, FlowState state)
    {
        ResourceState resource = state.GetResource(index);
        ResourceInfo info = _resources[index];
        if (resource.IsOrphaned)
        {
            return new Departure(info with { Site = _drops[index] }, info, !resource.IsReturned, resource.IsReturned, resource.Borrowers);
        }

        return resource.Status == ResourceStatus.Untracked || info.Rent is null
            ? null
            : new Departure(info, info, IsLost(index, state), resource.IsReturned, resource.Borrowers);
    }

    /// <summary>Whether this method alone has a resource. Whoever still works with it has it, too.</summary>
    private static bool IsLost(int index, FlowState state) =>
        state.GetResource(index) is { Status: ResourceStatus.Rented, IsEscaped: false } && !state.IsPending(index);

    /// <summary>A path ends: an exception leaves the method.</summary>
    internal void LeaveByException(FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (resource.IsReturned && _origins.IsRestart(resource.Origin))
            {
                _origins.EndClean(resource.Origin);
            }
            else if (resource is { Status: ResourceStatus.Rented, IsEscaped: false })
            {
                _exits.LeaveByException(_resources[i]);
            }
        }

        LookAtCallersVariables(state);
    }

    /// <summary>The caller's variables that hold what was returned: whoever returns by them returns it twice.</summary>
    private void LookAtCallersVariables(FlowState state)
    {
        foreach (int variable in _variables.References)
        {
            if (state.GetVariable(variable) is { Kind: ValueKind.Whole } value
                && state.GetResource(value.Resource) is { IsReturned: true } resource
                && _resources[value.Resource].Kind is BufferKind.Array or BufferKind.Block
                && !_stores.ContainsKey((variable, value.Resource)))
            {
                _evidence.Report(new Finding(FindingKind.LeftInCallersVariable, _origins.SiteOf(resource.Origin), null, _resources[value.Resource].Name));
            }
        }
    }

    private void LookAtResult(FlowState state)
    {
        if (state.Result.Kind is not (ValueKind.Whole or ValueKind.Part or ValueKind.Holder or ValueKind.Wrapper or ValueKind.Work))
        {
            return;
        }

        for (int i = 0; i < state.ResourceCount; i++)
        {
            if (!state.Result.Has(i))
            {
                continue;
            }

            ResourceInfo resource = _resources[i];
            if (resource.Kind == BufferKind.Pooled && state.Result.Kind == ValueKind.Whole)
            {
                continue;
            }

            FindingKind kind = state.Result.Kind == ValueKind.Work ? FindingKind.ReturnedWhileInUse
                : resource.Kind is BufferKind.Owner or BufferKind.Pooled ? FindingKind.PartOutlivesOwner
                : FindingKind.Escape;
            bool isBad = state.GetResource(i).IsReturned && (state.Result.Kind != ValueKind.Work || state.IsPending(i));
            _evidence.Observe(new Finding(kind, _evidence.ResultOf(state.Result) ?? resource.Site, resource.Site, resource.Name), isBad);
        }
    }
}
