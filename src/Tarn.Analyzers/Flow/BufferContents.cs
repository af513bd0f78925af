using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what is in a buffer (references or nothing) when it is returned.</summary>
internal sealed class BufferContents(MethodContext context, ValueLookup values)
{
    /// <summary>Resources that a field held when the method began.</summary>
    private readonly HashSet<int> _fromFields = [];

    /// <summary>Records that a resource comes from a variable that other code filled.</summary>
    internal void RecordForeign(int resource, ISymbol symbol)
    {
        if (symbol.Kind == SymbolKind.Field)
        {
            _fromFields.Add(resource);
        }
    }

    /// <summary>Records that an element, or a member of one, is assigned: a default value clears, anything else fills.</summary>
    internal void RecordElement(IOperation target, IOperation assigned, FlowState state)
    {
        Value array = target switch
        {
            IArrayElementReferenceOperation element => values.Peek(element.ArrayReference, state),
            IImplicitIndexerReferenceOperation element => values.Peek(element.Instance, state),
            IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } instance } when KnownSymbols.IsMemory(instance.Type) =>
                values.Peek(instance, state),
            _ => Value.Unknown,
        };
        if (target is ILocalReferenceOperation { Local.RefKind: RefKind.Ref } && IsDefault(assigned))
        {
            // The reference may be to an element of any buffer.
            RecordCleared(ulong.MaxValue, state);
            return;
        }

        if (target is IMemberReferenceOperation { Instance: { Type.IsValueType: true } changed } && !array.IsOfResource)
        {
            // Only one member of an element is assigned; its other members do not change.
            RecordElement(changed, target, state);
            return;
        }

        if (!array.IsOfResource)
        {
            return;
        }

        if (IsDefault(assigned))
        {
            RecordCleared(array.Resources, state);
        }
        else
        {
            RecordFilled(array.Resources, filler: null, state);
        }
    }

    /// <summary>Records that a buffer is passed: the callee may fill it.</summary>
    internal static void RecordPassed(IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
    {
        bool isOfBaseLibrary = KnownSymbols.IsOfBaseLibrary(method);
        bool isRead = isOfBaseLibrary
            && (KnownSymbols.IsMemory(method.ReturnType)
                || parameter.Type.Name is "ReadOnlySpan" or "ReadOnlyMemory"
                || Sinks.Reads(method, parameter));

        // A collection only stores the array.
        if (!isRead && !(isOfBaseLibrary && KnownSymbols.IsAdding(method) && KnownSymbols.Keeps(parameter)))
        {
            RecordFilled(value.Resources, isOfBaseLibrary && Sinks.FillsAll(method) && value.IsToEnd ? method : null, state);
        }
    }

    /// <summary>Records that code may have written to buffers.</summary>
    /// <param name="resources">The resources, a bit for each.</param>
    /// <param name="filler">The method that wrote the whole buffer; null if it may have written a part.</param>
    /// <param name="state">The state.</param>
    internal static void RecordFilled(ulong resources, IMethodSymbol? filler, FlowState state) => state.Change(resources, resource =>
    {
        bool isPadded = resource.IsPadded || filler is { Name: "Fill" };
        return resource with { IsFilled = true, IsFull = isPadded || filler is not null, IsPadded = isPadded, IsCleared = false };
    });

    /// <summary>Records that the contents of buffers were cleared.</summary>
    internal static void RecordCleared(ulong resources, FlowState state) =>
        state.Change(resources, static resource => resource with { IsCleared = true });

    /// <summary>Checks the contents of an array that goes back to its pool.</summary>
    internal void CheckReturned(IInvocationOperation call, IOperation returned, int index, FlowState state)
    {
        ResourceInfo info = context.Resources[index];
        ResourceState resource = state.GetResource(index);
        bool isKept = !resource.IsCleared && context.Known.KeepsContents(call);
        ITypeSymbol? element = (KnownSymbols.WithoutConversions(returned)?.Type as IArrayTypeSymbol)?.ElementType;
        if ((resource.IsFilled || _fromFields.Contains(index)) && HoldsReferences(element) && !IsOfParameter(element))
        {
            bool mayClear = (info.Rent is null || ClearingSyntax.UsesPointers(call.Syntax)) && ClearingSyntax.ClearsSomething(call.Syntax);
            context.Evidence.Observe(
                new Finding(FindingKind.ReferencesUncleared, call.Syntax, info.Site, info.Name),
                isKept && !mayClear && !ClearingSyntax.AsksForReferences(call.Syntax));
        }
    }

    private static bool IsDefault(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        IDefaultValueOperation => true,
        { ConstantValue: { HasValue: true, Value: null or 0 or '\0' or (byte)0 } } => true,
        _ => false,
    };

    /// <summary>Returns whether the element type is a type parameter, so that the method does not show what the elements are.</summary>
    private static bool IsOfParameter(ITypeSymbol? element) =>
        element is ITypeParameterSymbol { IsReferenceType: false }
        || (element is INamedTypeSymbol { IsValueType: true } named && named.TypeArguments.Any(IsOfParameter));

    /// <summary>Returns whether elements of an array keep other objects alive.</summary>
    private static bool HoldsReferences(ITypeSymbol? element) => element switch
    {
        { TypeKind: TypeKind.Error } => false,
        { IsReferenceType: true } => true,
        { TypeKind: TypeKind.Struct, IsUnmanagedType: false } => true,
        _ => false,
    };
}
