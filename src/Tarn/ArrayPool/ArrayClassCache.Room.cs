using System.Diagnostics;

namespace Tarn;

/// <content>Growth of the room, and the move of buffers to the depot when no room is granted. For the owner.</content>
internal sealed partial class ArrayClassCache
{
    /// <summary>The most buffers a class borrows, because taking more at once is not cheaper.</summary>
    private const int MostBorrowed = 64;

    /// <summary>Whether the class could borrow more room.</summary>
    private bool CanBorrow => _borrowed < MostBorrowed && BorrowableBytes >= Pool.Bytes;

    private long BorrowableBytes => RoomAllowance.BorrowableBytes(Pool.LendableBytes, _section.LentBytes);

    /// <summary>
    /// Doubles the number of buffers to keep if the thread's allowance can lend the room. Buffers handed from thread to
    /// thread earn no room, but exchanging them in batches costs a fraction.
    /// </summary>
    private void Borrow()
    {
        if (!CanBorrow)
        {
            return;
        }

        int most = (int)Math.Min(MostBorrowed - _borrowed, BorrowableBytes / Pool.Bytes);
        int more = Math.Min(most, Math.Max(1, Pool.Unearned + _borrowed));
        _borrowed += more;
        _section.LentBytes += more * Pool.Bytes;
    }

    /// <summary>Gives back the room borrowed beyond <paramref name="kept"/> buffers.</summary>
    private void EndLoan(int kept)
    {
        int back = _borrowed - kept;
        if (back > 0)
        {
            _borrowed -= back;
            _section.LentBytes -= back * Pool.Bytes;
        }
    }

    /// <summary>
    /// Makes room for at least one more buffer, and for more as the magazine gets deeper. Returns false if the limit or the cap grants
    /// none.
    /// </summary>
    private bool TryGrow()
    {
        int loaded = Entry.Items.Length;
        return GrowTo(Math.Min(Math.Max(2, loaded * 2), Allowed - 1 - _parked.Slots));
    }

    /// <summary>
    /// Grows the loaded magazine, besides the top slot, to this number of slots, or as near as the cap allows. Returns false if nothing was
    /// granted.
    /// </summary>
    private bool GrowTo(int slots)
    {
        bool hasGrown = false;
        if (!_hasTop)
        {
            hasGrown = _hasTop = Pool.TryReserveSlots(1);
        }

        ref CacheEntry entry = ref Entry;
        if (_hasTop && entry.Items.Length == 0)
        {
            entry.Items = CacheSection.TopAlone;
        }

        int more = _hasTop ? slots - entry.Items.Length : 0;
        while (more > 0 && !Pool.TryReserveSlots(more))
        {
            more /= 2;
        }

        if (more <= 0)
        {
            return hasGrown;
        }

        if (ArrayReference.TryMake(entry.Items.Length + more) is not { } larger)
        {
            Pool.ReleaseSlots(more);
            return hasGrown;
        }

        entry.Items.CopyTo(larger, 0);
        entry.Items = larger;
        return true;
    }

    /// <summary>Turns room that <see cref="Slots"/> no longer counts into room of the depot.</summary>
    private void TurnIntoPlaces(int slots)
    {
        // Usually there is none, and all threads share the cache lines of the pool's counters.
        if (slots > 0)
        {
            Pool.TurnIntoPlaces(slots);
        }
    }

    /// <summary>
    /// Hands over a buffer for which there is no room here: it, or buffers that have been here longer, go to the depot if the cap leaves
    /// room there.
    /// </summary>
    /// <param name="array">The buffer.</param>
    /// <param name="isAskedFor">Whether this thread also rented since the last time, and so keeps half of its buffers.</param>
    private Placing TryHandOn(Array array, bool isAskedFor)
    {
        ref CacheEntry entry = ref Entry;
        if (_parked.Rest > 0 && !Pool.Depot.IsNext(array) && TryHandOnRest(unused: false) && TryGrow() && TryPlace(array))
        {
            return Placing.Kept;
        }

        int count = entry.Count;
        if (count == 0)
        {
            if (Allowed == 0 && _hasTop)
            {
                HandOnTop();
            }

            return HandOn(array);
        }

        // Their slots stay here. But where there are more slots than the limit, or the cap is near, the slots move with their buffers,
        // except for the one that is needed now.
        int handed = isAskedFor ? (count + 1) / 2 : count;
        int slots = Math.Clamp(Slots - Allowed, 0, handed - 1);
        Placing placing = HandOnColdest(handed, slots, array);
        if (placing == Placing.NoRoom && slots < handed - 1)
        {
            placing = HandOnColdest(handed, handed - 1, array);
        }

        if (placing == Placing.Kept)
        {
            _limit.OnHandedOn(entry.Items.Length - entry.Count - 1);
            bool isPlaced = TryPlace(array);
            Debug.Assert(isPlaced, "one slot stays for the buffer that comes back");
        }

        return placing;
    }

    /// <summary>Moves the oldest buffers of the loaded magazine to the depot, with some of their slots.</summary>
    private Placing HandOnColdest(int count, int slots, Array returned)
    {
        // Allocated first: once the buffers are in the depot, nothing may fail. Without memory for it the slots stay here.
        ref CacheEntry entry = ref Entry;
        ArrayReference[] items = entry.Items;
        ArrayReference[]? smaller = slots > 0 ? ArrayReference.TryMake(items.Length - slots) : null;
        slots = smaller is null ? 0 : slots;
        ArrayReference[] kept = smaller ?? items;
        Placing placing = Pool.Depot.TryPut(items.AsSpan(0, count), _section.Id, slots, returned: returned);
        if (placing == Placing.Kept)
        {
            _outflow += count;
            int left = entry.Count - count;
            Array.Copy(items, count, kept, 0, left);
            Array.Clear(kept, left, kept.Length - left);
            entry.Items = kept;
            entry.Count = left;
            TurnIntoPlaces(slots);
        }

        return placing;
    }

    private Placing HandOn(Array array)
    {
        Placing placing = Pool.Depot.TryPut(array, _section.Id, out _isAlone);
        _outflow += placing == Placing.Kept ? 1 : 0;
        return placing;
    }

    /// <summary>
    /// Moves the rest of a parked magazine to the depot, with its room. Returns false, with nothing changed, if the depot has no memory to
    /// list it.
    /// </summary>
    private bool TryHandOnRest(bool unused)
    {
        int rest = _parked.Rest;
        if (Pool.Depot.TryPut(_parked.Left, _section.Id, room: rest, unused) != Placing.Kept)
        {
            return false;
        }

        _outflow += rest;
        _parked.Forget();
        TurnIntoPlaces(rest);
        return true;
    }

    /// <summary>The top slot's buffer goes to the depot, and its room, unless the depot has no memory to list it.</summary>
    private void HandOnTop()
    {
        ref CacheEntry entry = ref Entry;
        if (entry.IsTopFree == 0)
        {
            Pool.ReleaseSlots(1);
        }
        else if (Pool.Depot.TryPut([new ArrayReference { Value = entry.Top }], _section.Id, room: 1) == Placing.Kept)
        {
            entry.IsTopFree = 0;
            _outflow++;
            TurnIntoPlaces(1);
        }
        else
        {
            return;
        }

        _hasTop = false;
        entry.Top = null;
        entry.Items = CacheSection.Revoked;
    }
}
