using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Follows builders: structs that begin with memory of their creator, rent an array when they need more, and return it in Dispose.
/// </summary>
/// <remarks>
/// A builder is a resource from its creation on, but it is rented only on paths that call a method which may rent. Whether that method did
/// rent, the path does not show, so a builder that is lost is only information.
/// </remarks>
internal sealed class Builders(MethodContext context, ResourceTransitions transitions)
{
    /// <summary>Creates a builder.</summary>
    internal Value Make(IObjectCreationOperation creation, FlowState state)
    {
        RentCall rent = new(BufferKind.Pooled, null, IsExact: true, IsScarce: false) { IsBuilder = true };
        int resource = context.Resources.IndexOf(creation.Syntax, rent, name: null);
        if (resource < 0)
        {
            return Value.NotNull;
        }

        transitions.Acquire(resource, ResourceStatus.Rented, state);
        state.SetResource(resource, default);
        return Value.Whole(resource);
    }

    internal bool IsBuilder(Value value) =>
        value.Kind == ValueKind.Whole && context.Resources[value.Resource].Rent is { IsBuilder: true };

    /// <summary>Applies a call on a builder.</summary>
    internal void Call(IInvocationOperation call, Value builder, FlowState state)
    {
        IMethodSymbol method = call.TargetMethod;
        if (context.Known.MembersOf(method.ContainingType) is not { } members)
        {
            state.Escape(builder);
            return;
        }

        if (members.Ends(method))
        {
            transitions.DisposeOwner(call, builder, state);
        }
        else if (members.Grows(method))
        {
            Grow(builder, state);
        }

        if (!SymbolEqualityComparer.Default.Equals(method.ReturnType, method.ContainingType) && MayTake(method.ReturnType))
        {
            state.Escape(builder);
        }
    }

    /// <summary>
    /// Records that code reads a property of a builder, or of its memory. Code that asks whether there is anything in it knows on which
    /// paths it cannot have rented.
    /// </summary>
    internal void RecordRead(IPropertyReferenceOperation property, Value value)
    {
        bool isAsked = property.Property.Name == "IsEmpty"
            || (property.Property.Name is "Length" or "Count" && property.Parent is IBinaryOperation comparison
                && IsZero(comparison.LeftOperand == property ? comparison.RightOperand : comparison.LeftOperand));
        if (!isAsked || !value.IsOfResource || !IsAnyBuilder(value.Resources))
        {
            return;
        }

        // What another builder of the method got depends on the same conditions.
        for (int i = 0; i < context.Resources.Count; i++)
        {
            if (context.Resources[i].Rent is { IsBuilder: true })
            {
                context.Exits.MayBeEmpty(context.Resources[i]);
            }
        }
    }

    private bool IsAnyBuilder(ulong resources)
    {
        bool isAny = false;
        for (int i = 0; i < context.Resources.Count; i++)
        {
            isAny |= (resources & (1UL << i)) != 0 && context.Resources[i].Rent is { IsBuilder: true };
        }

        return isAny;
    }

    private static bool IsZero(IOperation operand) => operand.ConstantValue is { HasValue: true, Value: 0 or 1 };

    /// <summary>Passes a builder by reference; returns false if the value is no builder, or if what the method does is not seen.</summary>
    internal bool TryPass(IArgumentOperation argument, Value value, FlowState state)
    {
        if (!IsBuilder(value) || context.Summaries.BuilderUseOf(argument.Parameter) is not { } use)
        {
            return false;
        }

        if (use == BuilderUse.Grows)
        {
            Grow(value, state);
        }

        return true;
    }

    private static void Grow(Value builder, FlowState state)
    {
        ResourceState resource = state.GetResource(builder.Resource);
        if (resource.Status is ResourceStatus.Untracked or ResourceStatus.Returned)
        {
            state.SetResource(builder.Resource, new ResourceState(ResourceStatus.Rented) { IsEscaped = resource.IsEscaped });
        }
    }

    /// <summary>Returns whether a result may be the array of a builder, or own it.</summary>
    private static bool MayTake(ITypeSymbol result) =>
        result.SpecialType is SpecialType.None or SpecialType.System_Object
        && result.TypeKind != TypeKind.Enum
        && !(result.IsRefLikeType && KnownSymbols.IsMemory(result));
}
