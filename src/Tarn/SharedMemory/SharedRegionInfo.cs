namespace Tarn;

/// <summary>What <see cref="SharedRegion.List()"/> reports of a region.</summary>
/// <param name="Name">The name it can be opened by.</param>
/// <param name="Size">Its size in bytes. Of a region this process may not open, that of its file, which has a header as well.</param>
/// <param name="OwnerProcessId">The process that made it; 0 if this process may not open the region.</param>
/// <param name="OwnerIsAlive">
/// Whether that process still runs: it, not a later one of the same id. True also where this cannot be known, because the region may not be
/// opened or was made in a container with process ids of its own.
/// </param>
public readonly record struct SharedRegionInfo(string Name, long Size, int OwnerProcessId, bool OwnerIsAlive);
