using System;
using System.Collections.Concurrent;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Finds the types of the source whose Dispose returns an array to a pool, so that memory they expose must not outlive them.
/// </summary>
internal sealed class PooledTypes
{
    private readonly ConcurrentDictionary<ITypeSymbol, bool> _types = new(SymbolEqualityComparer.Default);

    internal bool Contains(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: false } named
        && _types.GetOrAdd(named.OriginalDefinition, static candidate => ReturnsWhenDisposed(candidate));

    private static bool ReturnsWhenDisposed(ITypeSymbol type) =>
        type.GetMembers("Dispose").OfType<IMethodSymbol>()
            .SelectMany(static dispose => dispose.DeclaringSyntaxReferences)
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
            .OfType<InvocationExpressionSyntax>()
            .Any(IsReturn);

    private static bool IsReturn(InvocationExpressionSyntax call) =>
        call.ArgumentList.Arguments.Count > 0
        && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Return" } access
        && access.Expression.ToString().IndexOf("pool", StringComparison.OrdinalIgnoreCase) >= 0;
}
