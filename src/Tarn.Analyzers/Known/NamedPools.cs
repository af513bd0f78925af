using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Recognizes by name the pools and owners of well-known packages that derive from no type of the base library.</summary>
internal static class NamedPools
{
    /// <summary>Returns whether a method rents an array, which may be longer than requested.</summary>
    internal static bool IsArrayRent(IMethodSymbol method) => method.Name switch
    {
        "Rent" => IsJsonPool(method.ContainingType),
        "TakeBuffer" => IsBufferManager(method.ContainingType),
        _ => false,
    };

    /// <summary>Returns whether a method returns its first argument to the pool.</summary>
    internal static bool IsArrayReturn(IMethodSymbol method) => method.Name switch
    {
        "Return" => IsJsonPool(method.ContainingType),
        "ReturnBuffer" => IsBufferManager(method.ContainingType),
        _ => false,
    };

    /// <summary>Returns whether a method hands out an owner that the caller must dispose.</summary>
    internal static bool IsOwnerRent(IMethodSymbol method) => method.Name switch
    {
        "Allocate" => method.IsStatic && IsSpanOwner(method.ContainingType),
        "GetStream" => method.ContainingType.Name == "RecyclableMemoryStreamManager" && IsStream(method.ReturnType),
        _ => false,
    };

    /// <summary>Returns whether a method of an owner gives the memory to another owner, and disposes the first.</summary>
    internal static bool IsSlice(IMethodSymbol method) => method.Name == "Slice" && IsOfToolkit(method.ContainingType, "MemoryOwner");

    /// <summary>Returns whether disposing an object of the type returns its memory to a pool.</summary>
    internal static bool IsOwner(ITypeSymbol type) => IsSpanOwner(type) || IsStream(type);

    /// <summary>Returns whether a type is a writer over pooled memory, which programs create themselves and must dispose.</summary>
    internal static bool IsWriter(ITypeSymbol? type) =>
        type is not null && (IsSequence(type) || IsOfToolkit(type, "ArrayPoolBufferWriter"));

    /// <summary>Returns whether a type is Nerdbank's sequence, which may be written to again after its disposal.</summary>
    internal static bool IsSequence(ITypeSymbol type) => Is(type, "Sequence", "Nerdbank.Streams");

    /// <summary>Returns whether a type is a stream over pooled memory. Versions before 3 hand out plain memory streams.</summary>
    internal static bool IsStream(ITypeSymbol? type) => type is not null && Is(type, "RecyclableMemoryStream", "Microsoft.IO");

    /// <summary>Returns whether a type is the owner of the community toolkit that lives on the stack.</summary>
    internal static bool IsSpanOwner(ITypeSymbol type) => IsOfToolkit(type, "SpanOwner");

    private static bool IsOfToolkit(ITypeSymbol type, string name) =>
        Is(type, name, "CommunityToolkit.HighPerformance.Buffers") || Is(type, name, "Microsoft.Toolkit.HighPerformance.Buffers");

    private static bool IsJsonPool(ITypeSymbol type) => Is(type, "IArrayPool", "Newtonsoft.Json");

    private static bool IsBufferManager(ITypeSymbol type) => Is(type, "BufferManager", "System.ServiceModel.Channels");

    private static bool Is(ITypeSymbol type, string name, string space) =>
        type.Name == name && Namespaces.Is(type.ContainingNamespace, space);
}
