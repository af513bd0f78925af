using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Compares namespaces with their full names without composing text, because many operations ask.</summary>
internal static class Namespaces
{
    /// <summary>Returns whether a symbol is directly in a namespace.</summary>
    internal static bool Has(string space, ISymbol symbol) => symbol.ContainingType is null && Is(symbol.ContainingNamespace, space);

    /// <summary>Returns whether a type is directly in one of the namespaces of Tarn's libraries.</summary>
    internal static bool HasTarns(ISymbol symbol) =>
        symbol.ContainingType is null
        && (Is(symbol.ContainingNamespace, "Tarn") || Is(symbol.ContainingNamespace, "Tarn.Native")
            || Is(symbol.ContainingNamespace, "Tarn.SharedMemory"));

    /// <summary>Returns whether a namespace has a full name.</summary>
    internal static bool Is(INamespaceSymbol? space, string name)
    {
        int end = name.Length;
        while (space is { IsGlobalNamespace: false, Name: { } part })
        {
            int start = end - part.Length;
            if (start < 0 || string.CompareOrdinal(name, start, part, 0, part.Length) != 0)
            {
                return false;
            }

            space = space.ContainingNamespace;
            if (start == 0)
            {
                return space is null or { IsGlobalNamespace: true };
            }

            end = start - 1;
            if (name[end] != '.')
            {
                return false;
            }
        }

        return false;
    }

    /// <summary>Returns whether a namespace has a full name, or is inside one that has it.</summary>
    internal static bool IsInside(INamespaceSymbol? space, string name)
    {
        for (; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
        {
            if (Is(space, name))
            {
                return true;
            }
        }

        return false;
    }
}
