using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The word that one side of a ring sleeps on, its note, and the kernel's queue: how models sleep and wake.</summary>
/// <param name="Signal">The word.</param>
/// <param name="IsAsleep">The note.</param>
/// <param name="Queue">1 while the kernel lets the side sleep.</param>
internal sealed record Sleeper(int Signal, int IsAsleep, int Queue)
{
    private const string Waiting = "src/Tarn.SharedMemory/Waiting/WaitingSide.cs";

    internal static Sleeper In(Protocol protocol) =>
        new(protocol.Location("sleeper->Signal"), protocol.Location("sleeper->IsAsleep"), protocol.Location("(queue)"));

    /// <summary>WaitingSide.Wake.</summary>
    internal void AddWake(ThreadProgram thread, Expression old, PlantedFault fault)
    {
        thread.From(Waiting, "Wake");
        if (fault is not PlantedFault.ClearAfterWake)
        {
            AddClear(thread);
        }

        if (fault is not PlantedFault.SignalAfterWake)
        {
            AddSignal(thread, old);
        }

        thread.Exchange(old, Queue, 0, "signal.Wake(changed);");
        thread.From(Waiting, "Wake");
        if (fault is PlantedFault.SignalAfterWake)
        {
            AddSignal(thread, old);
        }
        else if (fault is PlantedFault.ClearAfterWake)
        {
            AddClear(thread);
        }
    }

    /// <summary>WaitingSide.Sleep: the last look is the caller's.</summary>
    internal void AddSleep(ThreadProgram thread, Expression seen, Expression old, Action look, Expression goesOn, PlantedFault fault)
    {
        thread.From(Waiting, "TryNoteSleep");
        if (fault != PlantedFault.SignalAfterLook)
        {
            AddSee(thread, seen);
        }

        if (fault != PlantedFault.NoteAfterLook)
        {
            AddNote(thread, old, fault);
        }

        look();
        thread.If(
            goesOn,
            () =>
            {
                if (fault == PlantedFault.NoteAfterLook)
                {
                    AddNote(thread, old, fault);
                }
                else if (fault == PlantedFault.SignalAfterLook)
                {
                    AddSee(thread, seen);
                }

                thread.From(Waiting, "Sleep");
                thread.SleepIfUnchanged(Queue, Signal, seen, "_signal.Wait(seen, milliseconds);");
                thread.Load(old, Queue, "(the kernel lets it sleep)", StepOrder.Acquire, until: old.Is(0));
            });
    }

    /// <summary>WaitingSide.NoteAwake, for a word on which one side sleeps alone.</summary>
    internal void AddNoteAwake(ThreadProgram thread)
    {
        thread.From(Waiting, "NoteAwake");
        thread.Store(IsAsleep, 0, "Volatile.Write(ref _sleeper->IsAsleep, 0);", StepOrder.Release);
    }

    private void AddSee(ThreadProgram thread, Expression seen) =>
        thread.Load(seen, Signal, "seen = Volatile.Read(ref _sleeper->Signal);", StepOrder.Acquire);

    private void AddNote(ThreadProgram thread, Expression old, PlantedFault fault)
    {
        if (fault == PlantedFault.VolatileNote)
        {
            thread.Store(IsAsleep, 1, "(Volatile.Write(ref _sleeper->IsAsleep, 1))", StepOrder.Release);
        }
        else
        {
            thread.Exchange(old, IsAsleep, 1, "Interlocked.Exchange(ref _sleeper->IsAsleep, 1);");
        }
    }

    private void AddClear(ThreadProgram thread) =>
        thread.Store(IsAsleep, 0, "Volatile.Write(ref sleeper->IsAsleep, 0);", StepOrder.Release);

    private void AddSignal(ThreadProgram thread, Expression old) =>
        thread.Exchange(old, Signal, old + 1, "uint changed = Interlocked.Increment(ref sleeper->Signal) - 1;");
}
