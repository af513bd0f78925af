using Tarn.Tool.Memory.Figures;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Memory;

/// <summary>What to do about a process's memory. Each advice has its evidence; parts that hold little have none.</summary>
internal sealed class MemoryRules(MemorySnapshot snapshot, ProcessTraits traits)
{
    /// <summary>Parts below this, or below a share of the resident memory, are not worth an action.</summary>
    private const long Least = 32 << 20;
    private const double LeastShare = 0.1;

    /// <summary>The share of a part that must be free to call it badly used.</summary>
    private const double FreeShare = 0.3;
    private const int ManyThreads = 300;
    private const double NearLimit = 0.15;

    /// <summary>What the runtime takes of a group's limit for its heap, if nothing else is set.</summary>
    private const double DefaultHeapShare = 0.75;

    private readonly RuntimeFigures? _runtime = snapshot.Collector;

    /// <summary>All advice, what frees most first.</summary>
    public IReadOnlyList<MemoryAdvice> All() =>
    [
        .. ((IEnumerable<MemoryAdvice?>)
            [
                Limit(), Arenas(), UnusedHeap(), Holes(), IdlePools(), ServerCollector(), HardLimit(), Threads(), HugePages(), Swap(),
                InUseByNative(), Unnamed(), Code(),
            ])
            .OfType<MemoryAdvice>()
            .OrderByDescending(one => one.FreesUpToBytes is null ? 0 : 1).ThenByDescending(one => one.FreesUpToBytes),
    ];

    private bool IsMuch(long bytes) => bytes >= Least && bytes >= LeastShare * snapshot.ResidentBytes;

    private MemoryItem? Item(MemoryGroupKind kind, string name) => snapshot.Group(kind).Items.FirstOrDefault(one => one.Name == name);

    private string Share(long bytes) => $"{100.0 * bytes / Math.Max(1, snapshot.ResidentBytes):0} %";

    private MemoryAdvice? Limit() => snapshot.Limit is { } limit && limit.FreeBytes < limit.Bytes * NearLimit
        ? new MemoryAdvice(
            "Raise the limit, or free what is listed here first.",
            $"The control group {limit.Group} may use {Words.Bytes(limit.Bytes)}, and {Words.Bytes(limit.FreeBytes)} is left. "
            + (limit.Kills is > 0 ? $"The kernel has killed {Words.Count(limit.Kills.Value, "process", "processes")} of it already." : ""))
        : null;

    private MemoryAdvice? Arenas()
    {
        if (Item(MemoryGroupKind.Native, MemoryTally.Arenas) is not { } arenas || !IsMuch(arenas.Bytes) || traits.Heaps is null
            || traits.Variables.ContainsKey("MALLOC_ARENA_MAX"))
        {
            return null;
        }

        long? free = arenas.FreeBytes;
        if (free is { } bytes && (bytes < Least || bytes < arenas.Bytes * FreeShare))
        {
            return null;
        }

        string inside = free is { } known
            ? $"{Words.Bytes(known)} of it is free, which other arenas cannot use"
            : "how much of it is free is not known";
        return new MemoryAdvice(
            "Start the process with MALLOC_ARENA_MAX=2.",
            $"{traits.Heaps.Arenas.Count} heaps of glibc's arenas have {Words.Bytes(arenas.Bytes)} ({Share(arenas.Bytes)}): {inside}. "
            + "glibc makes up to eight arenas a processor and returns memory only from the end of each. Threads that allocate at once wait "
            + "for one another more with fewer.",
            free);
    }

    private MemoryAdvice? UnusedHeap()
    {
        if (Item(MemoryGroupKind.GcHeap, MemoryTally.NotUsed) is not { } unused || !IsMuch(unused.Bytes)
            || unused.Bytes < snapshot.Group(MemoryGroupKind.GcHeap).ResidentBytes * FreeShare || traits.HasSetting("GCConserveMemory"))
        {
            return null;
        }

        return new MemoryAdvice(
            "Set DOTNET_GCConserveMemory=5 (System.GC.ConserveMemory), or a limit with DOTNET_GCHeapHardLimit.",
            $"The collector has {Words.Bytes(snapshot.Group(MemoryGroupKind.GcHeap).ResidentBytes)}, and objects had "
            + $"{Words.Bytes(_runtime!.HeapBytes)} after the last collection. It keeps the rest for allocations to come. Both settings "
            + "cost more collections.",
            unused.Bytes);
    }

    private MemoryAdvice? Holes()
    {
        GenerationFigures? worst = _runtime?.Generations.MaxBy(one => one.HoleBytes ?? 0);
        if (worst is not { HoleBytes: { } holes } || holes < Least || holes < worst.Bytes * FreeShare)
        {
            return null;
        }

        string action = worst.Name switch
        {
            "loh" => "Pool large arrays (tarn candidates finds them), or set DOTNET_GCConserveMemory=5, which also compacts large objects.",
            "poh" => "Keep pinned arrays in a pool, so that they are not allocated among one another.",
            _ => "Unpin what is pinned for long, or set DOTNET_GCConserveMemory=5.",
        };
        string name = worst.Name switch { "loh" => "Large objects", "poh" => "Pinned objects", _ => $"Generation {worst.Name[^1]}" };
        return new MemoryAdvice(
            action, $"{name} have {Words.Bytes(worst.Bytes)}, of which {Words.Bytes(holes)} are holes between objects.".Replace(
                "Generation 2 have", "Generation 2 has", StringComparison.Ordinal), holes);
    }

    private MemoryAdvice? IdlePools()
    {
        TarnFigures[] idle = [.. snapshot.Tarn.Where(one => one.RetainedBytes >= Least).OrderByDescending(one => one.RetainedBytes)];
        return idle.Length == 0 ? null : new MemoryAdvice(
            "Trim it, or give it a lower cap (MaxRetainedBytes).",
            $"Tarn's {idle[0].Kind} {idle[0].Name} keeps {Words.Bytes(idle[0].RetainedBytes)} idle beside "
            + $"{Words.Bytes(idle[0].InUseBytes)} in use.",
            idle.Sum(one => one.RetainedBytes));
    }

    private MemoryAdvice? ServerCollector() => traits.ServerThreads > 0 && !traits.HasSetting("GCHeapCount")
        && Item(MemoryGroupKind.GcHeap, MemoryTally.NotUsed) is { } unused && IsMuch(unused.Bytes)
        ? new MemoryAdvice(
            "Set DOTNET_gcServer=0, or fewer heaps with DOTNET_GCHeapCount. In .NET 8, DOTNET_GCDynamicAdaptationMode=1 adapts their "
            + "number.",
            $"The server's collector runs with {Words.Count(traits.ServerThreads, "thread", "threads")}, each with a heap of its own, and "
            + $"{Words.Bytes(unused.Bytes)} is used by no object.")
        : null;

    private MemoryAdvice? HardLimit()
    {
        long others = snapshot.ResidentBytes - snapshot.Group(MemoryGroupKind.GcHeap).ResidentBytes;
        if (snapshot.Limit is not { } limit || others < limit.Bytes * (1 - DefaultHeapShare) || traits.HasSetting("GCHeapHardLimit")
            || traits.HasSetting("GCHeapHardLimitPercent"))
        {
            return null;
        }

        int percent = (int)Math.Max(10, 100 * (limit.Bytes - (others * 1.1)) / limit.Bytes);
        return new MemoryAdvice(
            $"Set DOTNET_GCHeapHardLimitPercent=0x{percent:x} ({percent} %).",
            $"The runtime plans with three quarters of the limit of {Words.Bytes(limit.Bytes)} for its heap, and "
            + $"{Words.Bytes(others)} beside it are in use already: both together do not fit.");
    }

    private MemoryAdvice? Threads()
    {
        long stacks = snapshot.Group(MemoryGroupKind.Stacks).ResidentBytes;
        return snapshot.Threads < ManyThreads && !IsMuch(stacks) ? null : new MemoryAdvice(
            "Find what starts the threads (dotnet-stack report shows them): blocked calls in the thread pool make it add more.",
            $"{snapshot.Threads:N0} threads have stacks of {Words.Bytes(stacks)} in memory. A thread also has an arena, or a part of one.");
    }

    private MemoryAdvice? HugePages() => IsMuch(snapshot.HugePageBytes) && snapshot.HugePageBytes > snapshot.ResidentBytes / 4
        ? new MemoryAdvice(
            "Compare with transparent huge pages off: /sys/kernel/mm/transparent_hugepage/enabled set to madvise.",
            $"{Words.Bytes(snapshot.HugePageBytes)} ({Share(snapshot.HugePageBytes)}) are huge pages of 2 MiB, of which a program may use "
            + "only a part.")
        : null;

    private MemoryAdvice? Swap() => snapshot.SwappedBytes >= Least
        ? new MemoryAdvice(
            "Count it as well: it comes back into memory when it is used, and collections use the whole heap.",
            $"{Words.Bytes(snapshot.SwappedBytes)} are in the swap space, beside the resident memory.")
        : null;

    private MemoryAdvice? InUseByNative()
    {
        MemoryItem[] heaps =
        [
            .. snapshot.Group(MemoryGroupKind.Native).Items.Where(one => !one.IsWithinOthers && one.FreeBytes is not null),
        ];
        long inUse = heaps.Sum(one => one.Bytes - one.FreeBytes!.Value);
        return !IsMuch(inUse) ? null : new MemoryAdvice(
            "Compare two snapshots (--compare) while it grows; then find the caller with heaptrack or bpftrace.",
            $"{Words.Bytes(inUse)} ({Share(inUse)}) are allocated with malloc and not freed. The collector does not see them."
            + Libraries());
    }

    private MemoryAdvice? Unnamed()
    {
        MemoryGroup unnamed = snapshot.Group(MemoryGroupKind.Unnamed);
        return !IsMuch(unnamed.ResidentBytes) || traits.Heaps is null ? null : new MemoryAdvice(
            "Compare two snapshots (--compare) while it grows; then find the caller with heaptrack or bpftrace (mmap).",
            $"{Words.Bytes(unnamed.ResidentBytes)} ({Share(unnamed.ResidentBytes)}) are mappings that nothing names: allocations that "
            + $"malloc maps one by one, from 128 KiB on, or a library's own.{Libraries()}");
    }

    private MemoryAdvice? Code()
    {
        long code = snapshot.Group(MemoryGroupKind.Code).ResidentBytes;
        return !IsMuch(code) ? null : new MemoryAdvice(
            "Find what makes code at run time: serializers made anew, compiled expressions and patterns, assemblies loaded repeatedly.",
            $"Code and types have {Words.Bytes(code)} ({Share(code)})"
            + (_runtime is null ? "." : $", after {_runtime.CompiledMethods:N0} compiled methods in {_runtime.Assemblies:N0} assemblies."));
    }

    private string Libraries() => traits.ForeignLibraries.Count == 0
        ? ""
        : $" Libraries that may be the owner: {string.Join(", ", traits.ForeignLibraries.Take(6))}.";
}
