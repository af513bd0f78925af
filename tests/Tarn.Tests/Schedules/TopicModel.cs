using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// A topic that keeps one message, in two slots by turns: a writer writes three, and a reader, which does not hold it back, reads one.
/// </summary>
internal static class TopicModel
{
    private const string Writer = "src/Tarn.SharedMemory/Topics/TopicWriter.cs";
    private const string Reader = "src/Tarn.SharedMemory/Topics/TopicReader.cs";
    private const string Slots = "src/Tarn.SharedMemory/Topics/TopicSlots.cs";
    private const int Capacity = 1;
    private const int Places = 2;
    private const int Messages = 3;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("Header->Tail"),
            protocol.Location("Header->Limit"),
            protocol.Locations("length", new int[Places]),
            protocol.Locations("message", new int[Places]),
            protocol.Location("(fence)"));
        AddWriter(protocol.Thread("writer"), shared, fault);
        AddReader(protocol.Thread("reader"), shared, fault);
        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, Shared shared, PlantedFault fault)
    {
        Expression old = writer.Register("old");
        void AddAnnouncement(int position)
        {
            writer.From(Writer, "HasRoom");
            if (fault == PlantedFault.VolatileAnnouncement)
            {
                writer.Store(shared.Limit, position + 1, "(Volatile.Write(ref _slots.Header->Limit, _announced))", StepOrder.Release);
            }
            else
            {
                writer.Exchange(old, shared.Limit, position + 1, "Interlocked.Exchange(ref _slots.Header->Limit, _announced);");
            }
        }

        void AddPublication(int position)
        {
            writer.From(Writer, "TryPublish");
            writer.Exchange(old, shared.Tail, position + 1, "Interlocked.Exchange(ref _slots.Header->Tail, position + 1);");
        }

        for (int position = 0; position < Messages; position++)
        {
            if (fault != PlantedFault.AnnounceAfterMessage)
            {
                AddAnnouncement(position);
            }

            if (fault == PlantedFault.TailBeforeMessage)
            {
                AddPublication(position);
            }

            writer.From("src/Tarn.SharedMemory/Topics/SharedTopic.Messages.cs", "Write");
            writer.Store(shared.Message + (position % Places), position + 1, "BufferCopy.Copy(message, Slots.RoomAt(position));");
            writer.From(Writer, "TryPublish");
            writer.Store(shared.Length + (position % Places), position + 1, "_slots.LengthAt(position) = length;");
            if (fault == PlantedFault.AnnounceAfterMessage)
            {
                AddAnnouncement(position);
            }

            if (fault != PlantedFault.TailBeforeMessage)
            {
                AddPublication(position);
            }
        }
    }

    private static void AddReader(ThreadProgram reader, Shared shared, PlantedFault fault)
    {
        Registers registers = Registers.Of(reader);
        Expression place = registers.Position - (Places * (registers.Position > 1));
        reader.While(
            registers.IsRead.Is(0),
            () =>
            {
                reader.From(Reader, "HasMessage");
                reader.Load(
                    registers.Tail, shared.Tail, "long tail = Volatile.Read(ref _slots.Header->Tail);", StepOrder.Acquire,
                    until: registers.Tail > registers.Position);
                reader.From(Reader, "TryBegin");
                reader.Load(
                    registers.Length, shared.Length + place, "length = Volatile.Read(ref _slots.LengthAt(position));", StepOrder.Acquire);
                AddLook(reader, shared, registers, fault);
                reader.If(
                    IsWhole(registers),
                    () =>
                    {
                        reader.From("src/Tarn.SharedMemory/Topics/SharedTopicReader.cs", "Read");
                        reader.Load(
                            registers.Message, shared.Message + place,
                            "BufferCopy.Copy(Topic.Slots.MessageAt(position, length), destination);");
                        if (fault != PlantedFault.ReadWithoutLastLook)
                        {
                            AddLook(reader, shared, registers, fault);
                        }
                    });
                reader.If(
                    IsWhole(registers),
                    () =>
                    {
                        Expression expected = registers.Position + 1;
                        reader.Check(
                            registers.Length.Is(expected).And(registers.Message.Is(expected)), "a message is whole, and of its position");
                        reader.Set(registers.IsRead, 1);
                    },
                    () => AddSkip(reader, shared, registers));
            });
    }

    private static Expression IsWhole(Registers registers) => registers.Limit - registers.Position < Places + 1;

    private static void AddLook(ThreadProgram reader, Shared shared, Registers registers, PlantedFault fault)
    {
        reader.From(Slots, "IsWhole");
        if (fault != PlantedFault.LookWithoutFence)
        {
            // At least a fence for loads; the reader stores nothing.
            reader.Exchange(registers.Old, shared.Fence, 0, "Volatile.ReadBarrier();");
        }

        reader.Load(registers.Limit, shared.Limit, "Volatile.Read(ref Header->Limit)", StepOrder.Acquire);
    }

    private static void AddSkip(ThreadProgram reader, Shared shared, Registers registers)
    {
        reader.From(Reader, "SkipLost");
        reader.Load(registers.Tail, shared.Tail, "Volatile.Read(ref _slots.Header->Tail)", StepOrder.Acquire);
        reader.Check(registers.Tail - Capacity > registers.Position, "a reader that was overtaken goes on");
        reader.Set(registers.Position, registers.Tail - Capacity);
    }

    private sealed record Shared(int Tail, int Limit, int Length, int Message, int Fence);

    private sealed record Registers(
        Expression Position, Expression Tail, Expression Length, Expression Message, Expression Limit, Expression Old, Expression IsRead)
    {
        internal static Registers Of(ThreadProgram thread) => new(
            thread.Register("position"), thread.Register("tail"), thread.Register("length"), thread.Register("message"),
            thread.Register("limit"), thread.Register("old"), thread.Register("isRead"));
    }
}
