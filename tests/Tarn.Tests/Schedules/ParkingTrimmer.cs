using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The trimmer's steps in <see cref="ParkingModel"/>. At each visit, the waiting time has elapsed.</summary>
internal sealed class ParkingTrimmer(ThreadProgram trimmer, ParkingEntry entry, PlantedFault fault)
{
    private const string Source = "src/Tarn/ArrayPool/ArrayClassCache.Trim.cs";

    private readonly Expression _parked = trimmer.Register("parked");
    private readonly Expression _items = trimmer.Register("items");
    private readonly Expression _count = trimmer.Register("count");
    private readonly Expression _buffer = trimmer.Register("buffer");
    private readonly Expression _old = trimmer.Register("old");

    /// <summary>ArrayClassCache.Trim, under the section's lock.</summary>
    internal void AddTick()
    {
        entry.AddEnter(trimmer, _old);
        trimmer.From(Source, "Trim");
        trimmer.Load(_parked, entry.Parked, "_parked is not null && now - _parkedAt >= patience");
        trimmer.If(_parked.IsNot(ParkingEntry.None), AddRevoke, AddPark);
        entry.AddExit(trimmer);
    }

    private void AddPark()
    {
        trimmer.From(Source, "Trim");
        trimmer.Load(_items, entry.Items, "else if (_parked is null && Entry.Items.Length > 0)");
        trimmer.If(
            _items.IsNot(ParkingEntry.None),
            () =>
            {
                trimmer.Store(entry.Parked, _items, "_parked = Entry.Items;");
                trimmer.Store(entry.Items, ParkingEntry.None, "Volatile.Write(ref Entry.Items, CacheSection.Revoked);", StepOrder.Release);
            });
    }

    /// <summary>Only drops references, because the owner may be about to take one of the buffers.</summary>
    private void AddRevoke()
    {
        trimmer.From(Source, "RevokeMagazine");
        trimmer.Load(_items, entry.Parked, "ArrayReference[] items = Magazine;");
        trimmer.Store(entry.Parked, ParkingEntry.None, "_parked = null;");
        trimmer.Store(entry.Items, ParkingEntry.None, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
        if (fault == PlantedFault.HandOnParked)
        {
            trimmer.Load(_count, entry.Count, "(reads entry.Count)");
            trimmer.If(
                _count > 0,
                () =>
                {
                    trimmer.Load(_buffer, entry.UppermostOf(_items, _count), "(hands on the magazine's uppermost buffer)");
                    trimmer.Exchange(_old, entry.Depot, _buffer, "(the depot, under its lock)", until: _old.Is(0));
                });
        }

        entry.AddLessSlots(trimmer, _old, ParkingEntry.LengthOf(_items));
    }
}
