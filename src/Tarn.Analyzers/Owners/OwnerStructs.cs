using System.Collections.Concurrent;
using System.Collections.Immutable;
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

    private readonly ConcurrentDictionary<ITypeSymbol, bool> _marked = new(SymbolEqualityComparer.Default);
    private readonly ImmutableHashSet<ISymbol> _leases;
    private readonly ImmutableHashSet<ISymbol> _known;

    internal OwnerStructs(Compilation compilation)
    {
        _leases = Resolve(
            compilation,
            "Tarn.BufferLease`1",
            "CommunityToolkit.HighPerformance.Buffers.SpanOwner`1",
            "Microsoft.Toolkit.HighPerformance.Buffers.SpanOwner`1");
        _known = _leases.Union(Resolve(compilation, "Tarn.ScratchBuffer`1"));
    }

    /// <summary>
    /// Whether a compilation can have owners: it knows some by name, or it or an assembly that it refers to can mark types as owners.
    /// </summary>
    internal bool Exist(Compilation compilation) =>
        !_known.IsEmpty || Marks.Exist(compilation, Mark);

    /// <summary>Whether each copy of a value of the type returns the same buffer.</summary>
    internal bool IsOwner(ITypeSymbol? type) =>
        type is { TypeKind: TypeKind.Struct }
            && (_known.Contains(type.OriginalDefinition)
                || _marked.GetOrAdd(type.OriginalDefinition, static candidate => IsMarked(candidate)));

    /// <summary>Whether the default value of the type has no buffer.</summary>
    internal bool IsEmptyByDefault(ITypeSymbol? type) => type is not null && _leases.Contains(type.OriginalDefinition);

    /// <summary>
    /// Whether a type is marked. Only the attribute's name counts, because each library declares its own; and the type must return
    /// something.
    /// </summary>
    private static bool IsMarked(ITypeSymbol type) =>
        type.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == Mark)
        && type.GetMembers().Any(static member => member is IMethodSymbol { Name: "Dispose" or "Free" or "Return", IsStatic: false });

    private static ImmutableHashSet<ISymbol> Resolve(Compilation compilation, params string[] names) =>
        names.Select(compilation.GetTypeByMetadataName).OfType<ISymbol>().ToImmutableHashSet<ISymbol>(SymbolEqualityComparer.Default);
}
