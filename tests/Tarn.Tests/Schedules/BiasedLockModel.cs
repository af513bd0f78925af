using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The owner of a biased lock takes it twice, and two other threads take it once. Each counts inside.</summary>
internal static class BiasedLockModel
{
    private const string File = "src/Tarn/Primitives/BiasedLock.cs";
    private const string LockFile = "src/Tarn/Primitives/ShortLock.cs";
    private const int NoOwner = 0;
    private const int Owner = 1;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Lock shared = new(
            protocol.Location("_owner", Owner), protocol.Location("_isOwnerInside"), protocol.Location("_others"),
            protocol.Location("(count)"));
        ThreadProgram owner = protocol.Thread("owner");
        ThreadProgram second = protocol.Thread("second");
        ThreadProgram third = protocol.Thread("third");
        for (int i = 0; i < 2; i++)
        {
            AddOwner(protocol, owner, shared, fault);
        }

        foreach (ThreadProgram other in (ThreadProgram[])[second, third])
        {
            AddEnterAsOther(protocol, other, shared, fault);
            AddCount(other, shared);
            AddExit(other, shared);
        }

        protocol.AtEnd("one thread at a time is inside", end => end[shared.Count] == 4);
        return protocol;
    }

    private static void AddOwner(Protocol protocol, ThreadProgram thread, Lock shared, PlantedFault fault)
    {
        Expression seen = thread.Register("seen");
        Expression isOwner = thread.Register("isOwner");
        thread.Set(isOwner, 0);
        thread.From(File, "Enter");
        thread.Load(seen, shared.Owner, "_owner == thread");
        thread.If(
            seen.Is(Owner),
            () =>
            {
                thread.Store(shared.IsOwnerInside, 1, "Volatile.Write(ref _isOwnerInside, 1);", StepOrder.Release);
                if (fault != PlantedFault.EnterWithoutSecondLook)
                {
                    thread.Load(seen, shared.Owner, "Volatile.Read(ref _owner) == thread", StepOrder.Acquire);
                }

                thread.If(
                    seen.Is(Owner),
                    () => thread.Set(isOwner, 1),
                    () => thread.Store(shared.IsOwnerInside, 0, "Volatile.Write(ref _isOwnerInside, 0);", StepOrder.Release));
            });
        thread.If(
            isOwner,
            () =>
            {
                AddCount(thread, shared);
                thread.From(File, "Exit");
                StepOrder order = fault == PlantedFault.PlainOwnerExit ? StepOrder.Plain : StepOrder.Release;
                thread.Store(shared.IsOwnerInside, 0, "Volatile.Write(ref _isOwnerInside, 0);", order);
            },
            () =>
            {
                AddEnterAsOther(protocol, thread, shared, fault);
                AddCount(thread, shared);
                AddExit(thread, shared);
            });
    }

    private static void AddCount(ThreadProgram thread, Lock shared)
    {
        Expression count = thread.Register("count");
        thread.Load(count, shared.Count, "(reads the count)");
        thread.Store(shared.Count, count + 1, "(counts)");
    }

    private static void AddEnterAsOther(Protocol protocol, ThreadProgram thread, Lock shared, PlantedFault fault)
    {
        Expression old = thread.Register("old");
        Expression owner = thread.Register("owner");
        Expression inside = thread.Register("inside");
        thread.From(LockFile, "Enter");
        thread.Exchange(old, shared.Others, 1, "Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0", until: old.Is(0));
        thread.From(File, "EnterAsOther");
        thread.Load(owner, shared.Owner, "_owner != NoOwner");
        thread.If(
            owner,
            () =>
            {
                thread.Store(shared.Owner, NoOwner, "Volatile.Write(ref _owner, NoOwner);", StepOrder.Release);
                if (fault != PlantedFault.RevokeWithoutFence)
                {
                    thread.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
                }

                if (fault != PlantedFault.RevokeWithoutWait)
                {
                    thread.Load(
                        inside, shared.IsOwnerInside, "while (Volatile.Read(ref _isOwnerInside) != 0)", StepOrder.Acquire,
                        until: inside.Is(0));
                }
            });
    }

    private static void AddExit(ThreadProgram thread, Lock shared)
    {
        thread.From(LockFile, "Exit");
        thread.Store(shared.Others, 0, "Volatile.Write(ref _isHeld, 0);", StepOrder.Release);
    }

    private sealed record Lock(int Owner, int IsOwnerInside, int Others, int Count);
}
