namespace Tarn.Analyzers.Flow;

/// <summary>A buffer at the end of a path.</summary>
/// <param name="Resource">Which, at the place it is spoken of.</param>
/// <param name="Origin">The same, where it was rented or seen first.</param>
/// <param name="IsLost">Nobody has it, and it was not returned.</param>
/// <param name="IsReturned">It was returned.</param>
/// <param name="Borrowers">A bit for each method that got it, of <see cref="BorrowerTable"/>.</param>
internal sealed record Departure(ResourceInfo Resource, ResourceInfo Origin, bool IsLost, bool IsReturned, ulong Borrowers);
