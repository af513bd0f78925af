using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// An owner allocates, frees and allocates twice from a magazine of three blocks, without a lock, while a trimmer parks the magazine and
/// takes its blocks, all but one.
/// </summary>
internal static class HeapMagazineModel
{
    private const string Heap = "src/Tarn/NativeHeap/NativeHeap.cs";
    private const string Trim = "src/Tarn/NativeHeap/BlockClassCache.Trim.cs";
    private const int Blocks = 3;
    private const int Closed = 0;
    private const int Loaded = 1;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Magazine magazine = new(
            protocol.Location("section[entry]", Loaded), protocol.Location("State", Blocks), protocol.Locations("Items", 1, 2, 3));
        ThreadProgram owner = protocol.Thread("owner");
        ThreadProgram trimmer = protocol.Thread("trimmer");
        Expression entry = owner.Register("magazine");
        Expression count = owner.Register("count");
        Expression[] held = [owner.Register("first"), owner.Register("second"), owner.Register("third")];
        AddAllocate(owner, magazine, entry, count, held[0]);
        owner.If(held[0], () => AddFree(owner, magazine, entry, count, held[0]));
        AddAllocate(owner, magazine, entry, count, held[1]);
        AddAllocate(owner, magazine, entry, count, held[2]);
        Expression[] taken = AddTrimmer(protocol, trimmer, magazine, fault);
        protocol.AtEnd(
            "a block has one owner",
            end => NoneTwice(
                [.. held.Select(block => end.Of(owner, block)), .. taken.Select(block => end.Of(trimmer, block))]));
        return protocol;
    }

    private static bool NoneTwice(int[] blocks)
    {
        int[] there = [.. blocks.Where(static block => block != 0)];
        return there.Distinct().Count() == there.Length;
    }

    private static void AddAllocate(ThreadProgram owner, Magazine magazine, Expression entry, Expression count, Expression block) =>
        AddOpen(owner, magazine, entry, count, "Allocate", "_slot", () => owner.If(
            count,
            () =>
            {
                owner.Store(magazine.State, count - 1, "*(ulong*)magazine = state + (BlockMagazine.OnePop - BlockMagazine.OneBlock);");
                owner.Load(block, count + (magazine.Items - 1), "return *(void**)((byte*)magazine + top);");
            }));

    private static void AddFree(ThreadProgram owner, Magazine magazine, Expression entry, Expression count, Expression block) =>
        AddOpen(owner, magazine, entry, count, "Free", "_freeSlot", () =>
        {
            owner.Store(count + magazine.Items, block, "*(void**)((byte*)(magazine + 1) + top) = block;");
            owner.Store(magazine.State, count + 1, "*(ulong*)magazine = state + BlockMagazine.OneBlock;");
            owner.Set(block, 0);
        });

    /// <summary>Reads the entry and, if it leads to the magazine, its count; then does <paramref name="use"/>.</summary>
    private static void AddOpen(
        ThreadProgram owner, Magazine magazine, Expression entry, Expression count, string verb, string slot, Action use)
    {
        owner.From(Heap, verb);
        owner.Load(
            entry,
            magazine.Entry,
            $"(nint*)Volatile.Read(ref SectionOf(HeapThreads.Local.Directory + {slot})[BlockSizes.EntryOf(size)])",
            StepOrder.Acquire);
        owner.From(Heap, verb == "Free" ? "FreeTo" : "AllocateFrom");
        owner.If(
            entry.Is(Loaded),
            () =>
            {
                owner.Load(count, magazine.State, "ulong state = *(ulong*)magazine;");
                use();
            });
    }

    private static Expression[] AddTrimmer(Protocol protocol, ThreadProgram trimmer, Magazine magazine, PlantedFault fault)
    {
        Expression count = trimmer.Register("count");
        Expression[] taken = [trimmer.Register("taken0"), trimmer.Register("taken1"), trimmer.Register("taken2")];
        trimmer.From("src/Tarn/NativeHeap/HeapSection.cs", "Publish");
        trimmer.Store(
            magazine.Entry,
            Closed,
            "Volatile.Write(ref Entries[BlockSizes.EntryOf(size)], words);",
            StepOrder.Release);
        if (fault != PlantedFault.TakeParkedWithoutFence)
        {
            trimmer.From("src/Tarn/NativeHeap/HeapTrimmer.cs", "TrimTiers");
            trimmer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
        }

        trimmer.From(Trim, "TakeParked");
        trimmer.Load(count, magazine.State, "ReadOnlySpan<nint> stack = parked.Stack;", StepOrder.Acquire);
        int left = fault == PlantedFault.TakeParkedWhole ? 0 : 1;
        for (int i = 0; i < Blocks; i++)
        {
            int item = i;
            trimmer.If(
                count > item + left,
                () =>
                {
                    trimmer.From(Trim, "TakeParked");
                    trimmer.Load(taken[item], magazine.Items + item, "shared.GiveToSlabs(stack[..^1], TimeSpan.MinValue);");
                });
        }

        return taken;
    }

    private sealed record Magazine(int Entry, int State, int Items);
}
