using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Moving;

/// <summary>Finds calls that take a part of an array as three arguments, and have an overload that takes a span.</summary>
internal static class SpanOverloads
{
    /// <summary>
    /// Returns the call to which a name passes an array, its start and its count, or in which it is the array's length in one of these.
    /// Returns null if there is none, or if the method has no overload that takes a span in their place.
    /// </summary>
    internal static InvocationExpressionSyntax? FindRange(IdentifierNameSyntax name, SemanticModel model, CancellationToken cancellation)
    {
        ExpressionSyntax used = name;
        if (name.Parent is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Length" } length && length.Expression == name)
        {
            used = length;
        }

        if (used.FirstAncestorOrSelf<ArgumentSyntax>()?.Parent is not ArgumentListSyntax { Parent: InvocationExpressionSyntax call } list
            || list.Arguments.Any(static one => one.NameColon is not null)
            || model.GetSymbolInfo(call, cancellation).Symbol is not IMethodSymbol method
            || method.Parameters.Length != list.Arguments.Count)
        {
            return null;
        }

        int first = list.Arguments.IndexOf(one => one.Expression is IdentifierNameSyntax array
            && array.Identifier.ValueText == name.Identifier.ValueText);
        int place = list.Arguments.IndexOf(used.FirstAncestorOrSelf<ArgumentSyntax>()!);
        return first >= 0
            && (used == name ? place == first && name.Parent is ArgumentSyntax { RefKindKeyword.RawKind: 0 } : place - first is 1 or 2)
            && HasOverload(method, first)
                ? call
                : null;
    }

    private static bool HasOverload(IMethodSymbol method, int first)
    {
        if (first + 2 >= method.Parameters.Length
            || method.Parameters[first].Type is not IArrayTypeSymbol { Rank: 1 } array
            || method.Parameters[first + 1].Type.SpecialType != SpecialType.System_Int32
            || method.Parameters[first + 2].Type.SpecialType != SpecialType.System_Int32)
        {
            return false;
        }

        for (INamedTypeSymbol? type = method.ContainingType; type is not null; type = type.BaseType)
        {
            foreach (IMethodSymbol other in type.GetMembers(method.Name).OfType<IMethodSymbol>())
            {
                if (other.IsStatic == method.IsStatic
                    && other.DeclaredAccessibility == Accessibility.Public
                    && other.Parameters.Length == method.Parameters.Length - 2
                    && SymbolEqualityComparer.Default.Equals(other.ReturnType, method.ReturnType)
                    && other.Parameters[first].Type is INamedTypeSymbol { Name: "Span" or "ReadOnlySpan", TypeArguments.Length: 1 } span
                    && SymbolEqualityComparer.Default.Equals(span.TypeArguments[0], array.ElementType)
                    && Enumerable.Range(0, other.Parameters.Length).All(i => i == first || SymbolEqualityComparer.Default.Equals(
                        other.Parameters[i].Type, method.Parameters[i < first ? i : i + 2].Type)))
                {
                    return true;
                }
            }
        }

        return false;
    }
}
