namespace Tarn.Tool.Memory.Figures;

/// <summary>The memory limit of a control group. Sizes are bytes.</summary>
/// <param name="Bytes">The limit. The kernel kills a process of the group that needs more.</param>
/// <param name="UsedBytes">What the group uses now, its page cache included.</param>
/// <param name="CacheBytes">What of it the kernel can take back without harm: cached files that nobody maps or uses.</param>
/// <param name="Group">The path of the group.</param>
/// <param name="Kills">How often the limit had a process of the group killed; null where the kernel does not count it.</param>
internal sealed record MemoryLimit(long Bytes, long UsedBytes, long CacheBytes, string Group, long? Kills)
{
    /// <summary>How much more the group can use.</summary>
    public long FreeBytes => Math.Max(0, Bytes - UsedBytes + CacheBytes);
}
