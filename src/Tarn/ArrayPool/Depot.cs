namespace Tarn;

/// <summary>The shared store of one pool's free buffers of one size class: a stack under a lock.</summary>
/// <remarks>
/// <para>Threads bring and take several small buffers at a time, so the lock's cost is divided by their number; a large one is used for far
/// longer than the lock is held. Hence one stack a class, and no partitions: what one thread brings, the next one finds.</para>
/// <para>What came last is taken first, so what is not needed collects at the bottom. The <i>low-water mark</i>, the least there was in a
/// span of time, is what nobody asked for in it. Keeping it costs a comparison.</para>
/// <para>The depot has <i>places</i>, each with room that the class was granted, and <c>0 ≤ Count ≤ places</c>. A buffer that is taken
/// leaves its place behind, for the one that comes back. So buffers on their way round ask the budget nothing. All members are safe to call
/// from any thread.</para>
/// <para>Those that threads call for single buffers do not look before they have the lock: a processor that reads a line and writes it
/// afterwards asks the others for it twice.</para>
/// </remarks>
internal sealed class Depot(ArrayClass pool)
{
    /// <summary>Nobody else came since: may be chance with two threads once in 65,536 times.</summary>
    private const int VisitsToBeAlone = 16;

    private ArrayReference[] _items = [];
    private ShortLock _lock;

    // Written under the lock.
    private int _count;
    private int _places;

    // The least and the most buffers in this span of time, and in the one before.
    private int _least;
    private int _leastBefore;
    private int _most;
    private int _mostBefore;

    /// <summary>The last visitor (<see cref="CacheSection.Id"/>), and its visits in a row.</summary>
    private int _visitor;
    private int _visits;

    /// <summary>Buffers in the depot.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>Room granted, in buffers.</summary>
    internal int Places => Volatile.Read(ref _places);

    /// <summary>Buffers that nobody asked for in this span of time, nor in the one before.</summary>
    internal int UnusedCount => Math.Max(0, Math.Min(Volatile.Read(ref _least), Volatile.Read(ref _leastBefore)));

    /// <summary>Nobody but this thread came of late.</summary>
    internal bool IsAlone(CacheSection section) => _visitor == section.Id && _visits >= VisitsToBeAlone;

    /// <summary>
    /// Whether a buffer is the one that came last, so that it was returned twice. Without the lock: nobody else hands out a buffer that its
    /// owner is returning.
    /// </summary>
    internal bool IsNext(Array array)
    {
        ArrayReference[] items = Volatile.Read(ref _items);
        int last = Count - 1;
        return (uint)last < (uint)items.Length && items[last].Value == array;
    }

    /// <summary>Takes the buffer that came last; null when there is none.</summary>
    internal Array? Take(CacheSection? visitor)
    {
        _lock.Enter();
        Note(visitor);
        ArrayReference[] items = _items;
        int left = _count - 1;
        Array? taken = null;
        if ((uint)left < (uint)items.Length)
        {
            taken = items[left].Value;
            items[left].Value = null;
            SetLess(left);
        }

        _lock.Exit();
        return taken;
    }

    /// <summary>Takes up to as many buffers as <paramref name="into"/> has room for; how many.</summary>
    internal int Take(Span<ArrayReference> into, CacheSection visitor)
    {
        _lock.Enter();
        Note(visitor);
        int taken = Math.Min(_count, into.Length);
        if (taken > 0)
        {
            Span<ArrayReference> top = _items.AsSpan(_count - taken, taken);
            top.CopyTo(into);
            top.Clear();
            SetLess(_count - taken);
        }

        _lock.Exit();
        return taken;
    }

    /// <summary>Puts a buffer in, if there is room under the cap and it is not the one that came last.</summary>
    internal Placing TryPut(Array array, CacheSection? visitor)
    {
        _lock.Enter();
        Note(visitor);
        ArrayReference[] items = _items;
        int count = _count;
        if (count >= _places || (uint)count >= (uint)items.Length || (count > 0 && items[count - 1].Value == array))
        {
            Placing placing = TryPutSlow(array);
            _lock.Exit();
            return placing;
        }

        items[count].Value = array;
        SetMore(count + 1);
        _lock.Exit();
        return Placing.Kept;
    }

    /// <summary>Puts buffers in, if there is room under the cap.</summary>
    /// <param name="buffers">The buffers.</param>
    /// <param name="visitor">Where they come from.</param>
    /// <param name="room">Room that comes with them, in buffers; it stays the caller's if they are refused.</param>
    /// <param name="unused">They lay idle elsewhere in this span of time: unless they are asked for, they count as unused here.</param>
    /// <param name="returned">A buffer on its way back, which must not be the one here that came last; null when there is none.</param>
    internal Placing TryPut(
        ReadOnlySpan<ArrayReference> buffers, CacheSection visitor, int room = 0, bool unused = false, Array? returned = null)
    {
        _lock.Enter();
        Note(visitor);
        int count = _count + buffers.Length;
        Placing placing = Placing.ReturnedTwice;
        if (!IsTop(returned))
        {
            _places += room;
            placing = TryMakePlaces(count) ? Placing.Kept : Placing.NoRoom;
        }

        if (placing == Placing.Kept)
        {
            buffers.CopyTo(_items.AsSpan(_count));
            SetMore(count);
            _least += unused ? buffers.Length : 0;
        }
        else if (placing == Placing.NoRoom)
        {
            _places -= room;
        }

        _lock.Exit();
        return placing;
    }

    /// <summary>Gives up to <paramref name="most"/> buffers to the collector, the oldest first, with their places; how many.</summary>
    internal int Evict(long most, ref TrimCount trimmed)
    {
        int evicted;
        _lock.Enter();
        try
        {
            evicted = (int)Math.Min(_count, most);
            if (evicted <= 0)
            {
                return 0;
            }

            pool.GiveUp(_items.AsSpan(0, evicted), ref trimmed);
            RemoveBottom(evicted);
        }
        finally
        {
            _lock.Exit();
        }

        pool.Release(evicted);
        return evicted;
    }

    /// <summary>Gives up to <paramref name="most"/> places back that no buffer is in; how many.</summary>
    internal int GiveUpPlaces(long most)
    {
        _lock.Enter();
        int empty = (int)Math.Max(0, Math.Min(_places - _count, most));
        _places -= empty;
        _lock.Exit();
        if (empty > 0)
        {
            pool.Release(empty);
        }

        return empty;
    }

    /// <summary>Ends a span of time: gives up the buffers and the places that were not used in it nor in the one before.</summary>
    internal void Turn(ref TrimCount trimmed)
    {
        Evict(UnusedCount, ref trimmed);
        GiveUpPlaces(Places - Math.Max(Volatile.Read(ref _most), Volatile.Read(ref _mostBefore)));
        _lock.Enter();
        _leastBefore = _least;
        _least = _count;
        _mostBefore = _most;
        _most = _count;
        _lock.Exit();
    }

    /// <summary>The equations above, and that the stack has no gaps. For tests, while no other thread uses the pool.</summary>
    internal void Validate()
    {
        Throw.UnlessHolds(_count <= _places, "a depot has a place for each of its buffers");
        Throw.UnlessHolds(_items.Take(_count).All(static item => item.Value is not null), "a depot's stack has no gaps");
        Throw.UnlessHolds(_items.Skip(_count).All(static item => item.Value is null), "a depot keeps no reference to what was taken");
    }

    /// <summary>The slow partner of <see cref="TryPut(Array, CacheSection?)"/>: makes a place, or refuses. The lock is held.</summary>
    private Placing TryPutSlow(Array array)
    {
        int count = _count;
        if (IsTop(array))
        {
            return Placing.ReturnedTwice;
        }

        if (!TryMakePlaces(count + 1))
        {
            return Placing.NoRoom;
        }

        _items[count].Value = array;
        SetMore(count + 1);
        return Placing.Kept;
    }

    private bool IsTop(Array? returned) => returned is not null && _count > 0 && _items[_count - 1].Value == returned;

    /// <summary>What lay there longest goes, so it is what was unused: it must not be counted again.</summary>
    private void RemoveBottom(int count)
    {
        int left = _count - count;

        // The table of a burst must not stay behind when its buffers are gone, unless there is no memory for a shorter one.
        ArrayReference[]? shorter = left <= _items.Length / 4 ? ArrayReference.TryMake(left) : null;
        Array.Copy(_items, count, shorter ?? _items, 0, left);
        if (shorter is null)
        {
            Array.Clear(_items, left, count);
        }

        _items = shorter ?? _items;

        _least -= count;
        _leastBefore -= count;
        _most -= count;
        _mostBefore -= count;
        _places -= count;
        Volatile.Write(ref _count, left);
    }

    private void Note(CacheSection? visitor)
    {
        int id = visitor is null ? 0 : visitor.Id;
        _visits = _visitor == id ? _visits + 1 : 0;
        _visitor = id;
    }

    private void SetLess(int count)
    {
        Volatile.Write(ref _count, count);
        _least = Math.Min(_least, count);
    }

    private void SetMore(int count)
    {
        Volatile.Write(ref _count, count);
        _most = Math.Max(_most, count);
    }

    private bool TryMakePlaces(int count)
    {
        if (count > _places)
        {
            if (!pool.TryReserve(count - _places))
            {
                return false;
            }

            _places = count;
        }

        if (count > _items.Length)
        {
            if (ArrayReference.TryMake(Math.Max(count, Math.Max(8, _items.Length * 2))) is not { } longer)
            {
                return false;
            }

            _items.CopyTo(longer, 0);
            _items = longer;
        }

        return true;
    }
}
