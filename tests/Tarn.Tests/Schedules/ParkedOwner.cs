using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The owner's steps in <see cref="ParkedMagazineModel"/>.</summary>
internal sealed class ParkedOwner(ThreadProgram owner, ParkedEntry entry, PlantedFault fault)
{
    private const string Fast = "src/Tarn/ArrayPool/BufferPool.cs";
    private const string Cache = "src/Tarn/ArrayPool/ArrayClassCache.cs";
    private const string Magazine = "src/Tarn/ArrayPool/ParkedMagazine.cs";

    private readonly Expression _isTopFree = owner.Register("isTopFree");
    private readonly Expression _items = owner.Register("items");
    private readonly Expression _count = owner.Register("count");
    private readonly Expression _parked = owner.Register("parked");
    private readonly Expression _isClaimed = owner.Register("isClaimed");
    private readonly Expression _rest = owner.Register("rest");
    private readonly Expression _last = owner.Register("last");
    private readonly Expression _old = owner.Register("old");

    /// <summary>BufferPool.Rent: the top slot, the loaded magazine, or the slow path.</summary>
    internal void AddRent(Expression rented)
    {
        owner.From(Fast, "Rent");
        owner.Load(_isTopFree, entry.IsTopFree, "entry.IsTopFree != 0");
        owner.If(
            _isTopFree,
            () =>
            {
                owner.Load(rented, entry.Top, "entry.Top is { } top");
                owner.Store(entry.IsTopFree, 0, "entry.IsTopFree = 0;");
            },
            () => AddRentFromStack(rented));
    }

    private void AddRentFromStack(Expression rented)
    {
        owner.From(Fast, "TryPop");
        owner.Load(_items, entry.Items, "ArrayReference[] items = entry.Items;");
        owner.Load(_count, entry.Count, "int count = entry.Count - 1;");
        owner.If(
            (_count > 0).And(_count - 1 < ParkedEntry.LengthOf(_items)),
            () =>
            {
                owner.Load(rented, _count + (entry.Buffers - 1), "array = Unsafe.As<T[]>(items[count].Value!);");
                owner.Store(entry.Count, _count - 1, "entry.Count = count;");
            },
            () => AddTake(rented));
    }

    /// <summary>ArrayClassCache.Take, under the section's lock.</summary>
    private void AddTake(Expression rented)
    {
        if (fault != PlantedFault.ClaimWithoutLock)
        {
            entry.AddEnter(owner, _old);
        }

        owner.From(Cache, "Settle");
        owner.Load(_parked, entry.Parked, "if (_parked.Unclaimed is not null)");
        owner.Load(_isClaimed, entry.IsClaimed, "if (_parked.Unclaimed is not null)");
        owner.If(_parked.IsNot(ParkedEntry.None).And(_isClaimed.Is(0)), AddClaim);
        owner.From(Cache, "Settle");
        owner.Load(_count, entry.Count, "if (entry.Count > entry.Items.Length)");
        owner.Load(_items, entry.Items, "if (entry.Count > entry.Items.Length)");
        owner.If(_count > ParkedEntry.LengthOf(_items), () => owner.Store(entry.Count, 0, "entry.Count = 0;"));
        AddTakeKept(rented);
        owner.If(rented.Is(0), () => AddTakeBackMore(rented));
        if (fault != PlantedFault.ClaimWithoutLock)
        {
            entry.AddExit(owner);
        }
    }

    /// <summary>Moves one buffer to the top slot. The rest stays parked, if there is any; otherwise the magazine is loaded again.</summary>
    private void AddClaim()
    {
        owner.From(Magazine, "Claim");
        owner.Store(entry.IsClaimed, 1, "_isClaimed = true;");
        owner.Load(_rest, entry.Count, "_rest = entry.Count;");
        owner.Store(entry.Count, 0, "entry.Count = 0;");
        owner.Store(entry.Rest, _rest, "int room = items.Length - _rest;");
        owner.If(
            _rest > 0,
            () =>
            {
                owner.Set(_rest, _rest - 1);
                owner.Load(_last, _rest + entry.Buffers, "ref ArrayReference last = ref items[--_rest];");
                owner.Store(entry.Top, _last, "entry.Top = last.Value;");
                owner.Store(entry.IsTopFree, 1, "entry.IsTopFree = 1;");
                owner.Store(_rest + entry.Buffers, 0, "last.Value = null;");
            });
        owner.If(
            _rest > 0,
            () =>
            {
                owner.From(Magazine, "TryTakeBack");
                owner.Store(entry.Items, ParkedEntry.Smaller, "entry.Items = loaded;");
                owner.Store(entry.Rest, _rest, "_rest = left;");
            },
            () =>
            {
                owner.From(Magazine, "TryTakeBack");
                owner.Store(entry.Items, _parked, "entry.Items = items;");
                AddForget();
            });
    }

    private void AddTakeKept(Expression rented)
    {
        owner.From(Cache, "TakeKept");
        owner.Set(rented, 0);
        owner.Load(_isTopFree, entry.IsTopFree, "if (entry.IsTopFree != 0)");
        owner.If(
            _isTopFree,
            () =>
            {
                owner.Store(entry.IsTopFree, 0, "entry.IsTopFree = 0;");
                owner.Load(rented, entry.Top, "taken = entry.Top;");
            });
    }

    /// <summary>The last buffer of the rest comes back and is handed out.</summary>
    private void AddTakeBackMore(Expression rented)
    {
        owner.From(Cache, "Take");
        owner.Load(_rest, entry.Rest, "if (taken is null && _parked.Rest > 0)");
        owner.If(
            _rest > 0,
            () =>
            {
                owner.From(Magazine, "TryTakeBack");
                owner.Load(rented, entry.Buffers, "Array.Copy(items, left, loaded, entry.Count, count);");
                owner.Store(entry.Buffers, 0, "Array.Clear(items, left, items.Length - left);");
                owner.Store(entry.Items, ParkedEntry.Larger, "entry.Items = loaded;");
                AddForget();
            });
    }

    private void AddForget()
    {
        owner.From(Magazine, "Forget");
        owner.Store(entry.Rest, 0, "_rest = 0;");
        owner.Store(entry.IsClaimed, 0, "_isClaimed = false;");
        owner.Store(entry.Parked, ParkedEntry.None, "Volatile.Write(ref _items, null);", StepOrder.Release);
    }
}
