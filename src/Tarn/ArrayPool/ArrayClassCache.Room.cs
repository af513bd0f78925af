namespace Tarn;

/// <content>More room, and what happens when there is none: buffers go to the depot. For the owner.</content>
internal sealed partial class ArrayClassCache
{
    /// <summary>Makes room for one more buffer at least, more as the magazine gets deeper; false when the limit or the cap grants none.</summary>
    private bool TryGrow()
    {
        int loaded = Entry.Items.Length;
        return GrowTo(Math.Min(Math.Max(2, loaded * 2), _limit.Value - 1 - _parked.Slots));
    }

    /// <summary>Grows the loaded magazine to so many slots, or as near as the cap allows, beside the top slot; false when nothing was granted.</summary>
    private bool GrowTo(int slots)
    {
        bool hasGrown = false;
        if (!_hasTop)
        {
            hasGrown = _hasTop = Pool.TryReserve(1);
        }

        ref CacheEntry entry = ref Entry;
        int more = _hasTop ? slots - entry.Items.Length : 0;
        while (more > 0 && !Pool.TryReserve(more))
        {
            more /= 2;
        }

        if (more <= 0)
        {
            return hasGrown;
        }

        try
        {
            ArrayReference[] larger = new ArrayReference[entry.Items.Length + more];
            entry.Items.CopyTo(larger, 0);
            entry.Items = larger;
            return true;
        }
        catch (OutOfMemoryException)
        {
            Pool.Release(more);
            return hasGrown;
        }
    }

    /// <summary>There is no room for a buffer here: it, or what has been here longer, goes to the depot; false when the cap leaves no room there.</summary>
    /// <param name="array">The buffer.</param>
    /// <param name="isAskedFor">This thread also asked for buffers since the last time, so it keeps half of what it has.</param>
    private bool TryHandOn(Array array, bool isAskedFor)
    {
        ref CacheEntry entry = ref Entry;
        if (_parked.Rest > 0)
        {
            HandOnRest(unused: false);
            if (TryGrow() && TryPlace(array))
            {
                return true;
            }
        }

        int count = entry.Count;
        if (count == 0)
        {
            if (_limit.Value == 0 && _hasTop)
            {
                HandOnTop();
            }

            bool isPut = Pool.Depot.TryPut(array);
            _outflow += isPut ? 1 : 0;
            return isPut;
        }

        // Their slots stay here. But where there are more than the limit, or the cap is near, slots go along with their buffers, all but the one
        // that is needed now.
        int handed = isAskedFor ? (count + 1) / 2 : count;
        int slots = Math.Clamp(Slots - _limit.Value, 0, handed - 1);
        ReadOnlySpan<ArrayReference> coldest = entry.Items.AsSpan(0, handed);
        if (!Pool.Depot.TryPut(coldest, slots))
        {
            slots = handed - 1;
            if (!Pool.Depot.TryPut(coldest, slots))
            {
                return false;
            }
        }

        _outflow += handed;
        int left = count - handed;
        ArrayReference[] items = slots > 0 ? new ArrayReference[entry.Items.Length - slots] : entry.Items;
        Array.Copy(entry.Items, handed, items, 0, left);
        Array.Clear(items, left, items.Length - left);
        entry.Items = items;
        entry.Count = left;
        _limit.OnHandedOn(items.Length - left - 1);
        return TryPlace(array);
    }

    /// <summary>What the owner left of a parked magazine goes to the depot, its room with it.</summary>
    private void HandOnRest(bool unused)
    {
        Pool.Depot.TryPut(_parked.Left, room: _parked.Rest, unused);
        _outflow += _parked.Rest;
        _parked.Forget();
    }

    private void HandOnTop()
    {
        ref CacheEntry entry = ref Entry;
        if (entry.IsTopFree != 0)
        {
            Pool.Depot.TryPut([new ArrayReference { Value = entry.Top }], room: 1);
            entry.IsTopFree = 0;
            _outflow++;
        }
        else
        {
            Pool.Release(1);
        }

        entry.Top = null;
        _hasTop = false;
    }
}
