namespace Tarn;

/// <summary>A misuse of a buffer that was found after the fact, so that nobody's call can throw.</summary>
/// <param name="Kind">What was found.</param>
/// <param name="SourceName">The pool or heap the buffer came from.</param>
/// <param name="SizeInBytes">The buffer's size.</param>
/// <param name="RentedAt">The stack that rented it, where it was captured.</param>
/// <param name="ReturnedAt">The stack that returned it first, where there is one.</param>
public sealed record BufferIncident(
    BufferIncidentKind Kind, string SourceName, long SizeInBytes, string? RentedAt, string? ReturnedAt)
{
    /// <summary>What exactly was found, for people to read: addresses, offsets, sizes, bytes. Null where the kind says it all.</summary>
    public string? Detail { get; init; }
}
