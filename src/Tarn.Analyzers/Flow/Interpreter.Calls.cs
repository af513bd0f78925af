using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
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
        if (!_known.IsTask(operation.Type))
        {
            MayThrow(operation, state);
        }

        if (operation.Initializer is { } initializer)
        {
            Visit(initializer, state);
        }

        if (kept == 0)
        {
            return Value.NotNull;
        }

        return _known.IsMemory(operation.Type) ? _values.PartOf(operation.Arguments[0].Value, operation.Arguments.RemoveAt(0), kept, state)
            : _known.IsTask(operation.Type) ? new Value(ValueKind.Work, kept)
            : KnownSymbols.HoldsMemory(operation.Type) ? new Value(ValueKind.Holder, kept)
            : operation.Type is { IsRecord: true } || operation.Arguments.Any(static argument => argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol) ? Wrapped(kept)
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
            PassArguments(operation.Arguments, state);
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
            if (instance.IsOfResource && Sinks.FillsAll(method))
            {
                BufferContents.RecordFilled(instance.Resources, instance.IsToEnd ? method : null, state);
            }

            _oversized.CheckReceiver(operation, instance, passed, state);
        }

        if (!(isGuard && method.Name is "ReferenceEquals" or "KeepAlive"))
        {
            MayThrow(operation, state);
        }

        if (!isOfBaseLibrary)
        {
            ForgetFields(state);
        }
        else if (operation.Instance is IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } collection)
        {
            Collect(collection.Field, operation, state);
        }
        else if (operation.Instance is { } made && _variables.IndexOf(made) is >= 0 and int index && state.GetVariable(index).Kind is ValueKind.NotNull or ValueKind.Wrapper)
        {
            state.SetVariable(index, WithElements(operation, state.GetVariable(index), state));
        }

        foreach (IArgumentOperation argument in operation.Arguments)
        {
            if (KnownSymbols.Ensures(argument.Parameter) is { } answer)
            {
                Assume(argument.Value, answer, state);
            }
        }

        passed |= instance.IsOfResource ? instance.Resources : 0;
        if (passed == 0)
        {
            return KnownSymbols.ReturnsFreshArray(method) ? Value.Fresh : Value.Unknown;
        }

        if (isOfBaseLibrary ? Sinks.Clears(method) : ClearingSyntax.IsClearingName(method.Name))
        {
            BufferContents.RecordCleared(passed, state);
        }

        if (_known.IsTask(method.ReturnType))
        {
            return StartWork(operation, passed, state);
        }

        return _known.IsMemory(method.ReturnType) && (isOfBaseLibrary || IsOwner(instance))
            ? _values.PartOf(operation, passed, state)
            : KnownSymbols.IsDeferred(method) ? new Value(ValueKind.Holder, passed)
            : KnownSymbols.ReturnsFreshArray(method) ? Value.Fresh
            : Value.Unknown;
    }

    private bool IsOwner(Value value) => value.Kind == ValueKind.Whole && _resources[value.Resource].Kind is BufferKind.Owner or BufferKind.Pooled;

    /// <summary>A task's own members: some go on with the work, some wait for it, and of the rest nothing is known.</summary>
    private Value CallOnWork(IInvocationOperation operation, Value work, FlowState state)
    {
        MayThrow(operation, state);
        switch (operation.TargetMethod.Name)
        {
            case "ConfigureAwait" or "AsTask" or "Preserve" or "GetAwaiter":
                return work;
            case "WaitAsync" when operation.Arguments.Length > 0:
                state.Doubtful |= work.Resources;
                return work;
            default:
                state.Pending &= ~work.Resources;
                return Value.Unknown;
        }
    }

    private static Value StartWork(IInvocationOperation operation, ulong passed, FlowState state)
    {
        IMethodSymbol method = operation.TargetMethod;
        switch (method.Name)
        {
            case "FromResult" or "FromException" or "FromCanceled":
                // What is done already holds nothing.
                return Value.Unknown;
            case "WhenAny" when !IsResultDropped(operation.Syntax):
                // Which one is done is asked for: what the answer means for the others is not followed.
                Share(new Value(ValueKind.Work, passed), state);
                state.Pending &= ~passed;
                return Value.Unknown;
            case "WhenAny":
                return Value.Unknown;
        }

        state.Pending |= passed;
        if (Writes(method) && operation.Arguments.Any(IsCancellation))
        {
            state.Doubtful |= passed;
        }

        return new Value(ValueKind.Work, passed);
    }

    private static bool IsResultDropped(SyntaxNode call)
    {
        for (SyntaxNode? node = call.Parent; node is ExpressionSyntax or ArgumentListSyntax; node = node.Parent)
        {
            if (node is AwaitExpressionSyntax { Parent: ExpressionStatementSyntax })
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a method fills what it is passed.</summary>
    private static bool Writes(IMethodSymbol method) =>
        method.Name.StartsWith("Read", StringComparison.Ordinal) || method.Name.StartsWith("Receive", StringComparison.Ordinal);

    /// <summary>Whether a token is passed that may be cancelled.</summary>
    private static bool IsCancellation(IArgumentOperation argument) =>
        argument is { ArgumentKind: ArgumentKind.Explicit, Parameter.Type.Name: "CancellationToken" }
        && argument.Value is not (IDefaultValueOperation or IPropertyReferenceOperation { Property.Name: "None" });

    /// <summary>A callee gets a resource: it borrows it, surely or as far as can be seen, or keeps it.</summary>
    private void Hand(Value value, IArgumentOperation argument, FlowState state)
    {
        IParameterSymbol? parameter = argument.Parameter;
        if (parameter is null || KnownSymbols.Keeps(parameter))
        {
            Share(value, state);
        }
        else if (!_known.Borrows(parameter))
        {
            Lend(value, parameter, state);
        }
    }

    /// <summary>Whether a lambda is run as a task that the caller gets at once, so that nobody here can wait for it.</summary>
    private static bool IsRunForCaller(IArgumentOperation argument) =>
        argument is { Value: IDelegateCreationOperation, Parent: IInvocationOperation { TargetMethod: { Name: "Run", ContainingType.Name: "Task" } method } call }
        && KnownSymbols.IsOfBaseLibrary(method)
        && call.Syntax.Parent is ReturnStatementSyntax or ArrowExpressionClauseSyntax;

    /// <summary>Visits what is passed, and tells the resources among it that the callee has now.</summary>
    private ulong PassArguments(ImmutableArray<IArgumentOperation> arguments, FlowState state)
    {
        ulong passed = 0;
        foreach (IArgumentOperation argument in arguments)
        {
            Value value = Visit(argument.Value, state);
            CheckArgument(argument, value, state);
            IParameterSymbol? parameter = argument.Parameter;
            if (parameter?.RefKind is RefKind.Ref or RefKind.Out)
            {
                Share(value, state);
                AssignUnknown(argument.Value, state);
                continue;
            }

            if (value.Kind == ValueKind.Work)
            {
                // Somebody waits for it, or nobody does: it is not seen. What is a task again, made of one or several, is seen.
                if (parameter?.ContainingSymbol is IMethodSymbol callee && _known.IsTask(callee.MethodKind == MethodKind.Constructor ? callee.ContainingType : callee.ReturnType))
                {
                    passed |= value.Resources;
                }
                else
                {
                    state.Pending &= ~value.Resources;
                }

                continue;
            }

            if (value.Kind == ValueKind.Wrapper)
            {
                passed |= IsRunForCaller(argument) ? value.Resources : 0;
                Unwrap(argument, state);
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
                Hand(value, argument, state);
            }
        }

        if (arguments.Any(argument => argument.Parameter?.RefKind == RefKind.Out && _known.IsMemory(argument.Parameter.Type)))
        {
            // Memory of what was passed comes out.
            Share(new Value(ValueKind.Part, passed), state);
        }

        return passed;
    }

    private void CheckArgument(IArgumentOperation argument, Value value, FlowState state)
    {
        if (argument.Parameter is not { ContainingSymbol: IMethodSymbol method } parameter)
        {
            return;
        }

        if (parameter.RefKind is RefKind.Ref or RefKind.Out)
        {
            _contents.RecordElement(argument.Value, argument.Value, state);
            return;
        }

        _oversized.CheckArgument(argument, method, parameter, value, state);
        if (value.IsOfResource)
        {
            _contents.RecordPassed(argument.Parent, method, parameter, value, state);
        }
    }
}
