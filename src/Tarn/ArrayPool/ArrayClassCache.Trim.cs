namespace Tarn;

/// <content>
/// The actions of other threads on a thread's cache. They only drop references, because the owner may be in the middle of a call.
/// </content>
internal sealed partial class ArrayClassCache
{
    /// <summary>Gives up the buffers not used for <paramref name="patience"/>, and watches the others. For trimmers.</summary>
    /// <returns>Whether <see cref="RevokeTop"/> must follow, after a fence.</returns>
    internal bool Trim(TimeSpan now, TimeSpan? patience, ref TrimCount trimmed)
    {
        ClassActivity activity = Activity;
        if (patience is not null && activity != _seen)
        {
            _seen = activity;
            _seenAt = now;
        }

        if (patience is null || now - _seenAt >= patience)
        {
            RevokeMagazines(ref trimmed);
            return _hasTop;
        }

        Watch(now, patience.Value, ref trimmed);

        // A trimmer's takes are not the owner's activity, so they must not make the rest look used.
        _seen = Activity;
        return false;
    }

    /// <summary>
    /// Gives up buffers that the owner did not use since the last call, to make room for others; otherwise watches them. For the owner on
    /// behalf of another class, or for another thread.
    /// </summary>
    /// <returns>Whether <see cref="RevokeTop"/> must follow, after a fence unless this is the owner.</returns>
    internal bool GiveWay(ref TrimCount trimmed)
    {
        ClassActivity activity = Activity;
        if (activity != _seenByHand)
        {
            _seenByHand = activity;
            return false;
        }

        RevokeMagazines(ref trimmed);
        return _hasTop;
    }

    /// <summary>Empties the top slot. For trimmers that have revoked the magazine and then fenced every processor.</summary>
    internal void RevokeTop(ref TrimCount trimmed)
    {
        ref CacheEntry entry = ref Entry;
        Array? top = entry.Top;
        bool isFree = entry.IsTopFree != 0 && top is not null;
        Volatile.Write(ref entry.Top, null);
        if (_hasTop)
        {
            _hasTop = false;
            Pool.ReleaseSlots(1);
        }

        if (isFree)
        {
            Pool.GiveUp([new ArrayReference { Value = top }], ref trimmed);
        }
    }

    /// <summary>
    /// Moves all free buffers to the depot after the owner has ended and no thread uses the entry any more. Gives up the buffers that the
    /// depot has no memory to list.
    /// </summary>
    internal void Bequeath(ref TrimCount trimmed)
    {
        Settle();
        ref CacheEntry entry = ref Entry;
        ReadOnlySpan<ArrayReference> top = entry.IsTopFree != 0 ? [new ArrayReference { Value = entry.Top }] : [];
        int all = Slots;
        int handedOn = Bequeath(_parked.Left, ref trimmed);
        handedOn += Bequeath(entry.Items.AsSpan(0, entry.Count), ref trimmed);
        handedOn += Bequeath(top, ref trimmed);
        _hasTop = false;
        _parked = default;
        EndLoan(kept: 0);
        entry.Items = CacheSection.Revoked;
        TurnIntoPlaces(handedOn);
        Pool.ReleaseSlots(all - handedOn);
        entry.Count = 0;
        entry.Top = null;
        entry.IsTopFree = 0;
    }

    /// <summary>Moves buffers to the depot, or gives them up. Returns the number that went to the depot with their room.</summary>
    private int Bequeath(ReadOnlySpan<ArrayReference> free, ref TrimCount trimmed)
    {
        _outflow += free.Length;
        if (free.IsEmpty || Pool.Depot.TryPut(free, _section.Id, room: free.Length) == Placing.Kept)
        {
            return free.Length;
        }

        Pool.GiveUp(free, ref trimmed);
        return 0;
    }

    /// <summary>Parks the loaded magazine, or decides whether the owner needs the parked one.</summary>
    private void Watch(TimeSpan now, TimeSpan patience, ref TrimCount trimmed)
    {
        ref CacheEntry entry = ref Entry;
        if (_parked.IsNone)
        {
            if (entry.Items.Length > 0)
            {
                _parked.Park(ref entry, now);
            }
        }
        else if (_parked.Unclaimed is null)
        {
            if (now - _parked.Since >= patience / LookShareOfPatience)
            {
                if (!TryHandOnRest(unused: true))
                {
                    GiveUpRest(ref trimmed);
                }

                _limit.Lower(Slots);
                EndLoan(kept: Slots);
            }
        }
        else if (now - _parked.Since >= patience)
        {
            RevokeMagazines(ref trimmed);
        }
    }

    /// <summary>Gives up all buffers but the top slot's. Only drops references, because the owner may be in the middle of a call.</summary>
    private void RevokeMagazines(ref TrimCount trimmed)
    {
        ref CacheEntry entry = ref Entry;
        ArrayReference[] loaded = LoadedOrParked;
        int slots = entry.Items.Length + _parked.Slots;
        Volatile.Write(ref entry.Items, CacheSection.Revoked);
        Pool.GiveUp(loaded.AsSpan(0, Math.Min(entry.Count, loaded.Length)), ref trimmed);
        if (!_parked.IsNone)
        {
            // While nothing is parked, the owner may count without the lock; see KeepsNothing.
            Pool.GiveUp(_parked.Left, ref trimmed);
            _outflow += _parked.Rest;
            _parked.Forget();
        }

        Pool.ReleaseSlots(slots);
        _limit.Lower(0);
        EndLoan(kept: 0);
    }

    /// <summary>Gives up the rest of a parked magazine.</summary>
    private void GiveUpRest(ref TrimCount trimmed)
    {
        int rest = _parked.Rest;
        Pool.GiveUp(_parked.Left, ref trimmed);
        _outflow += rest;
        _parked.Forget();
        Pool.ReleaseSlots(rest);
    }
}
