using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Calls;

/// <summary>Recognizes the members of extension blocks, whose receiver is a parameter of the block and no argument of the call.</summary>
internal static class ExtensionBlocks
{
    /// <summary>The kind of an extension block, which the compiler that this assembly is built against does not name.</summary>
    private const TypeKind Block = (TypeKind)14;

    /// <summary>Returns whether a call of a method passes its receiver to it as an extension.</summary>
    internal static bool HasReceiver(IMethodSymbol method) => !method.IsStatic && IsBlock(method.ContainingType);

    /// <summary>Returns whether a parameter that a body uses is the receiver of the block.</summary>
    internal static bool IsReceiver(IParameterSymbol used) => IsBlock(used.ContainingSymbol);

    /// <summary>
    /// Returns whether a body uses a parameter by another symbol: that of the block or of its method, in place of the parameter of the
    /// static method that the compiler makes of them.
    /// </summary>
    internal static bool IsDeclarationOf(IParameterSymbol parameter, IParameterSymbol used) =>
        used.Name == parameter.Name
        && (IsReceiver(used)
            || used.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.Ordinary } method && IsBlock(method.ContainingType));

    private static bool IsBlock(ISymbol? symbol) => symbol is INamedTypeSymbol { TypeKind: Block };
}
