using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>A misuse at a place.</summary>
/// <param name="Kind">Which.</param>
/// <param name="Site">Where.</param>
/// <param name="Other">The other place it has to do with: the first return, the rent.</param>
/// <param name="Name">How the source calls the buffer.</param>
internal sealed record Finding(FindingKind Kind, SyntaxNode Site, SyntaxNode? Other, string Name);
