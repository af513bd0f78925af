using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
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
    private readonly ConcurrentDictionary<IMethodSymbol, bool> _makers = new(SymbolEqualityComparer.Default);

    internal bool Contains(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: false } named
        && _types.GetOrAdd(named.OriginalDefinition, static candidate => ReturnsWhenDisposed(candidate));

    /// <summary>
    /// Returns whether a constructor of a class rents the array that only Dispose returns, so that an object never disposed loses it.
    /// </summary>
    internal bool RentsWhenMade(IMethodSymbol? constructor) =>
        constructor is { ContainingType: { TypeKind: TypeKind.Class } type }
        && Contains(type)
        && _makers.GetOrAdd(constructor.OriginalDefinition, static candidate =>
            Rents(candidate) && !EndsWithoutDispose(candidate.ContainingType));

    private static bool Rents(IMethodSymbol constructor)
    {
        IFieldSymbol[] fields = [.. constructor.ContainingType.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic)];
        return fields.Any(static field => field.Type is IArrayTypeSymbol)
            && (constructor.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax())
                    .OfType<ConstructorDeclarationSyntax>().Any(static source => CallsOnPool(source, "Rent"))
                || fields.SelectMany(static field => field.DeclaringSyntaxReferences)
                    .Any(static reference => CallsOnPool(reference.GetSyntax(), "Rent")));
    }

    /// <summary>Returns whether a method other than Dispose returns the array for good, itself or through a method of the type.</summary>
    private static bool EndsWithoutDispose(INamedTypeSymbol type)
    {
        (IMethodSymbol Method, SyntaxNode Source)[] methods =
        [
            .. type.GetMembers().OfType<IMethodSymbol>()
                .SelectMany(static method => method.DeclaringSyntaxReferences.Select(reference => (method, reference.GetSyntax()))),
        ];
        HashSet<string> ending =
        [
            .. methods.Where(static one => CallsOnPool(one.Source, "Return") && !CallsOnPool(one.Source, "Rent"))
                .Select(static one => one.Method.Name),
            "Dispose",
        ];
        return methods.Any(one =>
            one.Method is { DeclaredAccessibility: not Accessibility.Private, Name: not ("Dispose" or "DisposeAsync" or "Finalize") }
            && (ending.Contains(one.Method.Name)
                || one.Source.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call => ending.Contains(NameOf(call)))));
    }

    private static string NameOf(InvocationExpressionSyntax call) => call.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        SimpleNameSyntax name => name.Identifier.ValueText,
        _ => string.Empty,
    };

    private static bool ReturnsWhenDisposed(ITypeSymbol type) =>
        type.GetMembers("Dispose").OfType<IMethodSymbol>()
            .SelectMany(static dispose => dispose.DeclaringSyntaxReferences)
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
            .OfType<InvocationExpressionSyntax>()
            .Any(static call => IsOnPool(call, "Return"));

    private static bool CallsOnPool(SyntaxNode source, string name) =>
        source.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call => IsOnPool(call, name));

    private static bool IsOnPool(InvocationExpressionSyntax call, string name) =>
        call.ArgumentList.Arguments.Count > 0
        && call.Expression is MemberAccessExpressionSyntax access
        && access.Name.Identifier.ValueText == name
        && access.Expression.ToString().IndexOf("pool", StringComparison.OrdinalIgnoreCase) >= 0;
}
