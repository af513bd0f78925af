namespace Tarn;

/// <summary>The counters of one asker's blocks at one moment.</summary>
/// <param name="Owner">The asker's name.</param>
/// <param name="CapBytes">The most pooled bytes, in use and idle.</param>
/// <param name="MaxInUseBytes">The most pooled bytes in use.</param>
/// <param name="InUseBytes">Pooled bytes handed out and not returned.</param>
/// <param name="RetainedBytes">Pooled bytes kept idle.</param>
/// <param name="Rented">Pooled blocks handed out so far.</param>
/// <param name="Allocated">Of these, the number newly allocated.</param>
/// <param name="Unpooled">Blocks handed out so far that were allocated beyond the cap.</param>
/// <param name="UnpooledInUseBytes">The bytes of those still in use.</param>
internal readonly record struct BlockPoolSnapshot(
    string Owner,
    long CapBytes,
    long MaxInUseBytes,
    long InUseBytes,
    long RetainedBytes,
    long Rented,
    long Allocated,
    long Unpooled,
    long UnpooledInUseBytes)
{
    /// <summary>The share of the room for blocks in use that is used, from 0 to 1.</summary>
    internal double UsedShare => (double)InUseBytes / MaxInUseBytes;
}
