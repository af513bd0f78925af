using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Every allocator workload. They are rewritten from descriptions of the programs in mimalloc-bench. docs/lab.md describes each and its
/// differences from the original.
/// </summary>
internal static class NativeWorkloads
{
    public static IReadOnlyList<NativeWorkloadEntry> All { get; } =
    [
        new("larson-sized", "free and allocation", 0.04, 0.25, Target: 0.85),
        new("xmalloc-test", "object handed over", 0.04, 0.25, Target: 0.5),
        new("cache-scratch", "write and read", 0.1, 0.25, Target: 1.0),
        new("cache-thrash", "write and read", 0.1, 0.25, Target: 1.0),
        new("mstress", "block, verified", 0.5, 4, Target: 1.0),
        new("alloc-test", "visit of a place", 0.03, 0.15, Target: 1.0),
        new("glibc-simple", "block, written", 0.05, 0.25, Target: 1.0),
        new("glibc-thread", "free and allocation", 0.1, 0.5, Target: 1.0),
        new("foreign-window", "block", 0.03, 0.25, Target: null),
        new("mleak", "life of a thread", 0.02, 0.1, Target: null),
        new("malloc-large", "replacement", 0.04, 0.25, Target: null),
        new("message-passing", "message", 0.1, 0.25, Target: null),
    ];

    /// <exception cref="InvalidDataException">There is no workload of that name.</exception>
    public static NativeWorkload Create<TAllocator>(string name, TAllocator allocator, WorkloadSettings settings)
        where TAllocator : struct, INativeAllocator => name switch
        {
            "larson-sized" => new Larson<TAllocator>(allocator, settings),
            "xmalloc-test" => new XmallocTest<TAllocator>(allocator, settings),
            "cache-scratch" => new CacheLines<TAllocator>(allocator, settings, startsWithForeignBlock: true),
            "cache-thrash" => new CacheLines<TAllocator>(allocator, settings, startsWithForeignBlock: false),
            "mstress" => new MStress<TAllocator>(allocator, settings),
            "alloc-test" => new AllocTest<TAllocator>(allocator, settings),
            "glibc-simple" => new GlibcSimple<TAllocator>(allocator, settings),
            "glibc-thread" => new GlibcThread<TAllocator>(allocator, settings),
            "foreign-window" => new ForeignWindow<TAllocator>(allocator, settings),
            "mleak" => new MLeak<TAllocator>(allocator, settings),
            "malloc-large" => new MallocLarge<TAllocator>(allocator, settings),
            "message-passing" => new MessagePassing<TAllocator>(allocator, settings),
            _ => throw new InvalidDataException($"No such workload: {name}. There are: "
                + $"{string.Join(", ", All.Select(entry => entry.Name))}."),
        };
}
