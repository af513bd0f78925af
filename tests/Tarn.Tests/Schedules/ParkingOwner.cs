using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The owner's steps in <see cref="ParkingModel"/>.</summary>
internal sealed class ParkingOwner(ThreadProgram owner, ParkingEntry entry, PlantedFault fault)
{
    private const string Fast = "src/Tarn/ArrayPool/BufferPool.cs";
    private const string Cache = "src/Tarn/ArrayPool/ArrayClassCache.cs";

    private readonly Expression _items = owner.Register("items");
    private readonly Expression _count = owner.Register("count");
    private readonly Expression _parked = owner.Register("parked");
    private readonly Expression _older = owner.Register("older");
    private readonly Expression _buffer = owner.Register("buffer");
    private readonly Expression _old = owner.Register("old");

    /// <summary>BufferPool.TryPop, and the slow path where the entry has no magazine or an empty one.</summary>
    internal void AddRent(Expression rented)
    {
        owner.From(Fast, "TryPop");
        owner.Load(_items, entry.Items, "ArrayReference[] items = entry.Items;");
        owner.Load(_count, entry.Count, "int count = entry.Count - 1;");
        owner.If(
            (_count > 0).And(_count - 1 < ParkingEntry.LengthOf(_items)),
            () =>
            {
                owner.Load(rented, entry.UppermostOf(_items, _count), "array = Unsafe.As<T[]>(items[count].Value!);");
                owner.Store(entry.Count, _count - 1, "entry.Count = count;");
            },
            () => AddTake(rented));
    }

    /// <summary>ArrayClassCache.Take, under the section's lock.</summary>
    private void AddTake(Expression rented)
    {
        if (fault != PlantedFault.TakeBackWithoutLock)
        {
            entry.AddEnter(owner, _old);
        }

        owner.From(Cache, "NoteTrims");
        owner.Load(_parked, entry.Parked, "if (_parked is not null)");
        owner.If(_parked.IsNot(ParkingEntry.None), AddTakeBack);
        owner.From(Cache, "NoteTrims");
        owner.Load(_count, entry.Count, "if (entry.Count > entry.Items.Length)");
        owner.Load(_items, entry.Items, "if (entry.Count > entry.Items.Length)");
        owner.If(_count > ParkingEntry.LengthOf(_items), () => owner.Store(entry.Count, 0, "entry.Count = 0;"));
        AddTakeKept(rented);
        owner.If(
            rented.Is(0),
            () =>
            {
                owner.From(Cache, "Fetch");
                owner.Exchange(rented, entry.Depot, 0, "first = Shared.Depot.Take(out _leftInDepot);");
            });
        if (fault != PlantedFault.TakeBackWithoutLock)
        {
            entry.AddExit(owner);
        }
    }

    private void AddTakeBack()
    {
        owner.From(Cache, "TakeBack");
        owner.Load(_items, entry.Parked, "ArrayReference[] items = _parked!;");
        owner.Load(_older, entry.Count, "int older = entry.Count / 2;");
        owner.If(
            _older > 1,
            () =>
            {
                owner.Load(_buffer, entry.Buffers, "Shared.Depot.TryPut(items.AsSpan(0, older), room: older, unused: true)");
                owner.Exchange(_old, entry.Depot, _buffer, "(the depot, under its lock)", until: _old.Is(0));
                owner.From(Cache, "TakeBack");
                owner.Load(_buffer, entry.Buffers + 1, "items.AsSpan(older, entry.Count - older).CopyTo(shorter);");
                owner.Store(entry.Buffers + 2, _buffer, "items.AsSpan(older, entry.Count - older).CopyTo(shorter);");
                owner.Set(_items, ParkingEntry.Shorter);
                owner.Store(entry.Count, 1, "entry.Count -= older;");
                entry.AddLessSlots(owner, _old, _older - 1);
            });
        owner.From(Cache, "TakeBack");
        owner.Store(entry.Items, _items, "entry.Items = items;");
        owner.Store(entry.Parked, ParkingEntry.None, "_parked = null;");
    }

    private void AddTakeKept(Expression rented)
    {
        owner.From(Cache, "TakeKept");
        owner.Set(rented, 0);
        owner.Load(_count, entry.Count, "else if (entry.Count > 0)");
        owner.If(
            _count > 0,
            () =>
            {
                owner.Store(entry.Count, _count - 1, "entry.Count--;");
                owner.Load(_items, entry.Items, "taken = entry.Items[entry.Count].Value;");
                owner.Load(rented, entry.UppermostOf(_items, _count), "taken = entry.Items[entry.Count].Value;");
            });
    }
}
