using System.Runtime.Intrinsics.X86;

namespace Tarn.Tests.Platform;

/// <summary>What processors report about their caches.</summary>
public sealed class ProcessorCacheTests
{
    /// <summary>A core with 32 KiB twice, 1 MiB and 32 MiB, as AMD's extended leaf reports them, and an empty leaf 4.</summary>
    [Fact]
    public void The_extended_leaf_is_read() => Assert.Equal(
        32L << 20,
        ProcessorCache.LargestOf(static (leaf, cache) => (leaf, cache) switch
        {
            (0, _) => (0x10, 0, 0, 0),
            (unchecked((int)0x8000_0000), _) => (unchecked((int)0x8000_0028), 0, 0, 0),
            (unchecked((int)0x8000_001D), 0) => (0x121, Shape(ways: 8), 63, 0),
            (unchecked((int)0x8000_001D), 1) => (0x122, Shape(ways: 8), 63, 0),
            (unchecked((int)0x8000_001D), 2) => (0x143, Shape(ways: 8), 2047, 0),
            (unchecked((int)0x8000_001D), 3) => (0x163, Shape(ways: 16), 32_767, 0),
            _ => default,
        }));

    /// <summary>A core with 48 KiB, 2 MiB and 60 MiB, as Intel's leaf reports them, and no extended leaf for caches.</summary>
    [Fact]
    public void The_leaf_of_cache_parameters_is_read() => Assert.Equal(
        60L << 20,
        ProcessorCache.LargestOf(static (leaf, cache) => (leaf, cache) switch
        {
            (0, _) => (0x20, 0, 0, 0),
            (unchecked((int)0x8000_0000), _) => (unchecked((int)0x8000_0008), 0, 0, 0),
            (4, 0) => (0x121, Shape(ways: 12), 63, 0),
            (4, 1) => (0x143, Shape(ways: 16), 2047, 0),
            (4, 2) => (0x163, Shape(ways: 15), 65_535, 0),
            _ => default,
        }));

    [Fact]
    public void A_processor_that_reports_nothing_has_none()
    {
        Assert.Equal(0, ProcessorCache.LargestOf(static (_, _) => default));
        Assert.Equal(0, ProcessorCache.LargestOf(static (leaf, _) => leaf == 0 ? (3, 0, 0, 0) : default));
    }

    [Fact]
    public void A_processor_that_reports_caches_without_end_is_not_believed_for_ever() => Assert.Equal(
        64, ProcessorCache.LargestOf(static (leaf, _) => leaf switch { 0 => (4, 0, 0, 0), 4 => (1, 63, 0, 0), _ => default }));

    [SkippableFact]
    public void This_processors_largest_cache_is_of_a_likely_size()
    {
        Skip.IfNot(X86Base.IsSupported, "not an x86 processor");
        Assert.InRange(ProcessorCache.LargestBytes, 0, 4L << 30);
    }

    private static int Shape(int ways) => ((ways - 1) << 22) | 63;
}
