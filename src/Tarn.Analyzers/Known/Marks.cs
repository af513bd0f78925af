using System;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Determines whether a compilation can use an attribute. Only its name counts, because each library declares its own.</summary>
internal static class Marks
{
    /// <summary>The beginnings of the names of assemblies that declare no such attributes, and are too many and too large to search.</summary>
    private static readonly string[] s_without =
        ["System", "mscorlib", "netstandard", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.NETCore"];

    /// <summary>Returns whether a compilation, or an assembly that it refers to, declares an attribute of a name.</summary>
    internal static bool Exist(Compilation compilation, string name) =>
        compilation.ContainsSymbolsWithName(name, SymbolFilter.Type)
        || compilation.SourceModule.ReferencedAssemblySymbols.Any(assembly =>
            !s_without.Any(start => assembly.Name.StartsWith(start, StringComparison.Ordinal)) && assembly.TypeNames.Contains(name));
}
