using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The trimmer's steps in <see cref="ParkedMagazineModel"/>. At each visit, the waiting time has elapsed.</summary>
internal sealed class ParkedTrimmer(ThreadProgram trimmer, ParkedEntry entry, PlantedFault fault)
{
    private const string Trim = "src/Tarn/ArrayPool/ArrayClassCache.Trim.cs";
    private const string Magazine = "src/Tarn/ArrayPool/ParkedMagazine.cs";

    private readonly Expression _parked = trimmer.Register("parked");
    private readonly Expression _isClaimed = trimmer.Register("isClaimed");
    private readonly Expression _items = trimmer.Register("items");
    private readonly Expression _rest = trimmer.Register("rest");
    private readonly Expression _buffer = trimmer.Register("buffer");
    private readonly Expression _old = trimmer.Register("old");

    /// <summary>ArrayClassCache.Watch, under the section's lock.</summary>
    internal void AddTick()
    {
        entry.AddEnter(trimmer, _old);
        trimmer.From(Trim, "Watch");
        trimmer.Load(_parked, entry.Parked, "if (_parked.IsNone)", StepOrder.Acquire);
        trimmer.If(
            _parked.Is(ParkedEntry.None),
            AddPark,
            () =>
            {
                trimmer.From(Trim, "Watch");
                trimmer.Load(_isClaimed, entry.IsClaimed, "else if (_parked.Unclaimed is null)");
                trimmer.If(_isClaimed, AddHandOnRest, AddRevoke);
            });
        entry.AddExit(trimmer);
    }

    private void AddPark()
    {
        trimmer.From(Trim, "Watch");
        trimmer.Load(_items, entry.Items, "if (entry.Items.Length > 0)");
        trimmer.If(
            _items.IsNot(ParkedEntry.None),
            () =>
            {
                trimmer.From(Magazine, "Park");
                trimmer.Store(entry.Parked, _items, "_items = entry.Items;");
                trimmer.Store(entry.Items, ParkedEntry.None, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
            });
    }

    private void AddHandOnRest()
    {
        trimmer.From("src/Tarn/ArrayPool/ArrayClassCache.Room.cs", "TryHandOnRest");
        trimmer.Load(_rest, entry.Rest, "int rest = _parked.Rest;");
        AddPut(_rest);
        AddForget();
    }

    /// <summary>Only drops references, because the owner may be about to take one of the buffers.</summary>
    private void AddRevoke()
    {
        trimmer.From(Trim, "RevokeMagazines");
        trimmer.Store(entry.Items, ParkedEntry.None, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
        if (fault == PlantedFault.HandOnUnclaimed)
        {
            trimmer.Load(_rest, entry.Count, "(reads entry.Count)");
            AddPut(_rest);
        }

        AddForget();
    }

    /// <summary>Moves the uppermost of this number of buffers to the depot.</summary>
    private void AddPut(Expression count) =>
        trimmer.If(
            count > 0,
            () =>
            {
                trimmer.Load(_buffer, count + (entry.Buffers - 1), "Pool.Depot.TryPut(_parked.Left, _section.Id, room: rest, unused)");
                trimmer.Exchange(_old, entry.Depot, _buffer, "(the depot, under its lock)", until: _old.Is(0));
            });

    private void AddForget()
    {
        trimmer.From(Magazine, "Forget");
        trimmer.Store(entry.Rest, 0, "_rest = 0;");
        trimmer.Store(entry.IsClaimed, 0, "_isClaimed = false;");
        trimmer.Store(entry.Parked, ParkedEntry.None, "Volatile.Write(ref _items, null);", StepOrder.Release);
    }
}
