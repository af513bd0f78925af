namespace Tarn;

/// <summary>
/// A loaded magazine that a trimmer moved out of the fast path's reach, to find out whether its owner needs it. Guarded by the section's
/// lock.
/// </summary>
/// <remarks>
/// <para>The entry has no room while its magazine is parked, so its owner takes the slow path when it needs more than the top slot. The
/// owner then <i>claims</i> the magazine: it takes back one buffer and all free room, and twice as many buffers each time it returns. The
/// buffers it leaves are the <i>rest</i>, which nobody has needed since the claim. The fast path therefore pays nothing for being watched.
/// Where there is no memory to divide it, a claim takes back the whole magazine.</para>
/// <para><see cref="CacheEntry.Count"/> counts this magazine's buffers until the owner claims it, and the loaded magazine's
/// afterwards.</para>
/// </remarks>
internal struct ParkedMagazine
{
    private ArrayReference[]? _items;
    private bool _isClaimed;
    private int _rest;
    private int _takenBack;

    /// <summary>Nothing is parked.</summary>
    internal readonly bool IsNone => Volatile.Read(in _items) is null;

    /// <summary>The magazine until its owner claims it; otherwise null.</summary>
    internal readonly ArrayReference[]? Unclaimed => _isClaimed ? null : _items;

    /// <summary>The time at which it was parked or, once claimed, the time of the claim.</summary>
    internal TimeSpan Since { get; private set; }

    /// <summary>The number of buffers that the owner left, or 0 before the claim.</summary>
    internal readonly int Rest => _rest;

    /// <summary>The buffers that the owner left.</summary>
    internal readonly ReadOnlySpan<ArrayReference> Left => _items.AsSpan(0, _rest);

    /// <summary>The room counted here and not in the entry, in buffers.</summary>
    internal readonly int Slots => Unclaimed is { } items ? items.Length : _rest;

    /// <summary>Takes the loaded magazine out of the fast path's reach. For trimmers.</summary>
    internal void Park(ref CacheEntry entry, TimeSpan now)
    {
        _items = entry.Items;
        Since = now;
        Volatile.Write(ref entry.Items, CacheSection.Revoked);
    }

    /// <summary>Claims the magazine for the owner: one buffer and all free room go back to the entry.</summary>
    internal void Claim(ref CacheEntry entry, bool hasTop, TimeSpan now)
    {
        ArrayReference[] items = _items!;
        _isClaimed = true;
        Since = now;
        _rest = entry.Count;
        entry.Count = 0;
        int room = items.Length - _rest;
        if (hasTop && entry.IsTopFree == 0 && _rest > 0)
        {
            // One buffer is enough for many threads, and the top slot is the cheapest place for it.
            ref ArrayReference last = ref items[--_rest];
            entry.Top = last.Value;
            entry.IsTopFree = 1;
            last.Value = null;
            room++;
        }

        if (!TryTakeBack(ref entry, entry.IsTopFree == 0 ? 1 : 0, room))
        {
            entry.Items = items;
            entry.Count = _rest;
            Forget();
        }
    }

    /// <summary>
    /// Moves twice as many buffers as the last time back to the entry, with their room, for an owner that needs more. Moves none without
    /// memory for a longer magazine.
    /// </summary>
    internal void TakeBackMore(ref CacheEntry entry) => TryTakeBack(ref entry, _takenBack * 2, room: 0);

    /// <summary>Forgets the parked magazine.</summary>
    internal void Forget()
    {
        _rest = 0;
        _isClaimed = false;
        Volatile.Write(ref _items, null);
    }

    /// <summary>Moves buffers and room to the entry; false, and nothing has changed, when there is no memory for it.</summary>
    private bool TryTakeBack(ref CacheEntry entry, int count, int room)
    {
        ArrayReference[] items = _items!;
        count = Math.Min(count, _rest);
        int left = _rest - count;
        if (left == 0 && entry.Items.Length == 0)
        {
            entry.Items = items;
        }
        else if (count + room > 0)
        {
            if (ArrayReference.TryMake(entry.Items.Length + count + room) is not { } loaded)
            {
                return false;
            }

            entry.Items.AsSpan(0, entry.Count).CopyTo(loaded);
            Array.Copy(items, left, loaded, entry.Count, count);

            // Stale references must not keep uncounted buffers alive.
            Array.Clear(items, left, items.Length - left);
            entry.Items = loaded;
        }

        entry.Count += count;
        _takenBack = Math.Max(1, count);
        _rest = left;
        if (left == 0)
        {
            Forget();
        }

        return true;
    }
}
