using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>Two readers of a queue sleep on one word, and a writer publishes a message for each of them.</summary>
internal static class QueueSleepModel
{
    private const string Waiting = "src/Tarn.SharedMemory/Waiting/WaitingSide.cs";
    private const string Slots = "src/Tarn.SharedMemory/Queues/QueueSlots.cs";
    private const int Readers = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Sleeper first = Sleeper.In(protocol);
        Sleeper second = first with { Queue = protocol.Location("(queue of the second)") };
        int messages = protocol.Location("(messages)");
        AddWriter(protocol.Thread("writer"), first, second, messages, fault);
        AddReader(protocol.Thread("first reader"), first, messages, fault);
        AddReader(protocol.Thread("second reader"), second, messages, fault);
        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, Sleeper first, Sleeper second, int messages, PlantedFault fault)
    {
        Expression isAsleep = writer.Register("isAsleep");
        Expression old = writer.Register("old");
        for (int message = 0; message < Readers; message++)
        {
            writer.From(Slots, "TryPublish");
            writer.Exchange(
                old, messages, old + 1, "Interlocked.CompareExchange(ref word, mine.With(SlotKind.Published).Value, mine.Value)");
            writer.From(Waiting, "WakeIfAsleep");
            writer.Load(isAsleep, first.IsAsleep, "Volatile.Read(ref sleeper->IsAsleep) != 0", StepOrder.Acquire);
            writer.If(
                isAsleep,
                () =>
                {
                    first.AddWake(writer, old, fault);
                    writer.Exchange(old, second.Queue, 0, "(the same call wakes the second)");
                });
        }
    }

    private static void AddReader(ThreadProgram reader, Sleeper sleeper, int messages, PlantedFault fault)
    {
        Expression isRead = reader.Register("isRead");
        Expression count = reader.Register("count");
        Expression seen = reader.Register("seen");
        Expression old = reader.Register("old");
        reader.While(
            isRead.Is(0),
            () =>
            {
                reader.From(Slots, "TryChange");
                reader.Exchange(
                    count, messages, count - (count > 0), "Interlocked.CompareExchange(ref word, to.Value, from.Value) == from.Value");
                reader.If(
                    count > 0,
                    () => reader.Set(isRead, 1),
                    () =>
                    {
                        sleeper.AddSleep(
                            reader, seen, old,
                            () => reader.Load(count, messages, "!HasCome(limit)", StepOrder.Acquire), count.Is(0), fault);
                        if (fault == PlantedFault.ClearForOthers)
                        {
                            sleeper.AddNoteAwake(reader);
                        }
                    });
            });
    }
}
