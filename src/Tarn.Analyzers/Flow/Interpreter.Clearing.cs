using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <content>What is in a buffer when it goes back: references, secrets, or nothing.</content>
internal sealed partial class Interpreter
{
    /// <summary>Resources that a field held when the method began.</summary>
    private readonly HashSet<int> _ofFields = [];

    /// <summary>A variable that somebody else filled is read first.</summary>
    private void NoteForeign(int resource, ISymbol symbol, FlowState state)
    {
        if (symbol.Kind == SymbolKind.Field)
        {
            _ofFields.Add(resource);
        }

        if (KnownSymbols.IsSensitive(symbol))
        {
            state.SetResource(resource, state.GetResource(resource) with { IsSecret = true });
        }
    }

    /// <summary>An element is assigned, or a member of one: something, or nothing.</summary>
    private void NoteElement(IOperation target, IOperation assigned, FlowState state)
    {
        Value array = target switch
        {
            IArrayElementReferenceOperation element => Peek(element.ArrayReference, state),
            IImplicitIndexerReferenceOperation element => Peek(element.Instance, state),
            IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } instance } when _known.IsMemory(instance.Type) => Peek(instance, state),
            _ => Value.Unknown,
        };
        if (target is ILocalReferenceOperation { Local.RefKind: RefKind.Ref } && IsDefault(assigned))
        {
            // It may be an element of any of them.
            state.Change(ulong.MaxValue, static resource => resource with { IsCleared = true });
            return;
        }

        if (target is IMemberReferenceOperation { Instance: { Type.IsValueType: true } changed } && !array.IsOfResource)
        {
            // A member of an element: the others stay what they are.
            NoteElement(changed, target, state);
            return;
        }

        if (!array.IsOfResource)
        {
            return;
        }

        if (IsDefault(assigned))
        {
            state.Change(array.Resources, static resource => resource with { IsCleared = true });
        }
        else
        {
            NoteFilled(array.Resources, filler: null, state);
        }
    }

    private static bool IsDefault(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        IDefaultValueOperation => true,
        { ConstantValue: { HasValue: true, Value: null or 0 or '\0' or (byte)0 } } => true,
        _ => false,
    };

    /// <summary>A buffer is passed: the callee may fill it, and what it fills it with may be a secret.</summary>
    private void NotePassed(IOperation? call, IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
    {
        bool isOfBaseLibrary = KnownSymbols.IsOfBaseLibrary(method);
        bool isRead = isOfBaseLibrary && (_known.IsMemory(method.ReturnType) || parameter.Type.Name is "ReadOnlySpan" or "ReadOnlyMemory" || Sinks.Reads(method, parameter));
        if (!isRead)
        {
            NoteFilled(value.Resources, isOfBaseLibrary && Sinks.FillsAll(method) && value.IsToEnd ? method : null, state);
        }

        if (Secrets.IsMadeBy(method, parameter) || (!isRead && isOfBaseLibrary && CopiesSecret(call, method)))
        {
            state.SetResource(value.Resource, state.GetResource(value.Resource) with { IsSecret = true, IsFilled = true, IsCleared = false });
        }
    }

    /// <summary>Whether a call copies or encodes what is named for a secret into what it is passed.</summary>
    private bool CopiesSecret(IOperation? call, IMethodSymbol method) =>
        method.Name is "CopyTo" or "TryCopyTo" or "Copy" or "BlockCopy" or "GetBytes" or "TryGetBytes" or "GetChars" or "TryGetChars"
        && call is IInvocationOperation copying
        && _known.IsSecretName(NameOf(TextOf(method is { Name: "CopyTo" or "TryCopyTo", IsStatic: false } ? copying.Instance : copying.Arguments.FirstOrDefault()?.Value)));

    /// <summary>The variable that a span or a memory is made of.</summary>
    private static IOperation? TextOf(IOperation? shown) => KnownSymbols.WithoutConversions(shown) switch
    {
        IInvocationOperation { TargetMethod.Name: "AsSpan" or "AsMemory" } call => KnownSymbols.WithoutConversions(SourceOf(call)),
        { } plain => plain,
        null => null,
    };

    /// <summary>Something stored in a variable that is marked to hold a secret, or named so, is one.</summary>
    private void NoteSecret(IOperation target, Value value, FlowState state)
    {
        if (value.IsOfResource && ((target is IMemberReferenceOperation member && KnownSymbols.IsSensitive(member.Member)) || _known.IsSecretName(NameOf(target))))
        {
            state.SetResource(value.Resource, state.GetResource(value.Resource) with { IsSecret = true });
        }
    }

    /// <summary>An array goes back to its pool, with what is in it.</summary>
    private void LookAtContents(IInvocationOperation call, IArgumentOperation returned, int index, ResourceInfo info, FlowState state)
    {
        ResourceState resource = state.GetResource(index);
        bool isKept = !resource.IsCleared && _known.KeepsContents(call);
        ITypeSymbol? element = (KnownSymbols.WithoutConversions(returned.Value)?.Type as IArrayTypeSymbol)?.ElementType;
        if ((resource.IsFilled || _ofFields.Contains(index)) && HoldsReferences(element) && !IsOfParameter(element))
        {
            bool mayClear = (info.Rent is null || ClearingSyntax.UsesPointers(call.Syntax)) && ClearingSyntax.ClearsSomething(call.Syntax);
            _evidence.Observe(new Finding(FindingKind.ReferencesUncleared, call.Syntax, info.Site, info.Name), isKept && !mayClear && !ClearingSyntax.AsksForReferences(call.Syntax));
        }

        LookForSecret(call, isKept, NameOf(returned.Value), resource, info);
    }

    /// <summary>An owner from a pool is disposed, with what is in its memory.</summary>
    private void LookAtContents(IInvocationOperation call, int index, ResourceInfo info, FlowState state)
    {
        if (info.Rent is { Kind: BufferKind.Owner, IsExact: false })
        {
            ResourceState resource = state.GetResource(index);
            LookForSecret(call, !resource.IsCleared, info.Name, resource, info);
        }
    }

    private void LookForSecret(IInvocationOperation call, bool isKept, string name, ResourceState resource, ResourceInfo info)
    {
        if (!resource.IsSecret && !((resource.IsFilled || info.Rent is null) && (_known.IsSecretName(info.Name) || _known.IsSecretName(name))))
        {
            return;
        }

        bool mayClear = isKept && (info.Rent is null || resource.IsEscaped || ClearingSyntax.UsesPointers(call.Syntax)) && ClearingSyntax.ClearsSomething(call.Syntax);
        _evidence.Observe(new Finding(FindingKind.SecretUncleared, call.Syntax, info.Site, info.Name), isKept && !mayClear);
    }

    private static string NameOf(IOperation? operation) => KnownSymbols.WithoutConversions(operation) switch
    {
        ILocalReferenceOperation local => local.Local.Name,
        IParameterReferenceOperation parameter => parameter.Parameter.Name,
        IMemberReferenceOperation member => member.Member.Name,
        _ => string.Empty,
    };

    /// <summary>Whether what the elements are is for the user of generic code to say, and is not seen.</summary>
    private static bool IsOfParameter(ITypeSymbol? element) =>
        element is ITypeParameterSymbol { IsReferenceType: false }
        || (element is INamedTypeSymbol { IsValueType: true } named && named.TypeArguments.Any(IsOfParameter));

    /// <summary>Whether elements of an array keep other objects alive.</summary>
    private static bool HoldsReferences(ITypeSymbol? element) => element switch
    {
        { TypeKind: TypeKind.Error } => false,
        { IsReferenceType: true } => true,
        { TypeKind: TypeKind.Struct, IsUnmanagedType: false } => true,
        _ => false,
    };
}
