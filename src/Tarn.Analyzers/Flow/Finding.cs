using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Describes a misuse at a place.</summary>
/// <param name="Kind">The kind of misuse.</param>
/// <param name="Site">The place.</param>
/// <param name="Other">The related place: the first return, or the rent.</param>
/// <param name="Name">The name of the buffer in the source.</param>
internal sealed record Finding(FindingKind Kind, SyntaxNode Site, SyntaxNode? Other, string Name)
{
    /// <summary>Gets what should have been done with the buffer: "returned", "disposed" or "freed".</summary>
    internal string Verb { get; init; } = "returned";

    /// <summary>
    /// Gets a value indicating whether only the shape of a type, or a method's name, shows that there is a buffer of a pool.
    /// </summary>
    internal bool IsOfShape { get; init; }

    /// <summary>Gets the line, counted from 1, at which a path ends with the buffer; 0 if none has a line. The first of several.</summary>
    internal int LostAt { get; init; }
}
