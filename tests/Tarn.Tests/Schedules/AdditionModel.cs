using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A thread that sleeps for tasks, and another that adds two waits while it goes to sleep or wakes.</summary>
internal static class AdditionModel
{
    private const string Waiters = "src/Tarn.SharedMemory/Waiting/TaskWaiters.cs";
    private const string Group = "src/Tarn.SharedMemory/Platform/LinuxSignalGroup.cs";
    private const int Waits = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(protocol.Location("_added"), protocol.Location("_own"), protocol.Location("(queue)"));
        AddAdder(protocol.Thread("adder"), shared, fault);
        AddSleeper(protocol.Thread("sleeper"), shared, fault);
        return protocol;
    }

    private static void AddAdder(ThreadProgram adder, Shared shared, PlantedFault fault)
    {
        Expression old = adder.Register("old");
        for (int wait = 0; wait < Waits; wait++)
        {
            if (fault == PlantedFault.WakeBeforeAddition)
            {
                AddWake(adder, shared, old);
            }

            adder.From(Waiters, "Add");
            adder.Exchange(old, shared.Added, old + 1, "waiter.Add(wait)");
            if (fault != PlantedFault.WakeBeforeAddition)
            {
                AddWake(adder, shared, old);
            }
        }
    }

    private static void AddWake(ThreadProgram adder, Shared shared, Expression old)
    {
        adder.From(Group, "Wake");
        adder.Exchange(old, shared.Own, old + 1, "uint changed = Interlocked.Increment(ref _own[0]) - 1;");
        adder.Exchange(old, shared.Queue, 0, "_signal.Wake(changed);");
    }

    private static void AddSleeper(ThreadProgram sleeper, Shared shared, PlantedFault fault)
    {
        Expression taken = sleeper.Register("taken");
        Expression added = sleeper.Register("added");
        Expression seen = sleeper.Register("seen");
        Expression old = sleeper.Register("old");
        void See() => sleeper.Load(seen, shared.Own, "_seen = Volatile.Read(ref _own[0]);", StepOrder.Acquire);

        sleeper.While(
            taken < Waits,
            () =>
            {
                sleeper.From(Waiters, "Exchange");
                sleeper.Exchange(added, shared.Added, 0, "waiter.TakeAdded(ended)");
                sleeper.Set(taken, taken + added);
                sleeper.From(Group, "Wait");
                if (fault == PlantedFault.SeenAfterTaking)
                {
                    See();
                    sleeper.From(Group, "Wait");
                }

                sleeper.If(
                    taken < Waits,
                    () =>
                    {
                        sleeper.SleepIfUnchanged(shared.Queue, shared.Own, seen, "Futexes(WaitForMany, words");
                        sleeper.Load(old, shared.Queue, "(the kernel lets it sleep)", StepOrder.Acquire, until: old.Is(0));
                    });
                if (fault != PlantedFault.SeenAfterTaking)
                {
                    See();
                }
            });
    }

    private sealed record Shared(int Added, int Own, int Queue);
}
