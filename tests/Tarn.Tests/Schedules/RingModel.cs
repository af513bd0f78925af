using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>Three messages through a ring with room for two: the order in which they are published, copied and passed.</summary>
internal static class RingModel
{
    private const string WriterFile = "src/Tarn.SharedMemory/Rings/RingWriter.cs";
    private const string ReaderFile = "src/Tarn.SharedMemory/Rings/RingReader.cs";
    private const int Capacity = 2;
    private const int Messages = 3;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("Header->WritePosition"),
            protocol.Location("Header->ReadPosition"),
            protocol.Locations("length", new int[Capacity]),
            protocol.Locations("message", new int[Capacity]));
        ThreadProgram writer = protocol.Thread("writer");
        ThreadProgram reader = protocol.Thread("reader");
        Expression read = writer.Register("read");
        Expression old = writer.Register("old");
        Reader registers = new(
            reader.Register("write"), reader.Register("length"), reader.Register("message"), reader.Register("old"));
        for (int position = 0; position < Messages; position++)
        {
            AddWrite(writer, shared, position, read, old, fault);
            AddRead(reader, shared, position, registers, fault);
        }

        return protocol;
    }

    private static void AddWrite(
        ThreadProgram writer, Shared shared, int position, Expression read, Expression old, PlantedFault fault)
    {
        int place = position % Capacity;
        if (position >= Capacity)
        {
            writer.From(WriterFile, "ReadLimit");
            writer.Load(
                read, shared.ReadPosition, "Volatile.Read(ref Header->ReadPosition)", StepOrder.Acquire, until: read > position - Capacity);
        }

        writer.From(WriterFile, "Write");
        writer.Store(shared.Message + place, position + 1, "BufferCopy.Copy(message, MessageOf(message.Length));");
        if (fault == PlantedFault.PublishBeforeLength)
        {
            AddPublication();
        }

        writer.From(WriterFile, "PublishRecord");
        writer.Store(shared.Length + place, position + 1, "*(int*)RecordAt(Position) = length;");
        if (fault == PlantedFault.PlainPublish)
        {
            writer.Store(shared.WritePosition, position + 1, "(Header->WritePosition = Position)");
        }
        else if (fault != PlantedFault.PublishBeforeLength)
        {
            AddPublication();
        }

        void AddPublication()
        {
            writer.From(WriterFile, "PublishInside");
            writer.Exchange(old, shared.WritePosition, position + 1, "Interlocked.Exchange(ref Header->WritePosition, position);");
        }
    }

    private static void AddRead(ThreadProgram reader, Shared shared, int position, Reader registers, PlantedFault fault)
    {
        int place = position % Capacity;
        reader.From(ReaderFile, "ReadLimit");
        reader.Load(
            registers.Write,
            shared.WritePosition,
            "Volatile.Read(ref Header->WritePosition)",
            fault == PlantedFault.PlainLimit ? StepOrder.Plain : StepOrder.Acquire,
            until: registers.Write > position);
        reader.From(ReaderFile, "LengthAt");
        reader.Load(
            registers.Length, shared.Length + place, "int length = Volatile.Read(ref *(int*)RecordAt(position));", StepOrder.Acquire);
        if (fault == PlantedFault.PassBeforeCopy)
        {
            AddPass(reader, shared, position, registers.Old, fault);
        }

        reader.From(ReaderFile, "Take");
        reader.Load(registers.Message, shared.Message + place, "BufferCopy.Copy(MessageAt(Position, length), destination);");
        if (fault != PlantedFault.PassBeforeCopy)
        {
            AddPass(reader, shared, position, registers.Old, fault);
        }

        reader.Check(registers.Length.Is(position + 1), "a record has the length that was written for it");
        reader.Check(registers.Message.Is(position + 1), "a message is read whole and in turn");
    }

    private static void AddPass(ThreadProgram reader, Shared shared, int position, Expression old, PlantedFault fault)
    {
        reader.From(ReaderFile, "Advance");
        if (fault == PlantedFault.PlainPass)
        {
            reader.Store(shared.ReadPosition, position + 1, "(Header->ReadPosition = Position)");
        }
        else
        {
            reader.Exchange(old, shared.ReadPosition, position + 1, "Interlocked.Exchange(ref Header->ReadPosition, position);");
        }
    }

    private sealed record Shared(int WritePosition, int ReadPosition, int Length, int Message);

    private sealed record Reader(Expression Write, Expression Length, Expression Message, Expression Old);
}
