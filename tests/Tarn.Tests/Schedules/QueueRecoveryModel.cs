using Tarn.SharedMemory;
using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// A reader that took a message of a queue with one slot is gone. One process finds that and ends what it left; another one becomes a
/// member of the same number. One of them reads, or both.
/// </summary>
internal static class QueueRecoveryModel
{
    private const string Slots = "src/Tarn.SharedMemory/Queues/QueueSlots.cs";
    private const string Role = "src/Tarn.SharedMemory/Regions/RegionRole.cs";

    /// <summary>The number of the member that is gone, and then of the process that becomes it.</summary>
    private const int Gone = 0;
    private const int Other = 1;

    /// <param name="wasReturned">
    /// Whether a third process ended the member before, and was itself gone before it could tell that it returned the message.
    /// </param>
    /// <param name="successorReads">Whether both processes read, or only the one that finds the member gone.</param>
    /// <param name="fault">What is wrong in the model.</param>
    internal static Protocol Create(bool wasReturned, bool successorReads, PlantedFault fault)
    {
        int word = (wasReturned ? QueueWord.Of(0, SlotKind.Returned) : QueueWord.Of(0, SlotKind.Taken, Gone)).ValueIn([]);
        Protocol protocol = new();
        Shared shared = new(
            protocol.Location("seat"),
            protocol.Location("word", word),
            protocol.Location("Header->Returns"),
            protocol.Location("(passed)"));
        ThreadProgram finder = protocol.Thread("finder");
        ThreadProgram successor = protocol.Thread("successor");
        Registers finders = Registers.Of(finder);
        Registers successors = Registers.Of(successor);
        AddFinder(finder, shared, finders, fault);
        AddReads(finder, shared, finders, Other);
        AddSuccessor(successor, shared, successors, fault);
        if (successorReads)
        {
            AddReads(successor, shared, successors, Gone);
        }

        protocol.AtEnd(
            "the message is read once", state => state.Of(finder, finders.Count) + state.Of(successor, successors.Count) == 1);
        return protocol;
    }

    /// <summary>RegionMembers.EndIfGone.</summary>
    private static void AddFinder(ThreadProgram finder, Shared shared, Registers registers, PlantedFault fault)
    {
        finder.From(Role, "TryTake");
        if (fault == PlantedFault.EndWithoutRole)
        {
            finder.Load(registers.Old, shared.Seat, "(looks at the seat)", StepOrder.Acquire);
        }
        else
        {
            finder.Exchange(registers.Old, shared.Seat, 1, "seats.TryTake(seat)");
        }

        finder.If(
            registers.Old.Is(0),
            () =>
            {
                AddEndAll(finder, shared, registers, fault);
                if (fault != PlantedFault.EndWithoutRole)
                {
                    finder.From(Role, "GiveUp");
                    finder.Exchange(registers.Old, shared.Seat, 0, "sharers.Region.Seats?.Leave(seat);");
                }
            });
    }

    /// <summary>The constructor of SharedQueue, by a process that takes the first number that is free.</summary>
    private static void AddSuccessor(ThreadProgram successor, Shared shared, Registers registers, PlantedFault fault)
    {
        successor.From(Role, "TryTake");
        successor.Exchange(registers.Old, shared.Seat, 1, "seats.TryTake(seat)", until: registers.Old.Is(0));
        AddEndAll(successor, shared, registers, fault);
    }

    /// <summary>QueueSlots.EndAllOf.</summary>
    private static void AddEndAll(ThreadProgram thread, Shared shared, Registers registers, PlantedFault fault)
    {
        Expression taken = QueueWord.Of(0, SlotKind.Taken, Gone);
        Expression returned = QueueWord.Of(0, SlotKind.Returned);
        void AddTell()
        {
            thread.From(Slots, "TellReturns");
            thread.Exchange(registers.Old, shared.Returns, registers.Old + 1, "Interlocked.Increment(ref _header->Returns);");
        }

        if (fault == PlantedFault.TellBeforeReturn)
        {
            AddTell();
        }

        thread.From(Slots, "EndAllOf");
        thread.Load(registers.Seen, shared.Word, "SlotWord seen = new(Volatile.Read(ref word));", StepOrder.Acquire);
        thread.If(
            registers.Seen.Is(taken),
            () => QueueWord.Swap(
                thread, registers.Old, shared.Word, taken, returned,
                "TryChange(ref word, seen, seen.With(SlotKind.Returned))"));
        if (fault == PlantedFault.TellOnlyOwnReturns)
        {
            thread.If(registers.Seen.Is(taken), AddTell);
        }
        else if (fault != PlantedFault.TellBeforeReturn)
        {
            AddTell();
        }
    }

    /// <summary>
    /// A reader that looks for returned messages whenever it is told of one, until one is passed. It is told of that too, so that the model
    /// ends.
    /// </summary>
    private static void AddReads(ThreadProgram reader, Shared shared, Registers registers, int member)
    {
        Expression returned = QueueWord.Of(0, SlotKind.Returned);
        Expression taken = QueueWord.Of(0, SlotKind.Taken, member);
        reader.While(
            registers.IsOver.Is(0),
            () =>
            {
                reader.From(Slots, "TryFind");
                reader.Load(
                    registers.Returns, shared.Returns, "Volatile.Read(ref _header->Returns) != Volatile.Read(ref _seenReturns)",
                    StepOrder.Acquire, until: registers.Returns.IsNot(registers.SeenReturns));
                reader.From(Slots, "TryFindReturned");
                reader.Load(
                    registers.Returns, shared.Returns, "uint returns = Volatile.Read(ref _header->Returns);", StepOrder.Acquire);
                reader.Load(
                    registers.Seen, shared.Word, "SlotWord word = new(Volatile.Read(ref WordAt(slot)));", StepOrder.Acquire);
                reader.If(
                    registers.Seen.Is(returned),
                    () =>
                    {
                        reader.From(Slots, "TryChange");
                        QueueWord.Swap(
                            reader, registers.Old, shared.Word, returned, taken,
                            "Interlocked.CompareExchange(ref word, to.Value, from.Value) == from.Value");
                        reader.If(registers.Old.Is(returned), () => AddPass(reader, shared, registers, taken));
                    },
                    () => reader.Set(registers.SeenReturns, registers.Returns));
                reader.Load(registers.IsOver, shared.Passed, "(looks whether the message is passed)", StepOrder.Acquire);
            });
    }

    private static void AddPass(ThreadProgram reader, Shared shared, Registers registers, Expression taken)
    {
        reader.Set(registers.Count, registers.Count + 1);
        reader.From(Slots, "TryPass");
        QueueWord.Swap(
            reader, registers.Old, shared.Word, taken, QueueWord.Free(1),
            "Interlocked.CompareExchange(ref WordAt(position), mine.NextTurn().Value, mine.Value)");
        reader.Exchange(registers.Old, shared.Passed, 1, "(notes that it is passed)");
        reader.Exchange(registers.Old, shared.Returns, registers.Old + 1, "(tells it)");
    }

    private sealed record Shared(int Seat, int Word, int Returns, int Passed);

    private sealed record Registers(
        Expression Old, Expression Seen, Expression Returns, Expression SeenReturns, Expression Count, Expression IsOver)
    {
        internal static Registers Of(ThreadProgram thread) => new(
            thread.Register("old"), thread.Register("seen"), thread.Register("returns"), thread.Register("seenReturns"),
            thread.Register("count"), thread.Register("isOver"));
    }
}
