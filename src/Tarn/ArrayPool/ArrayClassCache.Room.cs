using System.Diagnostics;

namespace Tarn;

/// <content>Growth of the room, and the move of buffers to the depot when no room is granted. For the owner.</content>
internal sealed partial class ArrayClassCache
{
    /// <summary>
    /// Grows the magazine, besides the top slot, to this number of slots, and at least to twice as many as it has, as far as the limit and
    /// the pool's room allow. Returns false if nothing was granted.
    /// </summary>
    private bool TryGrow(int slots)
    {
        ref CacheEntry entry = ref Entry;
        bool hasGrown = false;
        if (!_hasTop)
        {
            if (!_section.TryReserve(Shared, had: 0, more: 1))
            {
                return false;
            }

            hasGrown = _hasTop = true;
            entry.Items = CacheSection.TopAlone;
            slots--;
        }

        int length = entry.Items.Length;
        int more = Math.Min(Math.Max(slots, 2 * length) - length, _limit - Slots);
        while (more > 0 && !_section.TryReserve(Shared, Slots, more))
        {
            more /= 2;
        }

        if (more <= 0)
        {
            return hasGrown;
        }

        if (ArrayReference.TryMake(length + more) is not { } larger)
        {
            _section.Release(Shared, more);
            return hasGrown;
        }

        entry.Items.CopyTo(larger, 0);
        entry.Items = larger;
        return true;
    }

    /// <summary>
    /// Hands over a buffer for which there is no room here: it, or buffers that have been here longer, go to the depot if the cap leaves
    /// room there.
    /// </summary>
    /// <param name="array">The buffer.</param>
    /// <param name="isBothWays">Whether the thread also rents, and so keeps half of its buffers.</param>
    private Placing HandOn(Array array, bool isBothWays)
    {
        ref CacheEntry entry = ref Entry;
        if (entry.Count == 0)
        {
            Placing placed = Shared.Depot.TryPut(array);
            _outflow += placed == Placing.Kept ? 1 : 0;
            return placed;
        }

        // Their slots stay here. But near the cap the slots move with their buffers, except for the one that is needed now.
        int handed = isBothWays ? (entry.Count + 1) / 2 : entry.Count;
        Placing placing = HandOnOldest(handed, slots: 0, array);
        if (placing == Placing.NoRoom && handed > 1)
        {
            placing = HandOnOldest(handed, slots: handed - 1, array);
        }

        if (placing == Placing.Kept)
        {
            bool isPlaced = TryPlace(array);
            Debug.Assert(isPlaced, "one slot stays for the buffer that comes back");
        }

        return placing;
    }

    /// <summary>Moves the oldest buffers of the magazine to the depot, with some of their slots.</summary>
    private Placing HandOnOldest(int count, int slots, Array returned)
    {
        // Allocated first: once the buffers are in the depot, nothing may fail. Without memory for it the slots stay here.
        ref CacheEntry entry = ref Entry;
        ArrayReference[] items = entry.Items;
        ArrayReference[]? shorter = slots > 0 ? ArrayReference.TryMake(items.Length - slots) : null;
        slots = shorter is null ? 0 : slots;
        ArrayReference[] kept = shorter ?? items;
        Placing placing = Shared.Depot.TryPut(items.AsSpan(0, count), slots, returned: returned);
        if (placing == Placing.Kept)
        {
            _outflow += count;
            int left = entry.Count - count;
            Array.Copy(items, count, kept, 0, left);
            Array.Clear(kept, left, kept.Length - left);
            entry.Items = kept;
            entry.Count = left;
            _section.TurnIntoPlaces(Shared, slots);
        }

        return placing;
    }
}
