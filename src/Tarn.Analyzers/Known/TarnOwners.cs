using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Recognizes by name the writers, sequences and shared buffers of Tarn, and the methods that hand them out.</summary>
internal static class TarnOwners
{
    /// <summary>Returns whether disposing an object of the type returns its memory.</summary>
    internal static bool IsOwner(ITypeSymbol type) => IsWriter(type) || EndsOnce(type) || Is(type, "OwnedSequence") || IsScope(type);

    /// <summary>Returns whether a type hands out native memory that ends with it: a scope of a heap, or a frame of a scope.</summary>
    internal static bool IsScope(ITypeSymbol? type) => type?.Name is "NativeScope" or "NativeFrame" && Is(type, type.Name, arity: 0);

    /// <summary>Returns whether a method of a scope or frame hands out memory of it.</summary>
    internal static bool IsOfScope(IMethodSymbol method) => method.Name is "Allocate" or "AllocateZeroed" && IsScope(method.ContainingType);

    /// <summary>Returns whether a type is a writer, which programs create themselves and must dispose.</summary>
    internal static bool IsWriter(ITypeSymbol? type) =>
        type?.Name is "PooledWriter" or "SequenceBuilder" or "ScratchWriter" && Is(type, type.Name);

    /// <summary>Returns whether a type is a writer whose contents are in one piece, which moves when it grows.</summary>
    internal static bool IsContiguousWriter(ITypeSymbol? type) => type?.Name is "PooledWriter" or "ScratchWriter" && Is(type, type.Name);

    /// <summary>Returns whether a type is a holder of a shared buffer, whose second disposal throws.</summary>
    internal static bool EndsOnce(ITypeSymbol? type) => type?.Name is "CountedBuffer" or "CountedSlice" && Is(type, type.Name);

    /// <summary>Returns whether a method hands out an owner that the caller must dispose.</summary>
    internal static bool IsRent(IMethodSymbol method) => method.Name switch
    {
        "Rent" or "Slice" or "DetachSlice" => EndsOnce(method.ReturnType) && Namespaces.HasTarns(method.ContainingType),
        "Detach" => IsWriter(method.ContainingType),
        "AllocateBuffer" => Is(method.ContainingType, "NativeHeap", arity: 0),
        "CreateScope" or "CreateFrame" => IsScope(method.ReturnType),
        "BeginRead" or "BeginWrite" => IsInQueue(method.ReturnType),
        "TryLeaseMemory" or "LeaseMemoryAsync" => Is(method.ContainingType, "BufferBudgetExtensions", arity: 0),
        _ => false,
    };

    /// <summary>
    /// Returns whether a type is a message in shared memory, or room for one. Commit, Pass and Dispose end it.
    /// </summary>
    internal static bool IsInQueue(ITypeSymbol? type) =>
        type?.Name is "SharedRoom" or "SharedMessage" && Is(type, type.Name, arity: 0);

    /// <summary>Returns whether a method begins a message in shared memory, if its result is true.</summary>
    internal static bool BeginsInQueue(IMethodSymbol method) =>
        method.Name is "TryBeginRead" or "TryBeginWrite" or "BeginRead" or "BeginWrite"
        && method.ReturnType.SpecialType == SpecialType.System_Boolean
        && method.ContainingType.Name is "SharedRing" or "SharedQueue" or "SharedTopic" or "SharedTopicReader"
        && Namespaces.HasTarns(method.ContainingType);

    private static bool Is(ITypeSymbol type, string name, int arity = 1) =>
        type is INamedTypeSymbol named && named.Name == name && named.Arity == arity && Namespaces.HasTarns(type);
}
