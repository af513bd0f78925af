namespace Tarn.Tool.Rings;

/// <summary>What became of a region that was to be deleted if it is abandoned.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsDeleted">Whether the name is gone.</param>
/// <param name="FreedBytes">The bytes of its file, if it is.</param>
/// <param name="Reason">Why it was deleted, or kept.</param>
internal sealed record RegionDeletion(string Name, bool IsDeleted, long FreedBytes, string Reason);
