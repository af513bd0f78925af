namespace Tarn;

/// <content>
/// The actions of other threads on a thread's cache. They only drop references, because the owner may be in the middle of a call.
/// </content>
internal sealed partial class ArrayClassCache
{
    /// <summary>
    /// Gives up the buffers not used for <paramref name="patience"/>, or all of them if it is null, and parks the magazine otherwise.
    /// For trimmers.
    /// </summary>
    /// <param name="now">The time.</param>
    /// <param name="patience">How long the buffers may have been idle.</param>
    /// <param name="pass">The trimmer's pass: a number above 0 that no other pass of the pool has.</param>
    /// <param name="trimmed">Counts the buffers.</param>
    /// <returns>Whether <see cref="RevokeTop"/> must follow, after a fence.</returns>
    internal bool Trim(TimeSpan now, TimeSpan? patience, int pass, ref TrimCount trimmed)
    {
        ClassActivity activity = Activity;
        if (patience is not null && activity != _seen)
        {
            _seen = activity;
            _seenAt = now;
        }

        bool isIdle = IsIdle(now, patience);
        if (isIdle || (_parked is not null && now - _parkedAt >= patience))
        {
            RevokeMagazine(ref trimmed);
        }
        else if (_parked is null && Entry.Items.Length > 0)
        {
            _parkedAt = now;
            _parked = Entry.Items;
            Volatile.Write(ref Entry.Items, CacheSection.Revoked);
        }

        _revokedIn = isIdle && _hasTop ? pass : 0;
        return _revokedIn != 0;
    }

    /// <summary>Whether the owner made no use of the class for this long, as of the last trim.</summary>
    internal bool IsIdle(TimeSpan now, TimeSpan? patience) => patience is null || now - _seenAt >= patience;

    /// <summary>
    /// Empties the top slot. For trimmers that have revoked the magazine and then fenced every processor. Does nothing if the owner came
    /// back in between, or another pass did.
    /// </summary>
    internal void RevokeTop(int pass, ref TrimCount trimmed)
    {
        if (_revokedIn != pass)
        {
            return;
        }

        _revokedIn = 0;
        ref CacheEntry entry = ref Entry;
        Array? top = entry.Top;
        bool isFree = entry.IsTopFree != 0 && top is not null;
        Volatile.Write(ref entry.Top, null);
        if (_hasTop)
        {
            _hasTop = false;
            _section.Release(Shared, 1);
        }

        if (isFree)
        {
            Shared.GiveUp([new ArrayReference { Value = top }], ref trimmed);
        }
    }

    /// <summary>
    /// Moves all free buffers to the depot after the owner has ended and no thread uses the entry any more. Gives up the buffers that the
    /// depot has no memory to list.
    /// </summary>
    internal void Bequeath(ref TrimCount trimmed)
    {
        NoteTrims();
        ref CacheEntry entry = ref Entry;
        ReadOnlySpan<ArrayReference> top = entry.IsTopFree != 0 ? [new ArrayReference { Value = entry.Top }] : [];
        int all = Slots;
        int handedOn = Bequeath(entry.Items.AsSpan(0, entry.Count), ref trimmed) + Bequeath(top, ref trimmed);
        _hasTop = false;
        entry.Items = CacheSection.Revoked;
        _section.TurnIntoPlaces(Shared, handedOn);
        _section.Release(Shared, all - handedOn);
        entry.Count = 0;
        entry.Top = null;
        entry.IsTopFree = 0;
    }

    /// <summary>Moves buffers to the depot, or gives them up. Returns the number that went to the depot with their room.</summary>
    private int Bequeath(ReadOnlySpan<ArrayReference> free, ref TrimCount trimmed)
    {
        _outflow += free.Length;
        if (free.IsEmpty || Shared.Depot.TryPut(free, room: free.Length) == Placing.Kept)
        {
            return free.Length;
        }

        Shared.GiveUp(free, ref trimmed);
        return 0;
    }

    /// <summary>Gives up all buffers but the top slot's. Only drops references, because the owner may be in the middle of a call.</summary>
    private void RevokeMagazine(ref TrimCount trimmed)
    {
        ref CacheEntry entry = ref Entry;
        ArrayReference[] items = Magazine;
        _parked = null;
        Volatile.Write(ref entry.Items, CacheSection.Revoked);
        Shared.GiveUp(items.AsSpan(0, Math.Min(entry.Count, items.Length)), ref trimmed);
        _section.Release(Shared, items.Length);
    }
}
