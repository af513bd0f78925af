using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what a call or a constructor returns, given the resources that it was passed.</summary>
internal sealed class CallResults(MethodContext context, ValueLookup values)
{
    /// <summary>Returns the result of a call.</summary>
    /// <param name="call">The call.</param>
    /// <param name="instance">The value it is made on.</param>
    /// <param name="arguments">What it was passed.</param>
    /// <param name="state">The state.</param>
    internal Value Of(IInvocationOperation call, Value instance, Passed arguments, FlowState state)
    {
        IMethodSymbol method = call.TargetMethod;
        if (arguments.HandedBack.IsOfResource)
        {
            return KnownSymbols.IsMemory(call.Type) ? new Value(ValueKind.Part, arguments.HandedBack.Resources) : arguments.HandedBack;
        }

        ulong passed = arguments.Resources;
        bool isOfBaseLibrary = KnownSymbols.IsOfBaseLibrary(method);
        passed |= instance.IsOfResource ? instance.Resources : 0;
        Value withoutMemory = KnownSymbols.ReturnsFreshArray(method) ? Value.Fresh : Value.Unknown;
        if (passed == 0)
        {
            return withoutMemory;
        }

        if (isOfBaseLibrary ? Sinks.Clears(method) : ClearingSyntax.IsClearingName(method.Name))
        {
            BufferContents.RecordCleared(passed, state);
        }

        if (KnownSymbols.IsTask(method.ReturnType))
        {
            return PendingWork.Start(call, passed, state);
        }

        StartedWork.Start(call, passed, state);

        if (method.Name == "GetBuffer" && context.Resources.StreamsIn(instance.Resources) != 0)
        {
            return instance.As(ValueKind.Part);
        }

        if (KnownSymbols.IsMemory(method.ReturnType) && (isOfBaseLibrary || IsOwner(instance)))
        {
            return values.PartOf(call, passed, state);
        }

        return KnownSymbols.IsDeferred(method) ? new Value(ValueKind.Holder, passed) : withoutMemory;
    }

    /// <summary>Returns the object that a constructor creates.</summary>
    internal Value Of(IObjectCreationOperation creation, ulong passed, FlowState state)
    {
        if (passed == 0)
        {
            return Value.NotNull;
        }

        if (StartedWork.Make(creation, passed, state) is { Kind: ValueKind.Work } started)
        {
            return started;
        }

        // What is created over a stream, such as a reader, disposes the stream.
        state.Escape(new Value(ValueKind.Part, context.Resources.StreamsIn(passed)));
        ImmutableArray<IArgumentOperation> arguments = creation.Arguments;
        if (KnownSymbols.IsMemory(creation.Type))
        {
            return values.PartOf(arguments[0].Value, arguments.RemoveAt(0), passed, state);
        }

        if (KnownSymbols.IsTask(creation.Type))
        {
            return new Value(ValueKind.Work, passed);
        }

        if (KnownSymbols.HoldsMemory(creation.Type))
        {
            return new Value(ValueKind.Holder, passed);
        }

        bool isWrapper = creation.Type is { IsRecord: true }
            || arguments.Any(static argument => argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol);
        return isWrapper ? Value.Wrapped(passed) : Value.NotNull;
    }

    private bool IsOwner(Value value) =>
        value.Kind == ValueKind.Whole && context.Resources[value.Resource].Kind is BufferKind.Owner or BufferKind.Pooled;
}
