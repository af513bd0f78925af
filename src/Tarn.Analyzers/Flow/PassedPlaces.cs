using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what a local variable holds after a callee received it by reference.</summary>
internal sealed class PassedPlaces(MethodContext context, ResourceTransitions transitions, VariableAccess variables)
{
    /// <summary>Applies what a callee does with a variable; returns false if that is not known.</summary>
    internal bool TryPass(IArgumentOperation argument, Value value, FlowState state)
    {
        IOperation place = argument.Value is IDeclarationExpressionOperation declared ? declared.Expression : argument.Value;
        if (place is not ILocalReferenceOperation { Local: { RefKind: RefKind.None } local }
            || argument.Parent is not IInvocationOperation call
            || context.Variables.IndexOf(place) < 0
            || context.Variables.IsCaptured(place)
            || context.Summaries.LeftIn(argument.Parameter) is not { } left)
        {
            return false;
        }

        value = argument.Parameter!.RefKind == RefKind.Out ? Value.Unknown : value;
        transitions.Use(argument.Value, value, state);
        switch (left.Source)
        {
            case BufferSource.Other:
                BufferContents.RecordFilled(value.IsOfResource ? value.Resources : 0, filler: null, state);
                return true;
            case BufferSource.Fresh:
                return TryMake(call, local, place, value, left, state);
            case BufferSource.Null:
                return TryTakeBack(call, argument, place, value, left, state);
            default:
                return TryRent(call, argument, local, place, value, left, state);
        }
    }

    /// <summary>Puts a new array in a variable: no pool may get it. Code that can compare it with the old one can tell.</summary>
    private bool TryMake(IInvocationOperation call, ILocalSymbol local, IOperation place, Value value, LeftBuffer left, FlowState state)
    {
        bool canTell = value.Kind == ValueKind.Whole && context.Variables.AreHolding(value.Resource, state, [local.Name]);
        if (left.MayBeNull || canTell || !(left.IsAlways || call.TargetMethod.ReturnsVoid))
        {
            return false;
        }

        state.Escape(value);
        variables.Assign(place, Value.Fresh, state);
        return true;
    }

    private bool TryTakeBack(
        IInvocationOperation call, IArgumentOperation argument, IOperation place, Value value, LeftBuffer left, FlowState state)
    {
        if (!left.IsAlways || value.Kind != ValueKind.Whole)
        {
            return false;
        }

        if (left.ReturnsOld)
        {
            transitions.ReturnThrough(call, argument, value.Resource, state);
        }
        else
        {
            state.Escape(value);
        }

        variables.Assign(place, Value.Null, state);
        return true;
    }

    /// <summary>
    /// Puts a rented buffer in a variable. If that depends on a condition, and the old buffer goes back, the variable still has one buffer.
    /// </summary>
    private bool TryRent(
        IInvocationOperation call,
        IArgumentOperation argument,
        ILocalSymbol local,
        IOperation place,
        Value value,
        LeftBuffer left,
        FlowState state)
    {
        if (!left.IsAlways)
        {
            return !left.MayBeNull && left.ReturnsOld && value.Kind == ValueKind.Whole;
        }

        if (left.ReturnsOld && value.Kind == ValueKind.Whole)
        {
            transitions.ReturnThrough(call, argument, value.Resource, state);
        }

        BufferKind kind = local.Type is IArrayTypeSymbol ? BufferKind.Array : BufferKind.Owner;
        RentCall rent = new(kind, null, IsExact: true, context.Known.IsScarceOwner(local.Type)) { MayBeNull = left.MayBeNull };
        int resource = context.Resources.IndexOf(argument.Syntax, rent, local.Name);
        if (resource < 0)
        {
            return false;
        }

        transitions.Acquire(resource, ResourceStatus.Rented, state);
        variables.Assign(place, Value.Whole(resource), state);
        if (left.Results is { } results)
        {
            context.Outcomes.Add(call.Syntax, new Outcome(resource, IsOffered: false, results));
        }

        return true;
    }
}
