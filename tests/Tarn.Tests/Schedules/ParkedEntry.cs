using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The locations of <see cref="ParkedMagazineModel"/>: an entry, its parked magazine, and a depot with one place.</summary>
internal sealed record ParkedEntry(
    int IsHeld, int Items, int Count, int Top, int IsTopFree, int Buffers, int Parked, int IsClaimed, int Rest, int Depot)
{
    /// <summary>No magazine.</summary>
    internal const int None = 0;

    /// <summary>The magazine of two that the entry has at first.</summary>
    internal const int Loaded = 1;

    /// <summary>The magazine of one, empty, that the entry gets with a claim.</summary>
    internal const int Smaller = 2;

    /// <summary>The magazine of two that receives the rest of the parked one.</summary>
    internal const int Larger = 3;

    internal static ParkedEntry In(Protocol protocol) =>
        new(
            protocol.Location("Sync"),
            protocol.Location("entry.Items", Loaded),
            protocol.Location("entry.Count", initial: 2),
            protocol.Location("entry.Top"),
            protocol.Location("entry.IsTopFree"),
            protocol.Locations("items", 1, 2),
            protocol.Location("_parked._items"),
            protocol.Location("_parked._isClaimed"),
            protocol.Location("_parked._rest"),
            protocol.Location("(depot)"));

    internal static Expression LengthOf(Expression items) =>
        items.Is(Loaded) + items.Is(Loaded) + items.Is(Smaller) + items.Is(Larger) + items.Is(Larger);

    internal void AddEnter(ThreadProgram thread, Expression old)
    {
        thread.From("src/Tarn/Primitives/ShortLock.cs", "Enter");
        thread.Exchange(old, IsHeld, 1, "Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0", until: old.Is(0));
    }

    internal void AddExit(ThreadProgram thread)
    {
        thread.From("src/Tarn/Primitives/ShortLock.cs", "Exit");
        thread.Store(IsHeld, 0, "Volatile.Write(ref _isHeld, 0);", StepOrder.Release);
    }
}
