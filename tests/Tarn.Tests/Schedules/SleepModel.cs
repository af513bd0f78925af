using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A reader that sleeps while there is nothing to read, and a writer that publishes twice and wakes it.</summary>
/// <remarks>
/// The sleep has no time limit here. In the library it has one, a tenth of a second, after which a lost wake shows as nothing but a delay:
/// no test can see that. Here it shows as a state in which no thread can go on.
/// </remarks>
internal static class SleepModel
{
    private const string Side = "src/Tarn.SharedMemory/Rings/RingSide.Waiting.cs";
    private const string Waiting = "src/Tarn.SharedMemory/Waiting/WaitingSide.cs";
    private const int Messages = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Sleeper sleeper = Sleeper.In(protocol);
        int position = protocol.Location("Header->WritePosition");
        AddWriter(protocol.Thread("writer"), sleeper, position, fault);
        AddReader(protocol.Thread("reader"), sleeper, position, fault);
        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, Sleeper sleeper, int position, PlantedFault fault)
    {
        Expression isAsleep = writer.Register("isAsleep");
        Expression old = writer.Register("old");
        for (int message = 1; message <= Messages; message++)
        {
            writer.From("src/Tarn.SharedMemory/Rings/RingWriter.cs", "PublishInside");
            if (fault == PlantedFault.VolatilePublish)
            {
                writer.Store(position, message, "(Volatile.Write(ref Header->WritePosition, position))", StepOrder.Release);
            }
            else
            {
                writer.Exchange(old, position, message, "Interlocked.Exchange(ref Header->WritePosition, position);");
            }

            writer.From(Waiting, "WakeIfAsleep");
            writer.Load(isAsleep, sleeper.IsAsleep, "Volatile.Read(ref sleeper->IsAsleep) != 0", StepOrder.Acquire);
            writer.If(isAsleep, () => sleeper.AddWake(writer, old, fault));
        }
    }

    private static void AddReader(ThreadProgram reader, Sleeper sleeper, int position, PlantedFault fault)
    {
        Expression write = reader.Register("write");
        Expression seen = reader.Register("seen");
        Expression old = reader.Register("old");
        for (int message = 1; message <= Messages; message++)
        {
            reader.From(Side, "WaitFor");
            AddLook(reader, write, position, "while ((Limit = ReadLimit()) - Position < size)");
            int awaited = message;
            reader.While(
                write < awaited,
                () =>
                {
                    sleeper.AddSleep(
                        reader, seen, old, () => AddLook(reader, write, position, "!HasCome(limit)"), write < awaited, fault);
                    sleeper.AddNoteAwake(reader);
                    reader.From(Side, "WaitFor");
                    AddLook(reader, write, position, "while ((Limit = ReadLimit()) - Position < size)");
                });
        }
    }

    private static void AddLook(ThreadProgram reader, Expression write, int position, string code) =>
        reader.Load(write, position, code, StepOrder.Acquire);
}
