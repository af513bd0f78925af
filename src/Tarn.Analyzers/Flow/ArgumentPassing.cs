using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Answers what a callee does with the values that it gets: it reads or fills them, borrows them, keeps them, or takes them over.
/// </summary>
internal sealed class ArgumentPassing(
    MethodContext context,
    BufferContents contents,
    BufferStores stores,
    OversizedUses oversized,
    ResourceTransitions transitions,
    VariableAccess variables,
    Builders builders)
{
    private readonly PassedPlaces _places = new(context, transitions, variables);

    /// <summary>Passes the value of an argument and returns the resources that the callee holds from then on, a bit for each.</summary>
    internal ulong Pass(IArgumentOperation argument, Value value, FlowState state)
    {
        Inspect(argument, value, state);
        stores.RecordLent(argument, state);
        if (argument.Parameter?.RefKind is RefKind.Ref or RefKind.Out)
        {
            if (!builders.TryPass(argument, value, state) && !_places.TryPass(argument, value, state))
            {
                state.Escape(value);
                variables.AssignUnknown(argument.Value, state);
            }

            return 0;
        }

        switch (value.Kind)
        {
            case ValueKind.Work:
                return PendingWork.Pass(value, argument.Parameter, state);
            case ValueKind.Wrapper:
                stores.RecordPassed(argument, state);
                return IsRunForCaller(argument) || StartedWork.IsStarted(argument) ? value.Resources : 0;
            default:
                return value.IsOfResource ? PassBuffer(argument, value, state) : 0;
        }
    }

    /// <summary>Passes the receiver of a call to a method of an extension block. Returns it if it is also the result.</summary>
    internal Value PassReceiver(IInvocationOperation call, Value receiver, FlowState state)
    {
        ParameterEffect effect = context.Summaries.EffectOnReceiver(call.TargetMethod) ?? ParameterEffect.MayKeep;
        bool isArray = receiver.Kind == ValueKind.Whole && context.Resources[receiver.Resource].Kind == BufferKind.Array;
        if ((effect & ParameterEffect.Returns) != 0 && isArray && (effect & ParameterEffect.MayKeep) == 0)
        {
            transitions.ReturnThrough(call, call.Instance!, receiver.Resource, state);
            return Value.Unknown;
        }

        transitions.Use(call.Instance!, receiver, state);
        if ((effect & (ParameterEffect.Keeps | ParameterEffect.MayKeep | ParameterEffect.Returns)) != 0)
        {
            state.Escape(receiver);
        }

        return (effect & ParameterEffect.HandsBack) != 0 ? receiver : Value.Unknown;
    }

    private ulong PassBuffer(IArgumentOperation argument, Value value, FlowState state)
    {
        bool isOwned = context.Known.TakesOwnership(argument.Parameter);
        bool isDeclared = isOwned || context.Known.Borrows(argument.Parameter);
        ParameterEffect? effect = isDeclared ? null : context.Summaries.EffectOf(argument.Parameter);
        bool isReturned = effect is { } returning && (returning & ParameterEffect.Returns) != 0;
        if (isReturned
            && value.Kind == ValueKind.Whole
            && context.Resources[value.Resource].Kind == BufferKind.Array
            && argument.Parameter!.Type is not IArrayTypeSymbol)
        {
            // The callee may only dispose what can be disposed, which arrays cannot.
            isReturned = false;
            effect = ParameterEffect.MayKeep;
        }

        if (isReturned && value.Kind == ValueKind.Whole && argument.Parent is IInvocationOperation call)
        {
            if (call.Arguments.Any(other => KnownSymbols.IsTask(other.Parameter?.Type)))
            {
                // The callee can wait for the task that it gets before it returns the buffer.
                state.SettleWork(value.Resources);
            }

            transitions.ReturnThrough(call, argument.Value, value.Resource, state);
            return 0;
        }

        transitions.Use(argument.Value, value, state);
        if (isOwned)
        {
            transitions.Give(argument, value, state);
            return 0;
        }

        if (!isDeclared && TryOffer(argument, effect, value, state))
        {
            return value.Resources;
        }

        bool isSeen = effect is { } seen && (seen & ParameterEffect.MayKeep) == 0;
        if (argument.Parameter is not { } parameter
            || (effect is null && argument.Parent is IInvocationOperation { TargetMethod.MethodKind: MethodKind.Constructor })
            || (isSeen ? (effect & (ParameterEffect.Keeps | ParameterEffect.Returns)) != 0 : KnownSymbols.Keeps(parameter)))
        {
            state.Escape(value);
        }
        else if (!isSeen && !context.Known.Borrows(parameter))
        {
            transitions.Lend(value, parameter, state);
        }

        return value.Resources;
    }

    /// <summary>Offers a rented buffer to a callee whose result tells if it took it; returns false if that is not known.</summary>
    private bool TryOffer(IArgumentOperation argument, ParameterEffect? effect, Value value, FlowState state)
    {
        if (effect is not { } taking
            || (taking & (ParameterEffect.Keeps | ParameterEffect.MayKeep)) == 0
            || value.Kind != ValueKind.Whole
            || argument.Parent is not IInvocationOperation call
            || !state.IsLost(value.Resource)
            || context.Resources[value.Resource].Rent is null
            || context.Summaries.ResultsOn(argument.Parameter!) is not { } results)
        {
            return false;
        }

        state.SetResource(value.Resource, state.GetResource(value.Resource) with { IsOffered = true });
        context.Outcomes.Add(call.Syntax, new Outcome(value.Resource, IsOffered: true, results));
        return true;
    }

    /// <summary>Inspects what the callee does with the contents of an argument.</summary>
    private void Inspect(IArgumentOperation argument, Value value, FlowState state)
    {
        if (argument.Parameter is not { ContainingSymbol: IMethodSymbol method } parameter)
        {
            return;
        }

        if (parameter.RefKind is RefKind.Ref or RefKind.Out)
        {
            contents.RecordElement(argument.Value, argument.Value, state);
            return;
        }

        oversized.CheckArgument(argument, method, parameter, value, state);
        if (value.IsOfResource)
        {
            BufferContents.RecordPassed(method, parameter, value, state);
        }
    }

    /// <summary>Returns whether a lambda runs as a task that the caller receives at once, so that nothing here can wait for it.</summary>
    private static bool IsRunForCaller(IArgumentOperation argument) =>
        argument is { Value: IDelegateCreationOperation, Parent: IInvocationOperation { TargetMethod: var method } call }
        && method.Name == "Run"
        && method.ContainingType.Name == "Task"
        && KnownSymbols.IsOfBaseLibrary(method)
        && call.Syntax.Parent is ReturnStatementSyntax or ArrowExpressionClauseSyntax;
}
