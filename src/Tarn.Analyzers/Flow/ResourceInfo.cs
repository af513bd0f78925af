using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>What all paths know of a resource.</summary>
/// <param name="Site">Where it was rented, or seen first.</param>
/// <param name="Name">How the source calls it.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Rent">The call that handed it out; null for what came from outside.</param>
internal sealed record ResourceInfo(SyntaxNode Site, string Name, BufferKind Kind, RentCall? Rent);
