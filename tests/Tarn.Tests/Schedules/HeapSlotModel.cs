using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>An owner takes a large buffer from its slot, puts it back and takes it again, while a trimmer closes the slot.</summary>
internal static class HeapSlotModel
{
    private const string File = "src/Tarn/NativeHeap/HeapSection.cs";
    private const int Closed = 0;
    private const int Open = 1;
    private const int Buffer = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int busy = protocol.Location("words[Busy]");
        int barred = protocol.Location("words[Barred]");
        int slot = protocol.Location("*slot", Buffer);
        ThreadProgram owner = protocol.Thread("owner");
        ThreadProgram trimmer = protocol.Thread("trimmer");
        Expression isBarred = owner.Register("isBarred");
        Expression seen = owner.Register("seen");
        Expression held = owner.Register("held");
        StepOrder leave = fault == PlantedFault.PlainNotBusy ? StepOrder.Plain : StepOrder.Release;
        for (int round = 0; round < 2; round++)
        {
            Enter(owner, "TakeFromSlot", busy, barred, isBarred);
            owner.If(isBarred.Is(0).And(held.Is(0)), () => AddTake(owner, slot, seen, held));
            owner.Store(busy, 0, "Volatile.Write(ref words[Busy], 0);", leave);
            if (round == 0)
            {
                Enter(owner, "PutIntoSlot", busy, barred, isBarred);
                owner.If(isBarred.Is(0).And(held), () => AddPut(owner, slot, seen, held));
                owner.Store(busy, 0, "Volatile.Write(ref words[Busy], 0);", leave);
            }
        }

        Expression block = AddTrimmer(protocol, trimmer, busy, barred, slot, fault);
        protocol.AtEnd(
            "a large buffer has one owner",
            end => end.Of(owner, held) + end.Of(trimmer, block > Open) + (end[slot] > Open ? 1 : 0) == 1);
        return protocol;
    }

    private static void Enter(ThreadProgram owner, string method, int busy, int barred, Expression isBarred)
    {
        owner.From(File, method);
        owner.Store(busy, 1, "Volatile.Write(ref words[Busy], 1);", StepOrder.Release);
        owner.Load(isBarred, barred, "Volatile.Read(ref words[Barred]) == 0", StepOrder.Acquire);
    }

    private static void AddTake(ThreadProgram owner, int slot, Expression seen, Expression held)
    {
        owner.Load(seen, slot, "*slot > OpenSlot");
        owner.If(
            seen > Open,
            () =>
            {
                owner.Store(slot, Open, "*slot = OpenSlot;");
                owner.Set(held, 1);
            });
    }

    private static void AddPut(ThreadProgram owner, int slot, Expression seen, Expression held)
    {
        owner.Load(seen, slot, "*slot == OpenSlot");
        owner.If(
            seen.Is(Open),
            () =>
            {
                owner.Store(slot, Buffer, "*slot = block;");
                owner.Set(held, 0);
            });
    }

    private static Expression AddTrimmer(Protocol protocol, ThreadProgram trimmer, int busy, int barred, int slot, PlantedFault fault)
    {
        Expression isBusy = trimmer.Register("isBusy");
        Expression block = trimmer.Register("block");
        trimmer.From(File, "TryBar");
        trimmer.Store(barred, 1, "Volatile.Write(ref Words[Barred], 1);", StepOrder.Release);
        if (fault != PlantedFault.BarWithoutFence)
        {
            trimmer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
        }

        trimmer.Load(isBusy, busy, "while (Volatile.Read(ref Words[Busy]) != 0)", StepOrder.Acquire, until: isBusy.Is(0));
        trimmer.From(File, "CloseIdleSlot");
        trimmer.Load(block, slot, "nint block = *slot;");
        trimmer.Store(slot, Closed, "*slot = ClosedSlot;");
        trimmer.From(File, "Unbar");
        trimmer.Store(barred, 0, "Volatile.Write(ref Words[Barred], 0);", StepOrder.Release);
        return block;
    }
}
