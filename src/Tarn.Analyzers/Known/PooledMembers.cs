using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>The methods of a type that returns an array when it is disposed: those that rent, and those that return for good.</summary>
internal sealed class PooledMembers
{
    private readonly HashSet<string> _growing;
    private readonly HashSet<string> _ending;
    private readonly SyntaxNode[] _renting;

    internal PooledMembers(ITypeSymbol type)
    {
        (string Name, SyntaxNode Source)[] methods =
        [
            .. type.GetMembers().OfType<IMethodSymbol>()
                .Where(static method => method is { IsStatic: false, MethodKind: not (MethodKind.Constructor or MethodKind.Destructor) })
                .SelectMany(static method => method.DeclaringSyntaxReferences.Select(reference => (method.Name, reference.GetSyntax()))),
        ];
        _growing = [.. methods.Where(static one => PooledTypes.CallsOnPool(one.Source, "Rent")).Select(static one => one.Name)];
        Close(_growing, methods);
        _renting = [.. methods.Where(one => _growing.Contains(one.Name)).Select(static one => one.Source)];
        _ending =
        [
            .. methods.Where(one => PooledTypes.CallsOnPool(one.Source, "Return") && !_growing.Contains(one.Name))
                .Select(static one => one.Name),
        ];
        Close(_ending, [.. methods.Where(one => !_growing.Contains(one.Name))]);
    }

    /// <summary>Gets a value indicating whether it rents only when one of its methods needs the array.</summary>
    internal bool RentsLater => _growing.Count > 0;

    /// <summary>Returns whether the arguments of a creation allow the object to rent; null if they do not show that.</summary>
    internal bool? AllowsRent(IObjectCreationOperation creation) => GrowthSwitch.Allows(creation, _renting, _growing);

    /// <summary>Returns whether a method may rent.</summary>
    internal bool Grows(IMethodSymbol method) => _growing.Contains(method.Name);

    /// <summary>Returns whether a method returns the array, as Dispose does.</summary>
    internal bool Ends(IMethodSymbol method) => _ending.Contains(method.Name);

    /// <summary>Adds the methods that call one of some methods on the object itself.</summary>
    private static void Close(HashSet<string> names, (string Name, SyntaxNode Source)[] methods)
    {
        bool isMore;
        do
        {
            isMore = false;
            foreach ((string name, SyntaxNode source) in methods)
            {
                isMore |= !names.Contains(name) && CallsOwn(source, names) && names.Add(name);
            }
        }
        while (isMore);
    }

    /// <summary>Returns whether code calls one of some methods on the object itself.</summary>
    internal static bool CallsOwn(SyntaxNode source, IReadOnlyCollection<string> names) =>
        source.DescendantNodesAndSelf().OfType<InvocationExpressionSyntax>().Any(call => call.Expression switch
        {
            SimpleNameSyntax name => names.Contains(name.Identifier.ValueText),
            MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax, Name: var name } => names.Contains(name.Identifier.ValueText),
            _ => false,
        });
}
