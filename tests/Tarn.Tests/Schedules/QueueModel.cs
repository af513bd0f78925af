using Tarn.SharedMemory;
using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// Two messages through a queue with one slot: of two writers to one reader, or to two readers, when one was published and a writer writes
/// the other.
/// </summary>
internal static class QueueModel
{
    private const string Slots = "src/Tarn.SharedMemory/Queues/QueueSlots.cs";
    private const string Messages = "src/Tarn.SharedMemory/Queues/SharedQueue.Calls.cs";
    private const int Count = 2;

    /// <summary>The messages: their sum tells that each was read once.</summary>
    private static readonly int[] s_messages = [1, 4];

    internal static Protocol Create(int writers, int readers, PlantedFault fault)
    {
        Protocol protocol = new();
        bool isPublished = writers == 1;
        int message = isPublished ? s_messages[0] : 0;
        Shared shared = new(
            protocol.Location("Header->Tail", isPublished ? 1 : 0),
            protocol.Location("Header->Head"),
            protocol.Location("word", isPublished ? QueueWord.Of(0, SlotKind.Published).ValueIn([]) : 0),
            protocol.Location("length", message),
            protocol.Location("message", message),
            IsInOrder: isPublished);
        for (int writer = 0; writer < writers; writer++)
        {
            ThreadProgram thread = protocol.Thread($"writer {writer}");
            Writer registers = new(
                thread.Register("position"), thread.Register("seen"), thread.Register("old"), thread.Register("isClaimed"));
            AddWrite(thread, shared, registers, s_messages[Count - 1 - writer], fault);
        }

        List<(ThreadProgram Thread, Expression Sum)> all = [];
        for (int reader = 0; reader < readers; reader++)
        {
            ThreadProgram thread = protocol.Thread($"reader {reader}");
            Reader registers = new(
                thread.Register("position"), thread.Register("seen"), thread.Register("again"), thread.Register("length"),
                thread.Register("message"), thread.Register("old"), thread.Register("count"), thread.Register("sum"));
            thread.While(registers.Count < Count / readers, () => AddRead(thread, shared, registers, fault));
            all.Add((thread, registers.Sum));
        }

        protocol.AtEnd(
            "each message is read once", state => all.Sum(reader => state.Of(reader.Thread, reader.Sum)) == s_messages.Sum());
        return protocol;
    }

    private static void AddWrite(ThreadProgram writer, Shared shared, Writer registers, int message, PlantedFault fault)
    {
        writer.While(registers.IsClaimed.Is(0), () => AddClaim(writer, shared, registers, fault));
        Expression claimed = QueueWord.Of(registers.Position, SlotKind.Claimed);
        Expression published = QueueWord.Of(registers.Position, SlotKind.Published);
        void Publish()
        {
            writer.From(Slots, "TryPublish");
            if (fault == PlantedFault.PlainSlotPublish)
            {
                writer.Store(shared.Word, published, "(word = published)");
            }
            else
            {
                QueueWord.Swap(
                    writer, registers.Old, shared.Word, claimed, published,
                    "Interlocked.CompareExchange(ref word, mine.With(SlotKind.Published).Value, mine.Value)");
            }
        }

        if (fault == PlantedFault.PublishBeforeMessage)
        {
            Publish();
        }

        writer.From(Messages, "Write");
        writer.Store(shared.Message, message, "BufferCopy.Copy(message, Slots.RoomAt(position));");
        writer.From(Slots, "TryPublish");
        writer.Store(shared.Length, message, "LengthAt(position) = length;");
        if (fault != PlantedFault.PublishBeforeMessage)
        {
            Publish();
        }
    }

    private static void AddClaim(ThreadProgram writer, Shared shared, Writer registers, PlantedFault fault)
    {
        Expression free = QueueWord.Free(registers.Position);
        Expression claimed = QueueWord.Of(registers.Position, SlotKind.Claimed);
        void AddPassTail() => QueueWord.Swap(
            writer, registers.Old, shared.Tail, registers.Position, registers.Position + 1,
            "Interlocked.CompareExchange(ref _header->Tail, position + 1, position);");

        writer.From(Slots, "TryClaim");
        writer.Load(registers.Position, shared.Tail, "position = Volatile.Read(ref _header->Tail);", StepOrder.Acquire);
        writer.Load(registers.Seen, shared.Word, "SlotWord seen = new(Volatile.Read(ref word));", StepOrder.Acquire);
        writer.If(
            registers.Seen.Is(free),
            () =>
            {
                if (fault == PlantedFault.ClaimWithoutCompare)
                {
                    writer.Exchange(registers.Old, shared.Word, claimed, "(word = claimed)");
                    writer.Set(registers.Old, free);
                }
                else
                {
                    QueueWord.Swap(
                        writer, registers.Old, shared.Word, free, claimed,
                        "Interlocked.CompareExchange(ref word, mine, seen.Value) == seen.Value");
                }

                writer.If(
                    registers.Old.Is(free),
                    () =>
                    {
                        AddPassTail();
                        writer.Set(registers.IsClaimed, 1);
                    });
            },
            () => writer.If(registers.Seen > free, AddPassTail));
    }

    private static void AddRead(ThreadProgram reader, Shared shared, Reader registers, PlantedFault fault)
    {
        Expression published = QueueWord.Of(registers.Position, SlotKind.Published);
        reader.From(Slots, "TryFind");
        reader.Load(registers.Position, shared.Head, "position = Volatile.Read(ref _header->Head);", StepOrder.Acquire);
        reader.Load(registers.Seen, shared.Word, "seen = new(Volatile.Read(ref word));", StepOrder.Acquire);
        reader.If(
            registers.Seen.Is(published),
            () =>
            {
                reader.From(Slots, "LengthOf");
                reader.Load(
                    registers.Length, shared.Length, "int length = Volatile.Read(ref LengthAt(position));", StepOrder.Acquire);
                if (fault == PlantedFault.LengthWithoutLook)
                {
                    reader.Set(registers.Again, published);
                }
                else
                {
                    reader.Load(
                        registers.Again, shared.Word, "Volatile.Read(ref WordAt(position)) != seen.Value", StepOrder.Acquire);
                }

                reader.If(
                    registers.Again.Is(published),
                    () =>
                    {
                        reader.Check(
                            shared.IsInOrder ? registers.Length.Is(MessageAt(registers.Position)) : registers.Length > 0,
                            "a length is that of the message");
                        AddTake(reader, shared, registers, published, fault);
                    });
            },
            () => reader.If(registers.Seen > published, () => AddPassHead(reader, shared, registers)));
    }

    private static void AddTake(
        ThreadProgram reader, Shared shared, Reader registers, Expression published, PlantedFault fault)
    {
        Expression taken = QueueWord.Of(registers.Position, SlotKind.Taken);
        reader.From(Slots, "TryChange");
        if (fault == PlantedFault.TakeWithoutCompare)
        {
            reader.Exchange(registers.Old, shared.Word, taken, "(word = taken)");
            reader.Set(registers.Old, published);
        }
        else
        {
            QueueWord.Swap(
                reader, registers.Old, shared.Word, published, taken,
                "Interlocked.CompareExchange(ref word, to.Value, from.Value) == from.Value");
        }

        reader.If(
            registers.Old.Is(published),
            () =>
            {
                AddPassHead(reader, shared, registers);
                if (fault == PlantedFault.PassBeforeSlotCopy)
                {
                    AddPass(reader, shared, registers, taken, fault);
                }

                reader.From(Messages, "Read");
                reader.Load(
                    registers.Message, shared.Message, "BufferCopy.Copy(Slots.MessageAt(position, length), destination);");
                if (fault != PlantedFault.PassBeforeSlotCopy)
                {
                    AddPass(reader, shared, registers, taken, fault);
                }

                reader.Check(registers.Message.Is(registers.Length), "a message is read whole, with its length");
                reader.Set(registers.Sum, registers.Sum + registers.Message);
                reader.Set(registers.Count, registers.Count + 1);
            });
    }

    private static void AddPassHead(ThreadProgram reader, Shared shared, Reader registers)
    {
        reader.From(Slots, "PassHead");
        QueueWord.Swap(
            reader, registers.Old, shared.Head, registers.Position, registers.Position + 1,
            "Interlocked.CompareExchange(ref _header->Head, position + 1, position);");
    }

    private static void AddPass(ThreadProgram reader, Shared shared, Reader registers, Expression taken, PlantedFault fault)
    {
        reader.From(Slots, "TryPass");
        Expression free = QueueWord.Free(registers.Position + 1);
        if (fault == PlantedFault.PlainSlotPass)
        {
            reader.Store(shared.Word, free, "(word = free)");
        }
        else
        {
            QueueWord.Swap(
                reader, registers.Old, shared.Word, taken, free,
                "Interlocked.CompareExchange(ref WordAt(position), mine.NextTurn().Value, mine.Value)");
        }
    }

    /// <summary>The message of a position, if there is one writer.</summary>
    private static Expression MessageAt(Expression position) => s_messages[0] + (position * (s_messages[1] - s_messages[0]));

    private sealed record Shared(int Tail, int Head, int Word, int Length, int Message, bool IsInOrder);

    private sealed record Writer(Expression Position, Expression Seen, Expression Old, Expression IsClaimed);

    private sealed record Reader(
        Expression Position, Expression Seen, Expression Again, Expression Length, Expression Message, Expression Old, Expression Count,
        Expression Sum);
}
