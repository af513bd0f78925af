using System.Collections.Generic;

namespace Tarn.Analyzers.Flow;

/// <summary>Describes what the result of a call tells about a resource.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="IsOffered">Whether the call got the resource and may have taken it; else it may have handed the resource out.</param>
/// <param name="Has">
/// Whether the caller has the resource, for each result that the call can have; null where that is not known.
/// </param>
internal sealed record Outcome(int Resource, bool IsOffered, IReadOnlyDictionary<object, bool?> Has);
