using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A thread moves memory that it holds alone, a second one pins and unpins it, and two dispose it.</summary>
internal static class PinCountModel
{
    private const string File = "src/Tarn/Primitives/PinCount.cs";
    private const string OwnerFile = "src/Tarn/NativeHeap/NativeBuffer.Lifetime.cs";
    private const int Disposed = 1;
    private const int OnePin = 2;
    private const int Alone = -64;
    private const int Old = 0;
    private const int New = 1;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Memory memory = new(
            protocol.Location("_word"), protocol.Location("_pointer", Old), protocol.Locations("(block)", 1, 0),
            protocol.Location("(frees)"));
        AddMover(protocol.Thread("mover"), memory, fault);
        AddPinner(protocol.Thread("pinner"), memory, fault);
        AddDisposer(protocol.Thread("first disposer"), memory, fault);
        AddDisposer(protocol.Thread("second disposer"), memory, fault);
        protocol.AtEnd(
            "disposed memory is freed once",
            end => end[memory.Frees] == 1 && end[memory.Blocks + Old] == 0 && end[memory.Blocks + New] == 0);
        return protocol;
    }

    private static void AddMover(ThreadProgram thread, Memory memory, PlantedFault fault)
    {
        Expression seen = thread.Register("seen");
        thread.From(File, "TryHoldAlone");
        Expression isFree = fault == PlantedFault.HoldPinned ? IsDisposed(seen).Is(0) : seen.Is(0);
        thread.Exchange(seen, memory.Word, seen + (isFree * Alone), "Interlocked.CompareExchange(ref _word, Alone, 0) == 0");
        thread.If(
            isFree,
            () =>
            {
                thread.From(OwnerFile, "TryResize");
                thread.Store(memory.Blocks + New, 1, "(allocates the new block)");
                thread.Store(memory.Blocks + Old, 0, "(frees the old block)");
                thread.Store(memory.Pointer, New, "_pointer = (T*)_heap.ReallocateAligned(");
                thread.From(File, "EndAlone");
                thread.Exchange(seen, memory.Word, seen - Alone, "Interlocked.Add(ref _word, Alone) == Disposed");
                if (fault != PlantedFault.ForgetDisposal)
                {
                    thread.If(seen.Is(Alone + Disposed), () => AddFree(thread, memory));
                }
            });
    }

    private static void AddPinner(ThreadProgram thread, Memory memory, PlantedFault fault)
    {
        Expression before = thread.Register("before");
        Expression pointer = thread.Register("pointer");
        Expression block = thread.Register("block");
        if (fault == PlantedFault.PointerBeforePin)
        {
            AddPointer(thread, memory, pointer);
        }

        AddAddition(thread, memory, before, OnePin, until: fault == PlantedFault.PinDuringMove ? 1 : before > -1);
        thread.If(
            IsDisposed(before).Is(0),
            () =>
            {
                if (fault != PlantedFault.PointerBeforePin)
                {
                    AddPointer(thread, memory, pointer);
                }

                thread.Load(block, memory.Blocks + pointer, "(uses the block)");
                thread.Check(block.Is(1), "pinned memory is neither moved nor freed");
                thread.From(File, "Unpin");
                thread.Exchange(before, memory.Word, before - OnePin, "Interlocked.CompareExchange(ref _word, word - OnePin, word)");
                thread.If(before.Is(Disposed + OnePin), () => AddFree(thread, memory));
            });
    }

    private static void AddDisposer(ThreadProgram thread, Memory memory, PlantedFault fault)
    {
        Expression before = thread.Register("before");
        AddAddition(thread, memory, before, Disposed, until: 1);
        Expression isOver = fault == PlantedFault.FreeDuringMove ? before.Is(0).Or(before.Is(Alone)) : before.Is(0);
        thread.If(isOver, () => AddFree(thread, memory));
    }

    /// <summary>The loop of the pin count that adds to the word unless the memory was disposed.</summary>
    private static void AddAddition(ThreadProgram thread, Memory memory, Expression before, int change, Expression until)
    {
        thread.From(File, "TryAdd");
        thread.Exchange(
            before, memory.Word, before + (IsDisposed(before).Is(0) * change),
            "Interlocked.CompareExchange(ref _word, word, before)", until);
    }

    private static void AddPointer(ThreadProgram thread, Memory memory, Expression pointer)
    {
        thread.From(OwnerFile, "PinAt");
        thread.Load(pointer, memory.Pointer, "return (byte*)_pointer + (index * size);");
    }

    private static void AddFree(ThreadProgram thread, Memory memory)
    {
        Expression pointer = thread.Register("freed");
        Expression frees = thread.Register("frees");
        thread.From(OwnerFile, "Free");
        thread.Load(pointer, memory.Pointer, "_heap.FreeAligned(_pointer,");
        thread.Store(memory.Blocks + pointer, 0, "(frees the block)");
        thread.Exchange(frees, memory.Frees, frees + 1, "(counts)");
    }

    private static Expression IsDisposed(Expression word) =>
        word.Is(Disposed).Or(word.Is(Disposed + OnePin)).Or(word.Is(Alone + Disposed)).Or(word.Is(Alone + OnePin + Disposed));

    private sealed record Memory(int Word, int Pointer, int Blocks, int Frees);
}
