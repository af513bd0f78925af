using System;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Recognizes methods that make what they hand out, by their name and an owner as their result. The caller disposes the owner, as the
/// guidelines of .NET for memory say.
/// </summary>
/// <remarks>The body of a method that is seen says more than its name, so that only methods count whose body is not.</remarks>
internal static class NamedProducers
{
    private static readonly string[] s_verbs =
    [
        "Allocate", "Acquire", "Clone", "Combine", "Compress", "Concat", "Copy", "Create", "Decode", "Decompress", "Decrypt", "Download",
        "Encode", "Encrypt", "Read", "Receive", "Serialize",
    ];

    /// <summary>Returns whether a method makes an owner of memory for its caller.</summary>
    internal static bool Contains(IMethodSymbol method) =>
        IsOwner(method.ReturnType)
        && (method.IsAbstract || method.DeclaringSyntaxReferences.IsEmpty)
        && s_verbs.Any(verb => method.Name.StartsWith(verb, StringComparison.Ordinal));

    /// <summary>Returns whether a result says no more than that it owns memory.</summary>
    internal static bool IsOwner(ITypeSymbol result) =>
        result is INamedTypeSymbol { Name: "IMemoryOwner", Arity: 1 } && Namespaces.Has("System.Buffers", result);
}
