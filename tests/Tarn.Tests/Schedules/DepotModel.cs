using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// Two threads exchange buffers through a depot under its lock: one takes and hands what it took to a third, which asks the depot without
/// the lock whether that buffer is in it; the other puts one in and takes one.
/// </summary>
internal static class DepotModel
{
    private const string File = "src/Tarn/ArrayPool/Depot.cs";
    private const string LockFile = "src/Tarn/Primitives/ShortLock.cs";

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Depot depot = new(
            protocol.Location("_isHeld"),
            protocol.Location("_count", initial: 2),
            protocol.Location("_top", initial: 2),
            protocol.Locations("_items", 1, 0, 0));
        int handed = protocol.Location("(handed)");
        ThreadProgram first = protocol.Thread("first");
        ThreadProgram second = protocol.Thread("second");
        ThreadProgram third = protocol.Thread("third");
        Expression taken = first.Register("taken");
        AddTake(first, depot, taken, fault);
        first.Store(handed, taken, "(hands it to the third thread)", StepOrder.Release);
        Expression other = second.Register("taken");
        AddPut(second, depot, buffer: 3);
        AddTake(second, depot, other, fault);
        AddIsNext(third, depot, handed);
        protocol.AtEnd("a buffer is handed out once", end => end.Of(first, taken) != end.Of(second, other));
        protocol.AtEnd("a depot's stack has no gaps", end => !HasGap(end, depot));
        return protocol;
    }

    private static bool HasGap(EndState end, Depot depot)
    {
        int stacked = end[depot.Count] - (end[depot.Top] != 0 ? 1 : 0);
        return Enumerable.Range(0, 3).Any(place => (end[depot.Items + place] != 0) != (place < stacked));
    }

    private static void AddTake(ThreadProgram thread, Depot depot, Expression taken, PlantedFault fault)
    {
        Expression count = thread.Register("count");
        if (fault == PlantedFault.TopBeforeLock)
        {
            thread.Load(taken, depot.Top, "(Array? taken = _top;)");
        }

        AddEnter(thread, depot);
        thread.From(File, "Take");
        if (fault != PlantedFault.TopBeforeLock)
        {
            thread.Load(taken, depot.Top, "Array? taken = _top;");
        }

        thread.Load(count, depot.Count, "left = _count - 1;");
        thread.If(
            taken,
            () => thread.Store(depot.Top, 0, "_top = null;"),
            () => thread.If(
                count,
                () =>
                {
                    thread.Load(taken, count + (depot.Items - 1), "taken = item.Value;");
                    thread.Store(count + (depot.Items - 1), 0, "item.Value = null;");
                }));
        thread.If(taken, () => thread.Store(depot.Count, count - 1, "SetLess(left);", StepOrder.Release));
        AddExit(thread, depot, fault);
    }

    private static void AddPut(ThreadProgram thread, Depot depot, int buffer)
    {
        Expression count = thread.Register("count");
        Expression top = thread.Register("top");
        AddEnter(thread, depot);
        thread.From(File, "TryPut");
        thread.Load(count, depot.Count, "int count = _count;");
        thread.Load(top, depot.Top, "_top is null");
        thread.If(
            top,
            () =>
            {
                thread.From(File, "StackTop");
                thread.Store(count + (depot.Items - 1), top, "_items[_count - 1].Value = _top;");
                thread.From(File, "TryPutSlow");
                thread.Store(depot.Top, buffer, "_top = array;");
                thread.Store(depot.Count, count + 1, "SetMore(count + 1);", StepOrder.Release);
            },
            () =>
            {
                thread.From(File, "TryPut");
                thread.Store(depot.Top, buffer, "_top = array;");
                thread.Store(depot.Count, count + 1, "SetMore(count + 1);", StepOrder.Release);
            });
        AddExit(thread, depot, PlantedFault.None);
    }

    private static void AddIsNext(ThreadProgram thread, Depot depot, int handed)
    {
        Expression buffer = thread.Register("buffer");
        Expression last = thread.Register("last");
        thread.Load(buffer, handed, "(gets it)", StepOrder.Acquire, until: buffer.IsNot(0));
        thread.From(File, "IsNext");
        thread.Load(last, depot.Top, "Volatile.Read(ref _top) == array", StepOrder.Acquire);
        thread.Check(last.IsNot(buffer), "a buffer that someone holds is not seen in the depot");
    }

    private static void AddEnter(ThreadProgram thread, Depot depot)
    {
        Expression old = thread.Register("old");
        thread.From(LockFile, "Enter");
        thread.Exchange(old, depot.IsHeld, 1, "Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0", until: old.Is(0));
    }

    private static void AddExit(ThreadProgram thread, Depot depot, PlantedFault fault)
    {
        thread.From(LockFile, "Exit");
        StepOrder order = fault == PlantedFault.PlainExit ? StepOrder.Plain : StepOrder.Release;
        thread.Store(depot.IsHeld, 0, "Volatile.Write(ref _isHeld, 0);", order);
    }

    private sealed record Depot(int IsHeld, int Count, int Top, int Items);
}
