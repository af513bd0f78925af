using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers what is in a buffer (references, a secret or nothing) when it is returned.</summary>
internal sealed class BufferContents(MethodContext context, ValueLookup values)
{
    /// <summary>Resources that a field held when the method began.</summary>
    private readonly HashSet<int> _fromFields = [];

    /// <summary>Records that a resource comes from a variable that other code filled.</summary>
    internal void RecordForeign(int resource, ISymbol symbol, FlowState state)
    {
        if (symbol.Kind == SymbolKind.Field)
        {
            _fromFields.Add(resource);
        }

        if (KnownSymbols.IsSensitive(symbol))
        {
            state.SetResource(resource, state.GetResource(resource) with { IsSecret = true });
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

    /// <summary>Records that a buffer is passed: the callee may fill it, possibly with a secret.</summary>
    internal void RecordPassed(IOperation? call, IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
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

        if (Secrets.IsMadeBy(method, parameter) || (!isRead && isOfBaseLibrary && CopiesSecret(call, method)))
        {
            ResourceState resource = state.GetResource(value.Resource);
            state.SetResource(value.Resource, resource with { IsSecret = true, IsFilled = true, IsCleared = false });
        }
    }

    /// <summary>Records that a buffer is stored in a variable that is marked or named as a secret.</summary>
    internal void RecordSecret(IOperation target, Value value, FlowState state)
    {
        if (!value.IsOfResource)
        {
            return;
        }

        bool isMarked = target is IMemberReferenceOperation member && KnownSymbols.IsSensitive(member.Member);
        if (isMarked || context.Known.IsSecretName(NameOf(target)))
        {
            state.SetResource(value.Resource, state.GetResource(value.Resource) with { IsSecret = true });
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

        CheckSecret(call, isKept, NameOf(returned), resource, info);
    }

    /// <summary>Checks the contents of the memory of a disposed owner.</summary>
    internal void CheckDisposed(IInvocationOperation call, int index, FlowState state)
    {
        ResourceInfo info = context.Resources[index];
        if (info.Rent is { Kind: BufferKind.Owner, IsExact: false })
        {
            ResourceState resource = state.GetResource(index);
            CheckSecret(call, !resource.IsCleared, info.Name, resource, info);
        }
    }

    private void CheckSecret(IInvocationOperation call, bool isKept, string name, ResourceState resource, ResourceInfo info)
    {
        bool isFilled = resource.IsFilled || info.Rent is null;
        if (!resource.IsSecret && !(isFilled && (context.Known.IsSecretName(info.Name) || context.Known.IsSecretName(name))))
        {
            return;
        }

        bool mayClear = isKept
            && (info.Rent is null || resource.IsEscaped || ClearingSyntax.UsesPointers(call.Syntax))
            && ClearingSyntax.ClearsSomething(call.Syntax);
        context.Evidence.Observe(new Finding(FindingKind.SecretUncleared, call.Syntax, info.Site, info.Name), isKept && !mayClear);
    }

    /// <summary>Returns whether a call copies or encodes something named as a secret to its argument.</summary>
    private bool CopiesSecret(IOperation? call, IMethodSymbol method)
    {
        if (call is not IInvocationOperation copying
            || method.Name is not ("CopyTo" or "TryCopyTo" or "Copy" or "BlockCopy"
                or "GetBytes" or "TryGetBytes" or "GetChars" or "TryGetChars"))
        {
            return false;
        }

        bool isOfInstance = method is { Name: "CopyTo" or "TryCopyTo", IsStatic: false };
        IOperation? source = isOfInstance ? copying.Instance : copying.Arguments.FirstOrDefault()?.Value;
        return context.Known.IsSecretName(NameOf(TextOf(source)));
    }

    /// <summary>Returns the variable that a span or a memory is made from.</summary>
    private static IOperation? TextOf(IOperation? shown) => KnownSymbols.WithoutConversions(shown) switch
    {
        IInvocationOperation { TargetMethod.Name: "AsSpan" or "AsMemory" } call =>
            KnownSymbols.WithoutConversions(ValueLookup.SourceOf(call)),
        var plain => plain,
    };

    private static bool IsDefault(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        IDefaultValueOperation => true,
        { ConstantValue: { HasValue: true, Value: null or 0 or '\0' or (byte)0 } } => true,
        _ => false,
    };

    private static string NameOf(IOperation? operation) => KnownSymbols.WithoutConversions(operation) switch
    {
        ILocalReferenceOperation local => local.Local.Name,
        IParameterReferenceOperation parameter => parameter.Parameter.Name,
        IMemberReferenceOperation member => member.Member.Name,
        _ => string.Empty,
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
