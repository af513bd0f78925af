using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers which methods a call of an overridable method may run, if only this compilation can add more.</summary>
internal sealed class Overrides(Compilation compilation)
{
    /// <summary>The most methods that are listed: where there are more, one of them is likely to keep its arguments.</summary>
    private const int Most = 24;

    private readonly System.Lazy<List<INamedTypeSymbol>> _types = new(() => TypesIn(compilation.Assembly.GlobalNamespace));

    /// <summary>Returns the methods that a call may run; null if code outside of the compilation can add one.</summary>
    internal IReadOnlyList<IMethodSymbol>? Of(IMethodSymbol called)
    {
        IMethodSymbol method = called.OriginalDefinition;
        if (!SymbolEqualityComparer.Default.Equals(method.ContainingAssembly, compilation.Assembly) || !IsClosed(method))
        {
            return null;
        }

        List<IMethodSymbol> methods = method.IsAbstract ? [] : [method];
        foreach (INamedTypeSymbol type in _types.Value)
        {
            IMethodSymbol? own = method.ContainingType.TypeKind == TypeKind.Interface
                ? ImplementationIn(type, method)
                : Derives(type, method.ContainingType)
                ? type.GetMembers(method.Name).OfType<IMethodSymbol>().FirstOrDefault(one => IsOverrideOf(one, method))
                : null;
            if (own is not null)
            {
                methods.Add(own);
            }
        }

        return methods.Count is 0 or > Most ? null : methods;
    }

    /// <summary>Returns whether code outside cannot override a method, because it sees neither the method nor a constructor.</summary>
    private static bool IsClosed(IMethodSymbol method)
    {
        bool isClosed = IsInternal(method)
            || (method.ContainingType.TypeKind == TypeKind.Class && method.ContainingType.InstanceConstructors.All(IsInternal));
        for (INamedTypeSymbol? type = method.ContainingType; type is not null && !isClosed; type = type.ContainingType)
        {
            isClosed = IsInternal(type);
        }

        return isClosed;
    }

    private static bool IsInternal(ISymbol symbol) =>
        symbol.DeclaredAccessibility is Accessibility.Private or Accessibility.Internal or Accessibility.ProtectedAndInternal;

    private static IMethodSymbol? ImplementationIn(INamedTypeSymbol type, IMethodSymbol method)
    {
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct))
        {
            return null;
        }

        INamedTypeSymbol? implemented = type.AllInterfaces.FirstOrDefault(one =>
            SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, method.ContainingType));
        ISymbol? member = implemented?.GetMembers(method.Name)
            .FirstOrDefault(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, method));
        return member is null ? null : type.FindImplementationForInterfaceMember(member) as IMethodSymbol;
    }

    private static bool Derives(INamedTypeSymbol type, INamedTypeSymbol ancestor)
    {
        INamedTypeSymbol? one = type.BaseType;
        while (one is not null && !SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, ancestor))
        {
            one = one.BaseType;
        }

        return one is not null;
    }

    private static bool IsOverrideOf(IMethodSymbol method, IMethodSymbol overridden)
    {
        for (IMethodSymbol? one = method.OverriddenMethod; one is not null; one = one.OverriddenMethod)
        {
            if (SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, overridden))
            {
                return true;
            }
        }

        return false;
    }

    private static List<INamedTypeSymbol> TypesIn(INamespaceSymbol space)
    {
        List<INamedTypeSymbol> types = [];
        Stack<INamespaceOrTypeSymbol> open = new([space]);
        while (open.Count > 0)
        {
            INamespaceOrTypeSymbol next = open.Pop();
            if (next is INamespaceSymbol outer)
            {
                foreach (INamespaceOrTypeSymbol inner in outer.GetMembers())
                {
                    open.Push(inner);
                }

                continue;
            }

            types.Add((INamedTypeSymbol)next);
            foreach (INamedTypeSymbol nested in next.GetTypeMembers())
            {
                open.Push(nested);
            }
        }

        return types;
    }
}
