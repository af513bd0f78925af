using Tarn.Tool.Memory;
using Tarn.Tool.Memory.Figures;

namespace Tarn.Tool.Tests.Memory;

/// <summary>A snapshot of a server that every part of it shows in.</summary>
internal static class SampleSnapshot
{
    private const long Megabyte = 1 << 20;

    public static MemorySnapshot Build() => new()
    {
        Format = MemorySnapshot.CurrentFormat,
        At = DateTimeOffset.UnixEpoch,
        Process = 4711,
        Name = "Shop.Api",
        Runtime = ".NET 10.0.1",
        ResidentBytes = 1_184 * Megabyte,
        PeakBytes = 1_320 * Megabyte,
        SwappedBytes = 0,
        PageTableBytes = 5 * Megabyte,
        ReservedHugePageBytes = 0,
        HugePageBytes = 0,
        Threads = 62,
        Limit = new MemoryLimit(1_536 * Megabyte, 1_210 * Megabyte, 8 * Megabyte, "/kubepods/shop", 0),
        Groups = Groups(),
        Collector = new RuntimeFigures(
            [
                new("gen0", 14 * Megabyte, 0), new("gen1", 5 * Megabyte, 0), new("gen2", 164 * Megabyte, 9 * Megabyte),
                new("loh", 231 * Megabyte, 118 * Megabyte),
            ],
            498 * Megabyte, 341, 14_203, 148),
        Tarn =
        [
            new("images", "native heap", 58 * Megabyte, 6 * Megabyte), new("uploads", "array pool", 36 * Megabyte, 12 * Megabyte),
        ],
        Unknown = [],
        Advice = Advice(),
        Growth = null,
    };

    private static IReadOnlyList<MemoryGroup> Groups() =>
    [
        new(MemoryGroupKind.GcHeap, 498 * Megabyte, 0,
        [
            new(MemoryTally.LargeObjects, 231 * Megabyte) { FreeBytes = 118 * Megabyte },
            new("generation 2", 164 * Megabyte) { FreeBytes = 9 * Megabyte },
            new(MemoryTally.NotUsed, 84 * Megabyte) { FreeBytes = 84 * Megabyte },
            new("generation 0", 14 * Megabyte),
            new("generation 1", 5 * Megabyte),
            new("of it Tarn's pool uploads", 48 * Megabyte) { FreeBytes = 12 * Megabyte, IsWithinOthers = true },
        ]),
        new(MemoryGroupKind.Native, 417 * Megabyte, 0,
        [
            new(MemoryTally.Arenas, 402 * Megabyte) { FreeBytes = 341 * Megabyte, Detail = "16 heaps" },
            new(MemoryTally.MainHeap, 15 * Megabyte) { FreeBytes = 2 * Megabyte },
        ]),
        new(MemoryGroupKind.Files, 96 * Megabyte, 0,
        [
            new("assemblies", 58 * Megabyte) { Detail = "143 files" },
            new(MemoryTally.Libraries, 38 * Megabyte) { Detail = "22 files" },
        ]),
        new(MemoryGroupKind.Tarn, 66 * Megabyte, 0,
        [
            new("images", 64 * Megabyte) { FreeBytes = 6 * Megabyte },
            new("beside the buffers", 2 * Megabyte),
        ]),
        new(MemoryGroupKind.Code, 58 * Megabyte, 0,
        [
            new("types and methods", 41 * Megabyte) { Detail = "148 assemblies" },
            new("compiled code", 17 * Megabyte) { Detail = "14,203 methods compiled" },
        ]),
        new(MemoryGroupKind.Unnamed, 31 * Megabyte, 0,
            [new("large allocations and other mappings", 31 * Megabyte) { Detail = "38 mappings, the largest 8 MiB" }]),
        new(MemoryGroupKind.Shared, 16 * Megabyte, 0, [new("/dev/shm/shop-prices", 16 * Megabyte)]),
        new(MemoryGroupKind.Stacks, 2 * Megabyte, 0, [new("stacks", 2 * Megabyte)]),
    ];

    private static IReadOnlyList<MemoryAdvice> Advice() =>
    [
        new(
            "Start the process with MALLOC_ARENA_MAX=2.",
            "16 heaps of glibc's arenas have 402 MiB (34 %): 341 MiB of it is free, which other arenas cannot use. glibc makes up to "
            + "eight arenas a processor and returns memory only from the end of each. Threads that allocate at once wait for one "
            + "another more with fewer.",
            341 * Megabyte),
        new(
            "Pool large arrays (tarn candidates finds them), or set DOTNET_GCConserveMemory=5, which also compacts large objects.",
            "Large objects have 231 MiB, of which 118 MiB are holes between objects.",
            118 * Megabyte),
    ];
}
