using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>Two readers hold a topic's writer back, which sleeps until both have passed a message.</summary>
internal static class TopicSleepModel
{
    private const string Waiting = "src/Tarn.SharedMemory/Waiting/WaitingSide.cs";
    private const string Slots = "src/Tarn.SharedMemory/Topics/TopicSlots.cs";
    private const int Readers = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Sleeper sleeper = Sleeper.In(protocol);
        int positions = protocol.Locations("Header->Positions", new int[Readers]);
        AddWriter(protocol.Thread("writer"), sleeper, positions, fault);
        for (int reader = 0; reader < Readers; reader++)
        {
            AddReader(protocol.Thread($"reader {reader}"), sleeper, positions + reader, fault);
        }

        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, Sleeper sleeper, int positions, PlantedFault fault)
    {
        Expression first = writer.Register("first");
        Expression second = writer.Register("second");
        Expression seen = writer.Register("seen");
        Expression old = writer.Register("old");
        Expression isHeld = first.Is(0).Or(second.Is(0));
        void AddLook()
        {
            // By TopicWriter.HasRoom.
            writer.From(Slots, "LastOfHolders");
            writer.Load(first, positions, "long position = Volatile.Read(ref PositionOf(member));", StepOrder.Acquire);
            writer.Load(second, positions + 1, "(the same of the second)", StepOrder.Acquire);
        }

        AddLook();
        writer.While(
            isHeld,
            () =>
            {
                sleeper.AddSleep(writer, seen, old, AddLook, isHeld, fault);
                sleeper.AddNoteAwake(writer);
                AddLook();
            });
    }

    private static void AddReader(ThreadProgram reader, Sleeper sleeper, int position, PlantedFault fault)
    {
        Expression isAsleep = reader.Register("isAsleep");
        Expression old = reader.Register("old");
        reader.From(Slots, "Pass");
        if (fault == PlantedFault.VolatilePass)
        {
            reader.Store(position, 1, "(Volatile.Write(ref PositionOf(member), position))", StepOrder.Release);
        }
        else
        {
            reader.Exchange(old, position, 1, "Interlocked.Exchange(ref PositionOf(member), position);");
        }

        reader.From(Waiting, "WakeIfAsleep");
        reader.Load(isAsleep, sleeper.IsAsleep, "Volatile.Read(ref sleeper->IsAsleep) != 0", StepOrder.Acquire);
        reader.If(isAsleep, () => sleeper.AddWake(reader, old, fault));
    }
}
