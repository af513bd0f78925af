using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>Finds the variables that a using disposes.</summary>
internal static class Usings
{
    /// <summary>Returns the variables of a using statement or declaration; none for a using of an expression.</summary>
    internal static IEnumerable<ILocalSymbol> Locals(this IOperation operation) => operation switch
    {
        IUsingDeclarationOperation declaration => declaration.DeclarationGroup.Declarations
                .SelectMany(static group => group.Declarators)
                .Select(static one => one.Symbol),
        IUsingOperation statement => statement.Locals,
        _ => ImmutableArray<ILocalSymbol>.Empty,
    };
}
