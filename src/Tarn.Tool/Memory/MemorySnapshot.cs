using Tarn.Tool.Memory.Figures;

namespace Tarn.Tool.Memory;

/// <summary>The memory of a process at one moment. This is what <c>tarn memory --json</c> writes. Sizes are bytes.</summary>
internal sealed record MemorySnapshot
{
    /// <summary>Raised when a name or a meaning changes.</summary>
    public const int CurrentFormat = 1;

    public required int Format { get; init; }

    /// <summary>When the process's mappings were read.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>The process id.</summary>
    public required int Process { get; init; }

    /// <summary>The name of its entry assembly, or of its executable.</summary>
    public required string Name { get; init; }

    /// <summary>The version of its runtime; empty if it does not tell.</summary>
    public required string Runtime { get; init; }

    /// <summary>The memory that it has.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>The most that it ever had.</summary>
    public required long PeakBytes { get; init; }

    /// <summary>What of it is in the swap space, beside the resident memory.</summary>
    public required long SwappedBytes { get; init; }

    /// <summary>The kernel's tables for it, beside the resident memory.</summary>
    public required long PageTableBytes { get; init; }

    /// <summary>Pages of hugetlbfs, beside the resident memory.</summary>
    public required long ReservedHugePageBytes { get; init; }

    /// <summary>What of the resident memory the kernel gave as transparent huge pages.</summary>
    public required long HugePageBytes { get; init; }

    /// <summary>The number of its threads.</summary>
    public required int Threads { get; init; }

    /// <summary>The limit of its control group; null if it has none.</summary>
    public required MemoryLimit? Limit { get; init; }

    /// <summary>The parts, the largest first. They add up to <see cref="ResidentBytes"/>.</summary>
    public required IReadOnlyList<MemoryGroup> Groups { get; init; }

    /// <summary>What the runtime says; null if it was not reached.</summary>
    public required RuntimeFigures? Collector { get; init; }

    /// <summary>The pools and heaps of Tarn in the process.</summary>
    public required IReadOnlyList<TarnFigures> Tarn { get; init; }

    /// <summary>What is not known, and why.</summary>
    public required IReadOnlyList<string> Unknown { get; init; }

    /// <summary>What to do, the most helpful first.</summary>
    public required IReadOnlyList<MemoryAdvice> Advice { get; init; }

    /// <summary>What changed since an earlier snapshot; null if it was compared with none.</summary>
    public required MemoryGrowth? Growth { get; init; }

    /// <summary>A group; empty if the process has nothing of it.</summary>
    public MemoryGroup Group(MemoryGroupKind kind) => Groups.FirstOrDefault(one => one.Kind == kind) ?? new MemoryGroup(kind, 0, 0, []);
}
