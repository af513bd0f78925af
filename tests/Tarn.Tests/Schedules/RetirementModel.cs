using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// Two threads end a heap at once, one of them perhaps its finalizer. A third makes the next heap, which takes the index over. A fourth,
/// whose directory held the old heap's section, calls the old heap before and after it adds its section for the new one.
/// </summary>
internal static class RetirementModel
{
    private const string Lifetime = "src/Tarn/NativeHeap/NativeHeap.Lifetime.cs";
    private const string Heap = "src/Tarn/NativeHeap/NativeHeap.cs";
    private const string Directory = "src/Tarn/Caching/ThreadDirectory.cs";
    private const string Indices = "src/Tarn/Primitives/FreeIndices.cs";
    private const int Empty = 0;
    private const int Old = 1;
    private const int New = 2;
    private const int Released = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("_release"),
            protocol.Location("_slot", initial: 1),
            protocol.Location("_directory[index]", Old),
            protocol.Location("(free)"),
            protocol.Location("(handed)"));
        AddRelease(protocol.Thread("disposer"), shared, fault);
        AddRelease(protocol.Thread("finalizer"), shared, fault);
        ThreadProgram taker = protocol.Thread("taker");
        Expression free = taker.Register("free");
        taker.From(Indices, "Take");
        taker.Exchange(free, shared.Free, free - 1, "_free.Remove(index);", until: free > 0);
        taker.Store(shared.Handed, 1, "(hands the new heap to the user)", StepOrder.Release);
        AddUser(protocol.Thread("user"), shared);
        protocol.AtEnd("an index has one owner", end => end[shared.Free] == 0);
        return protocol;
    }

    private static void AddRelease(ThreadProgram thread, Shared shared, PlantedFault fault)
    {
        Expression release = thread.Register("release");
        if (fault != PlantedFault.ReleaseTwice)
        {
            thread.From(Lifetime, "TryRelease");
            thread.Exchange(
                release, shared.Release, release + release.Is(0), "Interlocked.CompareExchange(ref _release, Releasing, Held) != Held");
        }

        thread.If(release.Is(0), () => AddRetire(thread, shared, fault));
    }

    private static void AddRetire(ThreadProgram thread, Shared shared, PlantedFault fault)
    {
        Expression free = thread.Register("free");
        if (fault != PlantedFault.SlotAfterIndex)
        {
            AddSetSlots(thread, shared);
        }

        if (fault != PlantedFault.IndexBeforeDirectory)
        {
            AddDetach(thread, shared);
        }

        thread.From(Indices, "GiveBack");
        thread.Exchange(free, shared.Free, free + 1, "_free.Add(index);");
        if (fault == PlantedFault.IndexBeforeDirectory)
        {
            AddDetach(thread, shared);
        }

        if (fault == PlantedFault.SlotAfterIndex)
        {
            AddSetSlots(thread, shared);
        }

        thread.From(Lifetime, "TryRelease");
        thread.Store(shared.Release, Released, "Volatile.Write(ref _release, isReleased ? Released : Held);", StepOrder.Release);
    }

    private static void AddSetSlots(ThreadProgram thread, Shared shared)
    {
        thread.From(Lifetime, "SetSlots");
        thread.Store(
            shared.Slot, 0, "Volatile.Write(ref _slot, isOpen && !isSampled ? _ownSlot : HeapThreads.None);", StepOrder.Release);
    }

    private static void AddDetach(ThreadProgram thread, Shared shared)
    {
        thread.From(Directory, "Retire");
        thread.Store(shared.Directory, Empty, "Volatile.Write(ref _directory[index], empty);", StepOrder.Release);
    }

    private static void AddUser(ThreadProgram user, Shared shared)
    {
        Expression slot = user.Register("slot");
        Expression section = user.Register("section");
        Expression handed = user.Register("handed");
        AddCall(user, shared, slot, section);
        user.Load(handed, shared.Handed, "(gets the new heap)", StepOrder.Acquire, until: handed);
        user.From(Directory, "Set");
        user.Store(shared.Directory, New, "Volatile.Write(ref _directory[index], section.Address);", StepOrder.Release);
        AddCall(user, shared, slot, section);
        user.From(Heap, "SectionOf");
        user.Load(section, shared.Directory, "*(nint**)slot");
        user.Check(section.Is(New), "a call of the new heap finds its own section");
    }

    /// <summary>A call of the old heap.</summary>
    private static void AddCall(ThreadProgram user, Shared shared, Expression slot, Expression section)
    {
        user.From(Heap, "Allocate");
        user.Load(slot, shared.Slot, "HeapThreads.Local.Directory + _slot");
        user.If(
            slot,
            () =>
            {
                user.From(Heap, "SectionOf");
                user.Load(section, shared.Directory, "*(nint**)slot");
                user.Check(section.IsNot(New), "a call of the old heap never finds the section of the new one");
            });
    }

    private sealed record Shared(int Release, int Slot, int Directory, int Free, int Handed);
}
