using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The locations of <see cref="ParkingModel"/>: an entry, its parked magazine, and a depot with one place.</summary>
internal sealed record ParkingEntry(int IsHeld, int Items, int Count, int Buffers, int Parked, int Slots, int Depot)
{
    /// <summary>No magazine.</summary>
    internal const int None = 0;

    /// <summary>The magazine of two that the entry has at first.</summary>
    internal const int Whole = 1;

    /// <summary>The magazine of one that the entry has once the older half of the buffers was handed on.</summary>
    internal const int Shorter = 2;

    internal static ParkingEntry In(Protocol protocol) =>
        new(
            protocol.Location("Sync"),
            protocol.Location("entry.Items", Whole),
            protocol.Location("entry.Count", initial: 2),
            protocol.Locations("items and shorter", 1, 2, 0),
            protocol.Location("_parked"),
            protocol.Location("(room)", initial: 2),
            protocol.Location("(depot)"));

    internal static Expression LengthOf(Expression items) => items.Is(Whole) + items.Is(Whole) + items.Is(Shorter);

    internal static int LengthOf(int items) => items switch { Whole => 2, Shorter => 1, _ => 0 };

    /// <summary>The location of a magazine's uppermost buffer.</summary>
    internal Expression UppermostOf(Expression items, Expression count) =>
        count + (Buffers - 1) + items.Is(Shorter) + items.Is(Shorter);

    internal void AddEnter(ThreadProgram thread, Expression old) => ShortLockSteps.AddEnter(thread, IsHeld, old);

    internal void AddExit(ThreadProgram thread) => ShortLockSteps.AddExit(thread, IsHeld);

    internal void AddLessSlots(ThreadProgram thread, Expression register, Expression less)
    {
        thread.From("src/Tarn/ArrayPool/CacheSection.cs", "TurnIntoPlaces");
        thread.Load(register, Slots, "_room.Release(slots * shared.Bytes);");
        thread.Store(Slots, register - less, "_room.Release(slots * shared.Bytes);");
    }
}
