using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether nothing but memory of a rented buffer is kept, so that no code can return it.</summary>
internal static class KeptParts
{
    /// <summary>Returns whether only a span of an array, or only the memory of an owner, is made from the result of a rent.</summary>
    internal static bool IsAllOf(IInvocationOperation rent, BufferKind kind) => kind switch
    {
        BufferKind.Array => IsSpanOf(rent),
        BufferKind.Owner => rent.Parent is IPropertyReferenceOperation { Property.Name: "Memory" or "Span" } property
            && property.Instance == rent
            && KnownSymbols.IsMemory(property.Type),
        _ => false,
    };

    /// <summary>
    /// Returns whether nothing leads from memory of a type back to the buffer that it shows: a span shows no array, and a memory no owner.
    /// </summary>
    internal static bool LeadsNowhere(ITypeSymbol? memory, ResourceInfo buffer) => buffer.Rent is { IsBuilder: false } && buffer.Kind switch
    {
        BufferKind.Array => IsSpan(memory),
        BufferKind.Owner => buffer.Rent.IsStream is false && KnownSymbols.IsMemory(memory),
        _ => false,
    };

    private static bool IsSpanOf(IOperation array) => array.Parent switch
    {
        IConversionOperation { Type: IArrayTypeSymbol } => IsSpanOf(array.Parent),
        IConversionOperation conversion => IsSpan(conversion.Type),
        IArgumentOperation { Parent: IInvocationOperation { TargetMethod.Name: "AsSpan" } call } =>
            IsSpan(call.Type) && KnownSymbols.IsOfBaseLibrary(call.TargetMethod),
        IArgumentOperation { Parent: IObjectCreationOperation creation } => IsSpan(creation.Type),
        _ => false,
    };

    /// <summary>Returns whether a type shows memory without telling which array it is in.</summary>
    private static bool IsSpan(ITypeSymbol? type) => type is { IsRefLikeType: true } && KnownSymbols.IsMemory(type);
}
