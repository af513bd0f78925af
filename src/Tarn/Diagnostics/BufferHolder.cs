namespace Tarn;

/// <summary>Holders that a lost <see cref="SharedBuffer{T}"/> still had, and where they became holders.</summary>
/// <param name="Count">The number of holders with this stack: slices, or the buffer itself.</param>
/// <param name="TakenAt">The stack that took the slice or rented the buffer, in the form of <see cref="BufferIncident.RentedAt"/>.</param>
public sealed record BufferHolder(int Count, string TakenAt);
