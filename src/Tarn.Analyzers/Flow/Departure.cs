namespace Tarn.Analyzers.Flow;

/// <summary>Describes the fate of a buffer at the end of a path.</summary>
/// <param name="Resource">The buffer, at the place where it is reported.</param>
/// <param name="Origin">The same buffer, at the place where it was rented or first seen.</param>
/// <param name="IsLost">Whether it was not returned, and has not escaped.</param>
/// <param name="IsReturned">Whether it was returned.</param>
/// <param name="Borrowers">The methods that received it, a bit for each of <see cref="BorrowerTable"/>.</param>
internal sealed record Departure(ResourceInfo Resource, ResourceInfo Origin, bool IsLost, bool IsReturned, ulong Borrowers)
{
    /// <summary>Gets a value indicating whether the code asked whether there is a buffer, and there is.</summary>
    internal bool IsCertain { get; init; }
}
