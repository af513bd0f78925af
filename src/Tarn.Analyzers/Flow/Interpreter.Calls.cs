using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>Calls: who hands out, takes back, borrows, keeps.</content>
internal sealed partial class Interpreter
{
    public override Value VisitInvocation(IInvocationOperation operation, FlowState state)
    {
        if (_known.IsDispose(operation))
        {
            Value owner = Visit(operation.Instance!, state);
            GiveBackOwner(operation, owner, state);
            return Value.Unknown;
        }

        if (_known.AsReturn(operation) is { } returned)
        {
            if (operation.Instance is { } pool)
            {
                Visit(pool, state);
            }

            Value value = Value.Unknown;
            foreach (IArgumentOperation argument in operation.Arguments)
            {
                Value visited = Visit(argument.Value, state);
                value = ReferenceEquals(argument, returned) ? visited : value;
            }

            GiveBack(operation, returned, value, state);
            return Value.Unknown;
        }

        return _known.AsRent(operation) is { } rent ? Rent(operation, rent, state) : Call(operation, state);
    }

    public override Value VisitObjectCreation(IObjectCreationOperation operation, FlowState state)
    {
        ulong kept = PassArguments(operation.Arguments, state);
        MayThrow(operation, state);
        if (operation.Initializer is { } initializer)
        {
            Visit(initializer, state);
        }

        if (kept == 0 || Sinks.IsCopy(operation.Type))
        {
            return Value.NotNull;
        }

        return _known.IsMemory(operation.Type) ? PartOf(operation.Arguments[0].Value, operation.Arguments.RemoveAt(0), kept, state)
            : KnownSymbols.IsOfBaseLibrary(operation.Type) ? new Value(ValueKind.Holder, kept)
            : Value.NotNull;
    }

    private Value Rent(IInvocationOperation operation, RentCall rent, FlowState state)
    {
        if (operation.Instance is { } pool)
        {
            Visit(pool, state);
        }

        PassArguments(operation.Arguments, state);
        MayThrow(operation, state);
        int resource = _resources.IndexOf(operation, rent);
        if (resource < 0)
        {
            return Value.NotNull;
        }

        Begin(resource, ResourceStatus.Rented, state);
        return Value.Whole(resource);
    }

    private Value Call(IInvocationOperation operation, FlowState state)
    {
        Value instance = operation.Instance is null ? Value.Unknown : Visit(operation.Instance, state);
        IMethodSymbol method = operation.TargetMethod;
        bool isOfBaseLibrary = KnownSymbols.IsOfBaseLibrary(method);
        if (instance.Kind == ValueKind.Work)
        {
            foreach (IArgumentOperation argument in operation.Arguments)
            {
                Visit(argument.Value, state);
            }

            return CallOnWork(operation, instance, state);
        }

        if (operation.Instance is { } receiver && !(instance.Kind == ValueKind.Holder && Sinks.IsQuietDispose(operation)))
        {
            Use(receiver, instance, state);
        }

        bool isGuard = isOfBaseLibrary && method.Name is "ThrowIfNull" or "ThrowIfNullOrEmpty" or "ReferenceEquals" or "KeepAlive";
        ulong passed = isGuard ? 0 : PassArguments(operation.Arguments, state);
        if (isGuard)
        {
            foreach (IArgumentOperation argument in operation.Arguments)
            {
                Visit(argument.Value, state);
            }
        }

        if (operation.Instance is not null)
        {
            LookAtReceiver(operation, instance, passed, state);
        }

        MayThrow(operation, state);
        if (!isOfBaseLibrary)
        {
            ForgetFields(state);
        }

        passed |= instance.IsOfResource ? instance.Resources : 0;
        if (passed == 0)
        {
            return Value.Unknown;
        }

        if (isOfBaseLibrary ? Sinks.Clears(method) : ClearingSyntax.TellsClearing(method.Name))
        {
            MarkCleared(passed, state);
        }

        if (_known.IsTask(method.ReturnType))
        {
            return StartWork(method, passed, state);
        }

        return isOfBaseLibrary && _known.IsMemory(method.ReturnType) ? PartOf(operation, passed, state) : Value.Unknown;
    }

    /// <summary>A task's own members: some go on with the work, some wait for it, and of the rest nothing is known.</summary>
    private Value CallOnWork(IInvocationOperation operation, Value work, FlowState state)
    {
        MayThrow(operation, state);
        switch (operation.TargetMethod.Name)
        {
            case "ConfigureAwait" or "AsTask" or "Preserve" or "GetAwaiter":
                return work;
            default:
                state.Pending &= ~work.Resources;
                return Value.Unknown;
        }
    }

    private static Value StartWork(IMethodSymbol method, ulong passed, FlowState state)
    {
        // What is done already holds nothing.
        if (method.Name is "FromResult" or "FromException" or "FromCanceled")
        {
            return Value.Unknown;
        }

        state.Pending |= passed;
        return new Value(ValueKind.Work, passed);
    }

    /// <summary>Visits what is passed, and tells the resources among it that the callee has now.</summary>
    private ulong PassArguments(System.Collections.Immutable.ImmutableArray<IArgumentOperation> arguments, FlowState state)
    {
        ulong passed = 0;
        foreach (IArgumentOperation argument in arguments)
        {
            Value value = Visit(argument.Value, state);
            LookAtSink(argument, value, state);
            IParameterSymbol? parameter = argument.Parameter;
            if (parameter?.RefKind is RefKind.Ref or RefKind.Out)
            {
                Share(value, state);
                AssignUnknown(argument.Value, state);
                continue;
            }

            if (value.Kind == ValueKind.Work)
            {
                // Somebody waits for it, or nobody does: it is not seen. What is made of several tasks is seen.
                if (argument.ArgumentKind == ArgumentKind.ParamArray || parameter?.Type is IArrayTypeSymbol || _known.IsTask(parameter?.Type))
                {
                    passed |= value.Resources;
                }
                else
                {
                    state.Pending &= ~value.Resources;
                }

                continue;
            }

            if (!value.IsOfResource)
            {
                continue;
            }

            Use(argument.Value, value, state);
            if (_known.TakesOwnership(parameter))
            {
                End(value, state);
            }
            else
            {
                passed |= value.Resources;
                if (!_known.Borrows(parameter))
                {
                    Share(value, state);
                }
            }
        }

        return passed;
    }
}
