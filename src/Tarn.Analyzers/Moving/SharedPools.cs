using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Moving;

/// <summary>
/// Recognizes the shared pools of the base library and of Tarn where they are written out: <c>ArrayPool&lt;T&gt;.Shared</c>.
/// </summary>
internal sealed class SharedPools
{
    private readonly INamedTypeSymbol _arrayPool;
    private readonly INamedTypeSymbol _bufferPool;

    private SharedPools(INamedTypeSymbol arrayPool, INamedTypeSymbol bufferPool)
    {
        _arrayPool = arrayPool;
        _bufferPool = bufferPool;
    }

    /// <summary>Returns null for a compilation that does not reference Tarn.</summary>
    internal static SharedPools? TryCreate(Compilation compilation) =>
        compilation.GetTypeByMetadataName("System.Buffers.ArrayPool`1") is { } arrayPool
        && compilation.GetTypeByMetadataName("Tarn.BufferPool`1") is { } bufferPool
            ? new SharedPools(arrayPool, bufferPool)
            : null;

    /// <summary>Returns the element type as it is written in <c>ArrayPool&lt;T&gt;.Shared</c>; null for any other expression.</summary>
    internal TypeSyntax? ElementOfArrayPool(SyntaxNode expression, SemanticModel model, CancellationToken cancellation) =>
        ElementOf(expression, model, _arrayPool, _arrayPool, cancellation);

    /// <summary>Returns the element type as it is written in the shared pool of the base library or of Tarn.</summary>
    internal TypeSyntax? ElementOfAny(SyntaxNode expression, SemanticModel model, CancellationToken cancellation) =>
        ElementOf(expression, model, _arrayPool, _bufferPool, cancellation);

    private static TypeSyntax? ElementOf(
        SyntaxNode expression, SemanticModel model, INamedTypeSymbol pool, INamedTypeSymbol otherPool, CancellationToken cancellation)
    {
        if (expression is not MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Shared", Expression: var type }
            || NameOf(type) is not { TypeArgumentList.Arguments: { Count: 1 } elements }
            || model.GetSymbolInfo(expression, cancellation).Symbol is not IPropertySymbol { IsStatic: true } property)
        {
            return null;
        }

        INamedTypeSymbol owner = property.ContainingType.OriginalDefinition;
        return SymbolEqualityComparer.Default.Equals(owner, pool) || SymbolEqualityComparer.Default.Equals(owner, otherPool)
            ? elements[0]
            : null;
    }

    private static GenericNameSyntax? NameOf(ExpressionSyntax type) => type switch
    {
        GenericNameSyntax name => name,
        MemberAccessExpressionSyntax { Name: GenericNameSyntax name } => name,
        QualifiedNameSyntax { Right: GenericNameSyntax name } => name,
        AliasQualifiedNameSyntax { Name: GenericNameSyntax name } => name,
        _ => null,
    };
}
