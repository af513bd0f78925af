using System.Collections.Concurrent;
using System.Linq;
using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Owners;

/// <summary>
/// Recognizes structs that own a buffer: those of Tarn, those of the community toolkit, and those marked as not to be copied.
/// </summary>
internal sealed class OwnerStructs
{
    private const string Mark = "NonCopyableAttribute";
    private const string Tarn = "Tarn";
    private const string Lease = "BufferLease";
    private const string Scratch = "ScratchBuffer";
    private const string Writer = "ScratchWriter";
    private const string Span = "SpanOwner";

    private readonly ConcurrentDictionary<ITypeSymbol, bool> _marked = new(SymbolEqualityComparer.Default);

    /// <summary>Whether a compilation can have owners: it, or an assembly that it refers to, declares some or a mark for them.</summary>
    internal static bool Exist(Compilation compilation) => Marks.Exist(compilation, Mark, Lease, Scratch, Writer, Span);

    /// <summary>Whether each copy of a value of the type returns the same buffer.</summary>
    internal bool IsOwner(ITypeSymbol? type) =>
        type is { TypeKind: TypeKind.Struct }
            && (IsLease(type) || (type.Name is Scratch or Writer && Namespaces.Has(Tarn, type))
                || _marked.GetOrAdd(type.OriginalDefinition, static candidate => IsMarked(candidate)));

    /// <summary>Whether the default value of the type has no buffer.</summary>
    internal static bool IsEmptyByDefault(ITypeSymbol? type) => type is { TypeKind: TypeKind.Struct } && IsLease(type);

    private static bool IsLease(ITypeSymbol type) =>
        (type.Name == Lease && Namespaces.Has(Tarn, type)) || (type.Name == Span && NamedPools.IsSpanOwner(type));

    /// <summary>
    /// Whether a type is marked. Only the attribute's name counts, because each library declares its own; and the type must return
    /// something.
    /// </summary>
    private static bool IsMarked(ITypeSymbol type) =>
        type.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == Mark)
        && type.GetMembers().Any(static member => member is IMethodSymbol { Name: "Dispose" or "Free" or "Return", IsStatic: false });
}
