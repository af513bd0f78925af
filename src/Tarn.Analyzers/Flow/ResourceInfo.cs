using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Describes a resource, as far as it is the same on all paths.</summary>
/// <param name="Site">The place where it was rented or first seen.</param>
/// <param name="Name">Its name in the source.</param>
/// <param name="Kind">The kind of buffer.</param>
/// <param name="Rent">The call that handed it out; null for a buffer from outside.</param>
internal sealed record ResourceInfo(SyntaxNode Site, string Name, BufferKind Kind, RentCall? Rent);
