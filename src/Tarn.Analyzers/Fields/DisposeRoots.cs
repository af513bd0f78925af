using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>Finds the methods of a type that run each time it is disposed.</summary>
internal static class DisposeRoots
{
    /// <summary>Classes of the base library whose Dispose calls Dispose(bool) every time, without testing whether it already did.</summary>
    private static readonly ImmutableHashSet<string> s_callingEachTime = ImmutableHashSet.Create(
        "Stream",
        "TextReader",
        "TextWriter",
        "BinaryReader",
        "BinaryWriter",
        "MemoryManager",
        "MemoryPool",
        "HttpContent",
        "HttpMessageHandler",
        "HashAlgorithm",
        "Component");

    /// <summary>Whether a type promises that it may be disposed more than once.</summary>
    /// <remarks>
    /// A ref struct does not: it lives in one method, whose using statement disposes it once. Enumerator structs, which foreach disposes,
    /// do not either, nor do private types that only implement IDisposable, because the enclosing type knows when it disposes them.
    /// </remarks>
    internal static bool IsDisposable(INamedTypeSymbol type) =>
        (HasInterface(type, "IDisposable", "IAsyncDisposable") || (type.IsValueType && HasPublicDispose(type)))
            && !IsOwnAffair(type)
            && type.TypeKind switch
            {
                TypeKind.Class => true,
                TypeKind.Struct => !type.IsRefLikeType && !HasInterface(type, "IEnumerator"),
                _ => false,
            };

    internal static bool IsRoot(IMethodSymbol method) => method switch
    {
        { IsStatic: true } => false,
        { Parameters.Length: 0 } => SimpleName(method) is "Dispose" or "DisposeAsync",
        { IsOverride: true, Name: "Dispose", Parameters.Length: 1 } =>
            method.Parameters[0].Type.SpecialType == SpecialType.System_Boolean && IsCalledEachTime(method),
        _ => false,
    };

    private static bool IsOwnAffair(INamedTypeSymbol type) =>
        type.DeclaredAccessibility == Accessibility.Private
        && type.BaseType is { SpecialType: SpecialType.System_Object or SpecialType.System_ValueType }
        && type.AllInterfaces.All(static candidate => candidate.Name is "IDisposable" or "IAsyncDisposable");

    private static bool HasPublicDispose(INamedTypeSymbol type) =>
        type.GetMembers("Dispose").Any(
            static member =>
                member is IMethodSymbol { DeclaredAccessibility: Accessibility.Public, IsStatic: false, Parameters.Length: 0 });

    /// <summary>Returns a method's name without the implemented interface.</summary>
    private static string SimpleName(IMethodSymbol method) => method.Name.Substring(method.Name.LastIndexOf('.') + 1);

    /// <summary>Whether the base class calls an override of Dispose(bool) at each Dispose; false if that cannot be seen.</summary>
    private static bool IsCalledEachTime(IMethodSymbol method)
    {
        bool isSeen = false;
        for (INamedTypeSymbol? type = method.ContainingType.BaseType;
            type is not null && type.SpecialType != SpecialType.System_Object;
            type = type.BaseType)
        {
            if (KnownSymbols.IsOfBaseLibrary(type))
            {
                return isSeen || DerivesFromCaller(type);
            }

            if (type.DeclaringSyntaxReferences.IsEmpty)
            {
                return false;
            }

            foreach (IMethodSymbol dispose in type.GetMembers().OfType<IMethodSymbol>().Where(static candidate => IsRootOfBase(candidate)))
            {
                if (!dispose.DeclaringSyntaxReferences.All(static reference => CallsPlainly(reference.GetSyntax())))
                {
                    return false;
                }

                isSeen = true;
            }
        }

        return isSeen;
    }

    private static bool IsRootOfBase(IMethodSymbol method) =>
        !method.IsStatic && method.Parameters.IsEmpty && SimpleName(method) == "Dispose";

    private static bool DerivesFromCaller(INamedTypeSymbol? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (s_callingEachTime.Contains(type.Name))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether a method calls Dispose(true) unconditionally.</summary>
    private static bool CallsPlainly(SyntaxNode method)
    {
        bool isCalling = false;
        foreach (SyntaxNode node in method.DescendantNodes())
        {
            switch (node)
            {
                case InvocationExpressionSyntax
                {
                    Expression: IdentifierNameSyntax { Identifier.ValueText: "Dispose" }, ArgumentList.Arguments: { Count: 1 } arguments,
                }
                    when arguments[0].Expression.IsKind(SyntaxKind.TrueLiteralExpression):
                    isCalling = true;
                    break;
                case StatementSyntax and not (BlockSyntax or ExpressionStatementSyntax or TryStatementSyntax):
                case ConditionalExpressionSyntax or ConditionalAccessExpressionSyntax or BinaryExpressionSyntax or SwitchExpressionSyntax
                    or ThrowExpressionSyntax or AnonymousFunctionExpressionSyntax:
                case InvocationExpressionSyntax
                {
                    Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: not "SuppressFinalize" },
                }:
                    return false;
            }
        }

        return isCalling;
    }

    private static bool HasInterface(INamedTypeSymbol type, params string[] names) =>
        type.AllInterfaces.Any(candidate => names.Contains(candidate.Name) && KnownSymbols.IsOfBaseLibrary(candidate));
}
