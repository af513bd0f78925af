using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A call that is inside a ring, or about to sleep there, while another thread closes the ring and unmaps its memory.</summary>
internal static class ClosingModel
{
    private const string Gate = "src/Tarn.SharedMemory/Waiting/CallGate.cs";
    private const string Waiting = "src/Tarn.SharedMemory/Rings/RingSide.Waiting.cs";

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("_isInside"),
            protocol.Location("_isClosing"),
            protocol.Location("(mapping)", initial: 1),
            Sleeper.In(protocol));
        ThreadProgram user = protocol.Thread("user");
        ThreadProgram closer = protocol.Thread("closer");
        AddUser(user, shared, fault);
        AddCloser(protocol, closer, shared, fault);
        return protocol;
    }

    private static void AddUser(ThreadProgram user, Shared shared, PlantedFault fault)
    {
        Expression isClosing = user.Register("isClosing");
        Expression mapping = user.Register("mapping");
        Expression seen = user.Register("seen");
        Expression old = user.Register("old");
        void Look(string code) => user.Load(isClosing, shared.IsClosing, code, StepOrder.Acquire);

        user.From(Gate, "TryEnter");
        user.Store(shared.IsInside, 1, "Volatile.Write(ref _isInside, true);", StepOrder.Release);
        Look("if (!Volatile.Read(ref _isClosing))");
        user.While(
            isClosing.Is(0),
            () =>
            {
                shared.Sleeper.AddSleep(
                    user,
                    seen,
                    old,
                    () =>
                    {
                        user.From(Waiting, "MaySleep");
                        Look("!IsClosing");
                    },
                    fault == PlantedFault.SleepThroughClosing ? 1 : isClosing.Is(0),
                    fault);
                shared.Sleeper.AddNoteAwake(user);
                user.Load(mapping, shared.Mapping, "(reads the mapping)");
                user.Check(mapping, "memory is mapped while a call is inside");
                user.From(Waiting, "ThrowIfOver");
                Look("if (IsClosing)");
            });
        user.From(Gate, "Leave");
        StepOrder order = fault == PlantedFault.PlainLeave ? StepOrder.Plain : StepOrder.Release;
        user.Store(shared.IsInside, 0, "Volatile.Write(ref _isInside, false);", order);
    }

    private static void AddCloser(Protocol protocol, ThreadProgram closer, Shared shared, PlantedFault fault)
    {
        Expression isInside = closer.Register("isInside");
        Expression old = closer.Register("old");
        closer.From(Gate, "BeginClosing");
        closer.Store(shared.IsClosing, 1, "Volatile.Write(ref _isClosing, true);", StepOrder.Release);
        if (fault != PlantedFault.CloseWithoutFence)
        {
            closer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
        }

        if (fault != PlantedFault.CloseWithoutWake)
        {
            shared.Sleeper.AddWake(closer, old, fault);
        }

        closer.From(Gate, "AwaitNobody");
        closer.Load(
            isInside, shared.IsInside, "while (Volatile.Read(ref _isInside))", StepOrder.Acquire, until: isInside.Is(0));
        closer.Exchange(old, shared.Mapping, 0, "(unmaps)");
    }

    private sealed record Shared(int IsInside, int IsClosing, int Mapping, Sleeper Sleeper);
}
