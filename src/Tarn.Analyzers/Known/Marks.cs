using System;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Determines whether a compilation can use some types. Only names count: each library declares its own attributes, and to look a type up
/// that does not exist takes a search through all assemblies.
/// </summary>
internal static class Marks
{
    /// <summary>The beginnings of the names of assemblies that declare no such types, and are too many and too large to search.</summary>
    private static readonly string[] s_without =
        ["System", "mscorlib", "netstandard", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.NETCore"];

    /// <summary>Returns whether a compilation, or an assembly that it refers to, declares a type with one of some names.</summary>
    internal static bool Exist(Compilation compilation, params string[] names) =>
        names.Any(compilation.Assembly.TypeNames.Contains)
        || compilation.SourceModule.ReferencedAssemblySymbols.Any(assembly =>
            !s_without.Any(start => assembly.Name.StartsWith(start, StringComparison.Ordinal)) && names.Any(assembly.TypeNames.Contains));
}
