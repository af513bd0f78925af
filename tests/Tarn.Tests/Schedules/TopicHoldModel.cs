using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// A topic that keeps one message, in two slots by turns, of which one is written: a reader comes that holds the writer back, and begins
/// with the oldest message that it can, while the writer writes two more.
/// </summary>
internal static class TopicHoldModel
{
    private const string WriterFile = "src/Tarn.SharedMemory/Topics/TopicWriter.cs";
    private const string ReaderFile = "src/Tarn.SharedMemory/Topics/TopicReader.cs";
    private const string Slots = "src/Tarn.SharedMemory/Topics/TopicSlots.cs";
    private const int Places = 2;
    private const int Messages = 3;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("Header->Tail", 1),
            protocol.Location("Header->Limit", 1),
            protocol.Location("Header->Holders"),
            protocol.Location("Header->Positions"),
            protocol.Locations("message", 1, 0));
        AddWriter(protocol.Thread("writer"), shared, fault);
        AddReader(protocol.Thread("reader"), shared, fault);
        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, Shared shared, PlantedFault fault)
    {
        Writer registers = new(
            writer.Register("old"), writer.Register("holders"), writer.Register("position"), writer.Register("limit"));
        for (int position = 1; position < Messages; position++)
        {
            int next = position;
            writer.Set(registers.Limit, next);
            if (fault == PlantedFault.AnnounceAfterLook)
            {
                AddLook(writer, shared, registers, next);
            }

            AddAnnouncement(writer, shared, registers, next, fault);
            writer.While(registers.Limit < next + 1, () => AddLook(writer, shared, registers, next));

            writer.From("src/Tarn.SharedMemory/Topics/SharedTopic.Messages.cs", "Write");
            writer.Store(shared.Message + (next % Places), next + 1, "BufferCopy.Copy(message, Slots.RoomAt(position));");
            writer.From(WriterFile, "TryPublish");
            writer.Exchange(registers.Old, shared.Tail, next + 1, "Interlocked.Exchange(ref _slots.Header->Tail, position + 1);");
        }
    }

    private static void AddAnnouncement(ThreadProgram writer, Shared shared, Writer registers, int position, PlantedFault fault)
    {
        writer.From(WriterFile, "HasRoom");
        if (fault == PlantedFault.AnnounceWithoutFence)
        {
            writer.Store(shared.Limit, position + 1, "(Volatile.Write(ref _slots.Header->Limit, _announced))", StepOrder.Release);
        }
        else
        {
            writer.Exchange(registers.Old, shared.Limit, position + 1, "Interlocked.Exchange(ref _slots.Header->Limit, _announced);");
        }
    }

    /// <summary>TopicSlots.LastOfHolders; the limit is how far the writer may go.</summary>
    private static void AddLook(ThreadProgram writer, Shared shared, Writer registers, int position)
    {
        writer.From(Slots, "LastOfHolders");
        writer.Load(registers.Holders, shared.Holders, "ulong holders = Volatile.Read(ref Header->Holders)", StepOrder.Acquire);
        writer.Set(registers.Limit, position + 1);
        writer.If(
            registers.Holders,
            () =>
            {
                writer.Load(
                    registers.Position, shared.Position, "long position = Volatile.Read(ref PositionOf(member));", StepOrder.Acquire);
                writer.Check(registers.Position < position + 1, "no reader is ahead of the writer");
                writer.Set(registers.Limit, position + (registers.Position > position - 1));
            });
    }

    private static void AddReader(ThreadProgram reader, Shared shared, PlantedFault fault)
    {
        Reader registers = new(
            reader.Register("position"), reader.Register("tail"), reader.Register("limit"), reader.Register("message"),
            reader.Register("old"));
        reader.From("src/Tarn.SharedMemory/Topics/SharedTopic.Readers.cs", "ReadTail");
        reader.Load(registers.Tail, shared.Tail, "long tail = Volatile.Read(ref Header->Tail);", StepOrder.Acquire);
        reader.Set(registers.Position, registers.Tail - 1);
        AddHold(reader, shared, registers, fault);
        reader.While(registers.Position < Messages, () => AddRead(reader, shared, registers, fault));
    }

    private static void AddHold(ThreadProgram reader, Shared shared, Reader registers, PlantedFault fault)
    {
        reader.From(Slots, "Hold");
        reader.Exchange(
            registers.Old, shared.Position, registers.Position, "Interlocked.Exchange(ref PositionOf(member), position);");
        if (fault == PlantedFault.HoldWithoutFence)
        {
            reader.Store(shared.Holders, 1, "(Volatile.Write(ref Header->Holders, holders))", StepOrder.Release);
        }
        else
        {
            reader.Exchange(registers.Old, shared.Holders, 1, "Interlocked.Or(ref Header->Holders, 1ul << member);");
        }

        if (fault == PlantedFault.HoldWithoutLook)
        {
            return;
        }

        reader.Load(registers.Limit, shared.Limit, "Volatile.Read(ref Header->Limit) - Capacity", StepOrder.Acquire);
        reader.If(
            registers.Limit - 1 > registers.Position,
            () =>
            {
                reader.Set(registers.Position, registers.Limit - 1);
                reader.Exchange(
                    registers.Old, shared.Position, registers.Position, "Interlocked.Exchange(ref PositionOf(member), position);");
            });
    }

    private static void AddRead(ThreadProgram reader, Shared shared, Reader registers, PlantedFault fault)
    {
        Expression position = registers.Position;
        reader.From(ReaderFile, "HasMessage");
        reader.Load(
            registers.Tail, shared.Tail, "long tail = Volatile.Read(ref _slots.Header->Tail);", StepOrder.Acquire,
            until: registers.Tail > position);
        if (fault == PlantedFault.PassBeforeTopicCopy)
        {
            AddPass(reader, shared, registers);
        }

        reader.From("src/Tarn.SharedMemory/Topics/SharedTopicReader.cs", "Read");
        reader.Load(
            registers.Message, shared.Message + (position - (Places * (position > 1))),
            "BufferCopy.Copy(Topic.Slots.MessageAt(position, length), destination);");
        reader.From(Slots, "IsWhole");
        reader.Load(registers.Limit, shared.Limit, "Volatile.Read(ref Header->Limit)", StepOrder.Acquire);
        reader.Check(registers.Limit - position < Places + 1, "a reader that holds the writer back is not overtaken");
        if (fault != PlantedFault.PassBeforeTopicCopy)
        {
            AddPass(reader, shared, registers);
        }

        reader.Check(registers.Message.Is(position + 1), "a message is whole, and of its position");
        reader.Set(position, position + 1);
    }

    private static void AddPass(ThreadProgram reader, Shared shared, Reader registers)
    {
        reader.From(Slots, "Pass");
        reader.Exchange(
            registers.Old, shared.Position, registers.Position + 1, "Interlocked.Exchange(ref PositionOf(member), position);");
    }

    private sealed record Shared(int Tail, int Limit, int Holders, int Position, int Message);

    private sealed record Reader(Expression Position, Expression Tail, Expression Limit, Expression Message, Expression Old);

    private sealed record Writer(Expression Old, Expression Holders, Expression Position, Expression Limit);
}
