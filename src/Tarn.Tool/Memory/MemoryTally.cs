using System.Globalization;
using Tarn.Tool.Memory.Figures;
using Tarn.Tool.Memory.Mappings;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Memory;

/// <summary>Adds mappings up to the groups of a snapshot.</summary>
internal sealed class MemoryTally
{
    public const string Arenas = "glibc arenas";
    public const string MainHeap = "main heap of malloc";
    public const string NotUsed = "not used by objects";
    public const string LargeObjects = "large objects";
    public const string Libraries = "native libraries";

    public const string ArrayPool = "array pool";
    private const string Deleted = " (deleted)";
    private const int NamedFiles = 5;

    private static readonly Dictionary<string, string> s_generations = new()
    {
        ["gen0"] = "generation 0",
        ["gen1"] = "generation 1",
        ["gen2"] = "generation 2",
        ["loh"] = LargeObjects,
        ["poh"] = "pinned objects",
    };

    private readonly ILookup<MappingKind, Mapping> _mappings;
    private readonly MallocHeaps _heaps;
    private readonly RuntimeFigures? _runtime;
    private readonly IReadOnlyList<TarnFigures> _tarn;
    private readonly string? _allocator;

    /// <summary>Whether the allocator's mappings cannot be told from others without a name.</summary>
    private readonly bool _hasUnnamed;

    public MemoryTally(
        IReadOnlyList<Mapping> mappings, MallocHeaps heaps, RuntimeFigures? runtime, IReadOnlyList<TarnFigures> tarn)
    {
        (_heaps, _runtime, _tarn) = (heaps, runtime, tarn);
        _mappings = mappings.Select((one, at) => (one, heaps.Kinds.All[at])).ToLookup(pair => pair.Item2, pair => pair.one);
        _allocator = LoadedAllocator.Of(mappings);
        _hasUnnamed = _allocator is not null && Resident(MappingKind.Allocator) == 0;
    }

    /// <summary>The groups that have something, the largest first.</summary>
    public IReadOnlyList<MemoryGroup> ToGroups() =>
    [
        .. ((MemoryGroup[])[Collected(), Native(), OfTarn(), Code(), Stacks(), Files(), Shared(), Named(), Unnamed()])
            .Where(group => group.ResidentBytes + group.SwappedBytes > 0)
            .OrderByDescending(group => group.ResidentBytes),
    ];

    private MemoryGroup Collected()
    {
        long resident = Resident(MappingKind.GarbageCollector);
        MemoryItem[] pools =
        [
            .. _tarn.Where(one => one.Kind == ArrayPool).Select(one => new MemoryItem(
                $"of it Tarn's pool {one.Name}", one.InUseBytes + one.RetainedBytes)
            {
                FreeBytes = one.RetainedBytes,
                IsWithinOthers = true,
            }),
        ];
        if (_runtime is null or { Generations.Count: 0 })
        {
            return Group(MemoryGroupKind.GcHeap, [new MemoryItem("objects and what they leave free", resident), .. pools],
                MappingKind.GarbageCollector);
        }

        // Objects that were never written to have no memory yet. The sizes are then more than there is.
        long rest = resident - _runtime.HeapBytes;
        MemoryItem[] generations =
        [
            .. _runtime.Generations.Select(one => new MemoryItem(s_generations[one.Name], one.Bytes)
            {
                FreeBytes = one.HoleBytes,
                IsWithinOthers = rest < 0,
            }),
        ];
        MemoryItem other = rest < 0
            ? new MemoryItem("objects, as far as they have memory", resident)
            : new MemoryItem(NotUsed, rest) { FreeBytes = rest };
        return Group(MemoryGroupKind.GcHeap, [.. generations, other, .. pools], MappingKind.GarbageCollector);
    }

    private MemoryGroup Native()
    {
        List<MemoryItem> items = [];
        if (_heaps.Arenas.Count > 0)
        {
            items.Add(new MemoryItem(Arenas, Resident(MappingKind.Arena))
            {
                FreeBytes = MallocHeaps.FreeOf(_heaps.Arenas),
                Detail = Words.Count(_heaps.Arenas.Count, "heap", "heaps"),
            });
            items.AddRange(_heaps.Arenas.Select(heap => new MemoryItem(
                string.Create(CultureInfo.InvariantCulture, $"heap at {heap.Address:x}"), heap.ResidentBytes)
            {
                FreeBytes = heap.FreeBytes,
                IsWithinOthers = true,
            }));
        }

        if (_heaps.Main is { } main)
        {
            items.Add(new MemoryItem(_allocator is null ? MainHeap : $"main heap, of {_allocator}", main.ResidentBytes)
            {
                FreeBytes = main.FreeBytes,
            });
        }

        if (_allocator is not null)
        {
            items.Add(_hasUnnamed
                ? new MemoryItem($"{_allocator}, and mappings without a name", Resident(MappingKind.Unnamed))
                : new MemoryItem(_allocator, Resident(MappingKind.Allocator)));
        }

        MappingKind[] kinds = [MappingKind.Arena, MappingKind.MainHeap, MappingKind.Allocator];
        return Group(MemoryGroupKind.Native, items, _hasUnnamed ? [.. kinds, MappingKind.Unnamed] : kinds);
    }

    private MemoryGroup OfTarn()
    {
        TarnFigures[] heaps = [.. _tarn.Where(one => one.Kind != ArrayPool)];
        long resident = Resident(MappingKind.Tarn);
        long rest = resident - heaps.Sum(one => one.InUseBytes + one.RetainedBytes);
        MemoryItem[] items =
        [
            .. heaps.Select(one => new MemoryItem(one.Name, one.InUseBytes + one.RetainedBytes)
            {
                FreeBytes = one.RetainedBytes,
                IsWithinOthers = rest < 0,
            }),
        ];
        string other = heaps.Length == 0 ? "native heaps" : rest < 0 ? "buffers, as far as they have memory" : "beside the buffers";
        return Group(MemoryGroupKind.Tarn, [.. items, new MemoryItem(other, rest < 0 ? resident : rest)], MappingKind.Tarn);
    }

    private MemoryGroup Code() => Group(
        MemoryGroupKind.Code,
        [
            new MemoryItem("types and methods", Resident(MappingKind.LoaderHeap))
            {
                Detail = _runtime is null ? "" : Words.Count(_runtime.Assemblies, "assembly", "assemblies"),
            },
            new MemoryItem("compiled code", Resident(MappingKind.Code))
            {
                Detail = _runtime is null ? "" : $"{Words.Count(_runtime.CompiledMethods, "method", "methods")} compiled",
            },
        ],
        MappingKind.LoaderHeap, MappingKind.Code);

    private MemoryGroup Stacks() => Group(
        MemoryGroupKind.Stacks, [new MemoryItem("stacks", Resident(MappingKind.Stack))], MappingKind.Stack);

    private MemoryGroup Files()
    {
        (MappingKind Kind, string Name)[] kinds =
            [(MappingKind.Library, Libraries), (MappingKind.Assembly, "assemblies"), (MappingKind.File, "other files")];
        List<MemoryItem> items = [];
        foreach ((MappingKind kind, string name) in kinds)
        {
            IGrouping<string, Mapping>[] files = [.. _mappings[kind].GroupBy(one => one.Name).Where(file => file.Key.Length > 0)];
            items.Add(new MemoryItem(name, Resident(kind)) { Detail = Words.Count(files.Length, "file", "files") });
            items.AddRange(files.Select(file => new MemoryItem(file.Key, file.Sum(one => one.Resident)) { IsWithinOthers = true })
                .OrderByDescending(item => item.Bytes).Take(NamedFiles));
        }

        return Group(MemoryGroupKind.Files, items, [.. kinds.Select(one => one.Kind)]);
    }

    private MemoryGroup Shared() => Group(MemoryGroupKind.Shared, ByName(MappingKind.Shared, "without a name"), MappingKind.Shared);

    private MemoryGroup Named() => Group(
        MemoryGroupKind.Named, ByName(MappingKind.Named, "").Concat(ByName(MappingKind.Kernel, "")), MappingKind.Named, MappingKind.Kernel);

    private MemoryGroup Unnamed()
    {
        if (_hasUnnamed)
        {
            return new MemoryGroup(MemoryGroupKind.Unnamed, 0, 0, []);
        }

        Mapping[] used = [.. _mappings[MappingKind.Unnamed].Where(one => one.Resident > 0)];
        string largest = used.Length > 1 ? $", the largest {Words.Bytes(used.Max(one => one.Resident))}" : "";
        return Group(
            MemoryGroupKind.Unnamed,
            [
                new MemoryItem("large allocations and other mappings", Resident(MappingKind.Unnamed))
                {
                    Detail = $"{Words.Count(used.Length, "mapping", "mappings")}{largest}",
                },
            ],
            MappingKind.Unnamed);
    }

    private IEnumerable<MemoryItem> ByName(MappingKind kind, string nameless) => _mappings[kind]
        .GroupBy(one => one.Name.EndsWith(Deleted, StringComparison.Ordinal) ? one.Name[..^Deleted.Length] : one.Name)
        .Select(file => new MemoryItem(file.Key.Length == 0 ? nameless : file.Key, file.Sum(one => one.Resident)))
        .Where(item => item.Bytes > 0)
        .OrderByDescending(item => item.Bytes);

    private long Resident(MappingKind kind) => _mappings[kind].Sum(one => one.Resident);

    private MemoryGroup Group(MemoryGroupKind group, IEnumerable<MemoryItem> items, params MappingKind[] kinds) => new(
        group, kinds.Sum(Resident), kinds.Sum(kind => _mappings[kind].Sum(one => one.Swapped)),
        [
            .. items.Where(item => item.Bytes > 0)
                .OrderBy(item => item.IsWithinOthers).ThenByDescending(item => item.IsWithinOthers ? 0 : item.Bytes),
        ]);
}
