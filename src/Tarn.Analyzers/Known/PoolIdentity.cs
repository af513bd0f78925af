using System;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Identifies the pool in an expression: the shared pool of an element type, or one created for a field.</summary>
internal sealed class PoolIdentity(ISymbol symbol, ITypeSymbol type, bool isShared) : IEquatable<PoolIdentity>
{
    private ISymbol Symbol { get; } = symbol;

    private ITypeSymbol Type { get; } = type;

    /// <summary>Gets a value indicating whether it is the one pool of the process.</summary>
    internal bool IsShared { get; } = isShared;

    /// <summary>Gets its name in messages.</summary>
    internal string Name => IsShared ? $"{Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)}.{Symbol.Name}" : Symbol.Name;

    public bool Equals(PoolIdentity? other) =>
        other is not null
        && SymbolEqualityComparer.Default.Equals(Symbol.OriginalDefinition, other.Symbol.OriginalDefinition)
        && (!IsShared || SymbolEqualityComparer.Default.Equals(Type, other.Type));

    public override bool Equals(object? obj) => Equals(obj as PoolIdentity);

    public override int GetHashCode() => SymbolEqualityComparer.Default.GetHashCode(Symbol.OriginalDefinition);
}
