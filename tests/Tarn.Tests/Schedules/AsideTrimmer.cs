using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The trimmer's steps in <see cref="AsideModel"/>. At each visit, the waiting time has elapsed.</summary>
internal sealed class AsideTrimmer(ThreadProgram trimmer, AsideEntry entry, PlantedFault fault)
{
    private const string Source = "src/Tarn/ArrayPool/ArrayClassCache.Trim.cs";

    private readonly Expression _aside = trimmer.Register("aside");
    private readonly Expression _items = trimmer.Register("items");
    private readonly Expression _count = trimmer.Register("count");
    private readonly Expression _buffer = trimmer.Register("buffer");
    private readonly Expression _old = trimmer.Register("old");

    /// <summary>ArrayClassCache.Trim, under the section's lock.</summary>
    internal void AddTick()
    {
        entry.AddEnter(trimmer, _old);
        trimmer.From(Source, "Trim");
        trimmer.Load(_aside, entry.Aside, "_aside is not null && now - _setAsideAt >= patience");
        trimmer.If(_aside.IsNot(AsideEntry.None), AddRevoke, AddSetAside);
        entry.AddExit(trimmer);
    }

    private void AddSetAside()
    {
        trimmer.From(Source, "Trim");
        trimmer.Load(_items, entry.Items, "else if (_aside is null && Entry.Items.Length > 0)");
        trimmer.If(
            _items.IsNot(AsideEntry.None),
            () =>
            {
                trimmer.Store(entry.Aside, _items, "_aside = Entry.Items;");
                trimmer.Store(entry.Items, AsideEntry.None, "Volatile.Write(ref Entry.Items, CacheSection.Revoked);", StepOrder.Release);
            });
    }

    /// <summary>Only drops references, because the owner may be about to take one of the buffers.</summary>
    private void AddRevoke()
    {
        trimmer.From(Source, "RevokeMagazine");
        trimmer.Load(_items, entry.Aside, "ArrayReference[] items = Magazine;");
        trimmer.Store(entry.Aside, AsideEntry.None, "_aside = null;");
        trimmer.Store(entry.Items, AsideEntry.None, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
        if (fault == PlantedFault.HandOnSetAside)
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

        entry.AddLessSlots(trimmer, _old, AsideEntry.LengthOf(_items));
    }
}
