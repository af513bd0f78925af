using Microsoft.Win32.SafeHandles;
using Tarn.Tool.Memory.Mappings;

namespace Tarn.Tool.Memory.Figures;

/// <summary>The heaps of <c>malloc</c> in a process, and what is in use in each.</summary>
internal sealed class MallocHeaps
{
    private readonly IReadOnlyList<Mapping> _mappings;
    private readonly HeapWalk? _walk;

    /// <param name="mappings">The mappings of the process.</param>
    /// <param name="memory">The memory of the process; null where it cannot be read.</param>
    public MallocHeaps(IReadOnlyList<Mapping> mappings, SafeFileHandle? memory)
    {
        _mappings = mappings;
        _walk = memory is null ? null : new HeapWalk((address, buffer) => Read(memory, address, buffer));
        Kinds = MappingKinds.Of(mappings, _walk is null ? null : _walk.IsArena);
        Arenas = [.. Kinds.ArenaHeaps.Select(Describe).OrderByDescending(heap => heap.ResidentBytes)];
        Main = DescribeMain();
    }

    /// <summary>The kinds of all mappings.</summary>
    public MappingKinds Kinds { get; }

    /// <summary>The heaps of arenas, the largest first.</summary>
    public IReadOnlyList<MallocHeap> Arenas { get; }

    /// <summary>The main heap; null if there is none.</summary>
    public MallocHeap? Main { get; }

    /// <summary>What is free of those heaps that tell; null if none does.</summary>
    public static long? FreeOf(IReadOnlyList<MallocHeap> heaps) =>
        heaps.Any(heap => heap.FreeBytes is not null) ? heaps.Sum(heap => heap.FreeBytes ?? 0) : null;

    /// <summary>Memory that was never used, or is in the swap space, is not read: that would change it.</summary>
    private MallocHeap Describe(ulong heap)
    {
        Mapping[] used =
        [
            .. _mappings.Where(one => one.Start < heap + MappingKinds.ArenaHeap && one.End > heap && !one.IsReserved),
        ];
        long resident = used.Sum(one => ResidentIn(one, heap));
        long? inUse = used.Any(one => one.Swapped > 0) ? null : _walk?.InUseOfArena(heap);
        return new MallocHeap(heap, resident, inUse is { } bytes ? Math.Max(0, resident - bytes) : null);
    }

    /// <summary>A mapping may have several full heaps.</summary>
    private static long ResidentIn(Mapping one, ulong heap)
    {
        ulong inside = Math.Min(one.End, heap + MappingKinds.ArenaHeap) - Math.Max(one.Start, heap);
        return inside == one.Size ? one.Resident : (long)(one.Resident * (double)inside / one.Size);
    }

    private MallocHeap? DescribeMain()
    {
        Mapping[] all = [.. _mappings.Where((_, at) => Kinds.All[at] == MappingKind.MainHeap)];
        if (all.Length == 0)
        {
            return null;
        }

        long resident = all.Sum(one => one.Resident);
        bool isForeign = LoadedAllocator.Of(_mappings) is not null;
        long? inUse = isForeign || all.Length > 1 || all[0].Swapped > 0 ? null : _walk?.InUseOfMain(all[0].Start, all[0].End);
        return new MallocHeap(all[0].Start, resident, inUse is { } bytes ? Math.Max(0, resident - bytes) : null);
    }

    private static int Read(SafeFileHandle memory, ulong address, Memory<byte> buffer)
    {
        try
        {
            return RandomAccess.Read(memory, buffer.Span, (long)address);
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
