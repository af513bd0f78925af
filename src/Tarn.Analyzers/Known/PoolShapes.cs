using System;
using System.Collections.Concurrent;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Recognizes types with the shape of an array pool: one method hands out an array for a length, another takes it back.</summary>
internal sealed class PoolShapes
{
    private static readonly string[] s_rents = ["Rent", "Take", "Acquire", "Lease", "Get"];
    private static readonly string[] s_returns = ["Return", "Release", "GiveBack", "Free", "Put"];

    private readonly ConcurrentDictionary<ITypeSymbol, bool> _types = new(SymbolEqualityComparer.Default);

    /// <summary>Returns whether a method of such a type hands out an array.</summary>
    internal bool IsRent(IMethodSymbol method) => IsNamedPool(method.ContainingType) && Rents(method.OriginalDefinition) && IsPool(method);

    /// <summary>Returns whether a method of such a type takes an array back.</summary>
    internal bool IsReturn(IMethodSymbol method) =>
        IsNamedPool(method.ContainingType) && TakesBack(method.OriginalDefinition) && IsPool(method);

    /// <summary>Returns whether a type is named like a pool: asked first, so that the members of most types are not read.</summary>
    private static bool IsNamedPool(ITypeSymbol? type) => type is not null && type.Name.EndsWith("Pool", StringComparison.Ordinal);

    private bool IsPool(IMethodSymbol method) =>
        method.ContainingType is { } type
        && !KnownSymbols.IsOfBaseLibrary(type)
        && _types.GetOrAdd(type.OriginalDefinition, static candidate => HasShape(candidate));

    private static bool HasShape(ITypeSymbol type) =>
        type.GetMembers().OfType<IMethodSymbol>().Where(Rents).Any(rent =>
            type.GetMembers().OfType<IMethodSymbol>().Where(TakesBack)
                .Any(back => SymbolEqualityComparer.Default.Equals(back.Parameters[0].Type, rent.ReturnType)));

    private static bool Rents(IMethodSymbol method) =>
        method is { ReturnType: IArrayTypeSymbol, MethodKind: MethodKind.Ordinary, Parameters.Length: > 0 }
        && method.Parameters[0].Type.SpecialType == SpecialType.System_Int32
        && StartsWith(method.Name, s_rents);

    private static bool TakesBack(IMethodSymbol method) =>
        method is { MethodKind: MethodKind.Ordinary, Parameters.Length: > 0 }
        && method.Parameters[0] is { Type: IArrayTypeSymbol, RefKind: RefKind.None }
        && StartsWith(method.Name, s_returns);

    private static bool StartsWith(string name, string[] words) => words.Any(word => name.StartsWith(word, StringComparison.Ordinal));
}
