using System.Diagnostics;

namespace Tarn;

/// <content>Growth of the room, and the move of buffers to the depot when no room is granted. For the owner.</content>
internal sealed partial class ArrayClassCache
{
    private SectionBypass _bypass;

    /// <inheritdoc cref="SectionBypass.Next"/>
    internal bool BypassesSection() => _bypass.Next();

    /// <summary>
    /// Doubles the slots, as far as the class and the pool's room allow. The first slot is the top. Returns false if nothing was granted.
    /// </summary>
    /// <param name="isOneWay">Whether the thread only rents, or only returns.</param>
    /// <param name="returned">A buffer being returned; if it is the depot's next one, it is returned twice, and gets no slot.</param>
    private bool TryGrow(bool isOneWay, Array? returned = null)
    {
        int had = Slots;
        int more = Shared.Room.After(had, isOneWay) - had;
        while (more > 0 && !_section.TryReserve(Shared, had, more))
        {
            more /= 2;
        }

        if (more <= 0)
        {
            _bypass.Note(isRefused: !_hasTop);
            return false;
        }

        _bypass.Note(isRefused: false);
        if (returned is not null && Shared.Depot.IsNext(returned))
        {
            _section.Release(Shared, more);
            return false;
        }

        ref CacheEntry entry = ref Entry;
        if (!_hasTop)
        {
            _hasTop = true;
            entry.Items = CacheSection.TopAlone;
            return true;
        }

        if (ArrayReference.TryMake(entry.Items.Length + more) is not { } larger)
        {
            _section.Release(Shared, more);
            return false;
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
    /// <param name="isOneWay">Whether the thread only returns. Otherwise it keeps half of its buffers.</param>
    private Placing HandOn(Array array, bool isOneWay)
    {
        ref CacheEntry entry = ref Entry;
        if (entry.Count == 0)
        {
            Placing placed = Shared.Depot.TryPut(array);
            _outflow += placed == Placing.Kept ? 1 : 0;
            return placed;
        }

        // Their slots stay here. But near the cap the slots move with their buffers, except for the one that is needed now.
        int handed = isOneWay ? entry.Count : (entry.Count + 1) / 2;
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
