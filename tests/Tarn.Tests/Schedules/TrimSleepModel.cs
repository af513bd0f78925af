using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A thread keeps a large buffer, and another ends a tick that found nothing kept, and puts the heap to sleep.</summary>
/// <remarks>
/// The buffer is recorded with a plain store under a lock, whose end is a store too. So the tick's fence must stand for both sides.
/// </remarks>
internal static class TrimSleepModel
{
    private const string Schedule = "src/Tarn/Trimming/TrimSchedule.cs";
    private const string Large = "src/Tarn/NativeHeap/HeapCore.Large.cs";

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int awake = protocol.Location("_awake", 1);
        int kept = protocol.Location("KeptBytes");
        int stays = protocol.Location("(the tick leaves the source with the clock)", 1);
        int woken = protocol.Location("(the keeper adds the source to the clock)");
        ThreadProgram keeper = protocol.Thread("keeper");
        ThreadProgram trimmer = protocol.Thread("trimmer");
        AddKeeper(keeper, awake, kept, woken, fault);
        AddTrimmer(protocol, trimmer, awake, kept, stays, fault);
        protocol.AtEnd("what is kept is ticked", end => end[kept] == 0 || end[stays] + end[woken] > 0);
        protocol.AtEnd("who is awake is ticked once, and nobody else", end => end[awake] == end[stays] + end[woken]);
        return protocol;
    }

    private static void AddKeeper(ThreadProgram keeper, int awake, int kept, int woken, PlantedFault fault)
    {
        Expression isAwake = keeper.Register("isAwake");
        Expression old = keeper.Register("old");
        keeper.From(Large, "TryKeepLarge");
        keeper.Load(isAwake, awake, "Schedule.IsAwake", StepOrder.Acquire);
        keeper.If(
            isAwake.Is(1),
            () =>
            {
                keeper.Store(kept, 1, "Large.TryKeep(block, BlockSizes.RoundUp(size), TickedAt)", StepOrder.Release);
                if (fault != PlantedFault.LookBeforeKeep)
                {
                    keeper.Set(old, 1, "Schedule.Wake();");
                    AddWake(keeper, isAwake, old, awake, woken);
                }
            });
    }

    /// <summary>TrimSchedule.Wake.</summary>
    private static void AddWake(ThreadProgram keeper, Expression isAwake, Expression old, int awake, int woken)
    {
        keeper.From(Schedule, "Wake");
        keeper.Load(isAwake, awake, "!IsAwake", StepOrder.Acquire);
        keeper.If(isAwake.Is(0), () => keeper.Exchange(old, awake, 1, "TryWake()"));
        keeper.If(old.Is(0), () => keeper.Store(woken, 1, "Clock.Wake(source, Period);", StepOrder.Release));
    }

    private static void AddTrimmer(
        Protocol protocol, ThreadProgram trimmer, int awake, int kept, int stays, PlantedFault fault)
    {
        Expression keeps = trimmer.Register("keeps");
        Expression old = trimmer.Register("old");
        trimmer.From(Schedule, "StayAwakeIf");
        trimmer.Load(keeps, kept, "if (keepsMemory())", StepOrder.Acquire);
        trimmer.If(
            keeps.Is(0),
            () =>
            {
                trimmer.Store(awake, 0, "Volatile.Write(ref _awake, 0);", StepOrder.Release);
                if (fault != PlantedFault.SleepWithoutFence)
                {
                    trimmer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
                }

                trimmer.Load(keeps, kept, "return keepsMemory()", StepOrder.Acquire);
                trimmer.If(
                    keeps.Is(1),
                    () => trimmer.Exchange(old, awake, 1, "TryWake()"),
                    () => trimmer.Set(old, 1));

                // Unless it was the tick that woke it, the source's place in the clock's list goes.
                trimmer.If(old.Is(1), () => trimmer.Store(stays, 0, "(leaves the clock)"));
            });
    }
}
