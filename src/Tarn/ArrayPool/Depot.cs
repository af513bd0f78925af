namespace Tarn;

/// <summary>The shared store of one pool's free buffers of one size class: a stack under a lock.</summary>
/// <remarks>
/// <para>Threads bring and take several small buffers at a time, so the lock's cost is divided by their number; a large one is used for far
/// longer than the lock is held. Hence there is one stack per class and no partitions, and a buffer that one thread puts in is available to
/// the next.</para>
/// <para>The most recently returned buffer is taken first, so unused buffers collect at the bottom. The <i>low-water mark</i>, the smallest
/// count in a span of time, is the number of buffers that no thread needed in it. Keeping it costs a comparison.</para>
/// <para>The depot has <i>places</i>, each with room that the class was granted, and <c>Count ≤ places ≤ table</c>. A buffer that is taken
/// leaves its place for the next return, so circulating buffers need no request to the budget. All members are safe to call from any
/// thread.</para>
/// <para>Where buffers go from thread to thread, the main cost of a visit is the transfer of the depot's cache lines between processors. So
/// the top of the stack is a field beside the lock, and a visit leaves the stack alone where it can. A visitor reads nothing before it
/// holds the lock, because a processor that reads a line and writes it afterwards requests it twice from the others. Nothing under the
/// lock calls the system: a visitor that was granted room wakes the clock afterwards.</para>
/// </remarks>
internal sealed class Depot(ArrayClass shared)
{
    /// <summary>The slots of the first table. A table is not made shorter than that for its own sake.</summary>
    private const int ShortestTable = 8;

    /// <summary>The most recently returned buffer; null once it was handed out.</summary>
    private Array? _top;

    /// <summary>The stack of the other buffers.</summary>
    private ArrayReference[] _items = [];

    private ShortLock _lock;

    /// <summary>All buffers, <see cref="_top"/> included.</summary>
    private int _count;
    private int _places;

    // The fewest and the most buffers in this span of time, and in the one before.
    private int _least;
    private int _most;
    private int _leastBefore;
    private int _mostBefore;

    // The rents and returns of callers without a cache of the class.
    private long _rented;
    private long _returned;

    internal int Count => Volatile.Read(ref _count);

    internal int Places => Volatile.Read(ref _places);

    /// <summary>Whether more than half of the places have their buffers, so that few of the class are in use.</summary>
    internal bool HasMany => Count > Places / 2;

    /// <summary>The number of buffers that no thread needed in this span of time or the one before.</summary>
    internal int UnusedCount => Math.Max(0, Math.Min(Volatile.Read(ref _least), Volatile.Read(ref _leastBefore)));

    /// <summary>The number of buffers that callers without a cache of the class rented, and that they returned.</summary>
    internal (long Rented, long Returned) Traffic => (Volatile.Read(ref _rented), Volatile.Read(ref _returned));

    /// <summary>
    /// Whether a buffer is the most recently returned one, and so is returned twice. Takes no lock, because no other thread hands out a
    /// buffer that its owner is returning.
    /// </summary>
    internal bool IsNext(Array array) => Volatile.Read(ref _top) == array;

    /// <summary>Takes the most recently returned buffer; null when there is none. Tells how many are left.</summary>
    internal Array? Take(out int left) => Take(rents: 0, out left);

    /// <summary>As <see cref="Take(out int)"/>, and counts the rent, for a caller without a cache of the class.</summary>
    internal Array? TakeBypassing() => Take(rents: 1, out _);

    private Array? Take(int rents, out int left)
    {
        _lock.Enter();
        Array? taken = _top;
        left = _count - 1;
        if (taken is not null)
        {
            _top = null;
        }
        else if ((uint)left < (uint)_items.Length)
        {
            ref ArrayReference item = ref _items[left];
            taken = item.Value;
            item.Value = null;
        }

        if (taken is not null)
        {
            _rented += rents;
            SetLess(left);
        }

        _lock.Exit();
        left = Math.Max(0, left);
        return taken;
    }

    /// <summary>Takes up to as many buffers as there is room for; returns how many, and tells how many are left.</summary>
    internal int Take(Span<ArrayReference> into, out int left)
    {
        _lock.Enter();
        int taken = Math.Min(_count, into.Length);
        if (taken > 0)
        {
            int fromItems = taken;
            if (_top is not null)
            {
                into[--fromItems].Value = _top;
                _top = null;
            }

            Span<ArrayReference> last = _items.AsSpan(_count - taken, fromItems);
            last.CopyTo(into);
            last.Clear();
            SetLess(_count - taken);
        }

        left = _count;
        _lock.Exit();
        return taken;
    }

    /// <summary>Counts a rent or a return of a caller without a cache of the class, whose buffer came from or went elsewhere.</summary>
    internal void CountBypassing(int rents, int returns)
    {
        _lock.Enter();
        _rented += rents;
        _returned += returns;
        _lock.Exit();
    }

    /// <summary>Puts a buffer in, if there is room under the cap and it is not the most recently returned one.</summary>
    /// <param name="array">The buffer.</param>
    /// <param name="returns">1 to count a return of a caller without a cache of the class.</param>
    internal Placing TryPut(Array array, int returns = 0)
    {
        _lock.Enter();
        int count = _count;
        bool hasGrown = false;
        Placing placing = Placing.Kept;
        if (count < _places && _top is null)
        {
            _top = array;
            SetMore(count + 1);
        }
        else
        {
            placing = TryPutSlow(array, out hasGrown);
        }

        _returned += placing == Placing.Kept ? returns : 0;
        _lock.Exit();
        if (hasGrown)
        {
            shared.Wake();
        }

        return placing;
    }

    /// <summary>Puts buffers in, if there is room under the cap.</summary>
    /// <param name="buffers">The buffers.</param>
    /// <param name="room">The room that moves with them, in buffers. It stays the caller's if they are refused.</param>
    /// <param name="unused">
    /// Whether the buffers were idle elsewhere in this span of time, and so count as unused here until they are needed.
    /// </param>
    /// <param name="returned">A buffer being returned, which must not be the most recently returned one here; or null.</param>
    internal Placing TryPut(ReadOnlySpan<ArrayReference> buffers, int room = 0, bool unused = false, Array? returned = null)
    {
        _lock.Enter();
        int count = _count + buffers.Length;
        int spare = 0;
        bool hasGrown = false;
        Placing placing = Placing.ReturnedTwice;
        if (returned is null || _top != returned)
        {
            // Room that the buffers do not need goes back. As unused places it would fill up the cap.
            spare = Math.Max(0, _places + room - Math.Max(_places, count));
            _places += room - spare;
            placing = TryMakePlaces(count, out hasGrown) ? Placing.Kept : Placing.NoRoom;
        }

        if (placing == Placing.Kept)
        {
            StackTop();
            buffers.CopyTo(_items.AsSpan(_count));
            SetMore(count);
            _least += unused ? buffers.Length : 0;
        }
        else if (placing == Placing.NoRoom)
        {
            _places -= room - spare;
            spare = 0;
        }

        _lock.Exit();
        Release(spare);
        if (hasGrown)
        {
            shared.Wake();
        }

        return placing;
    }

    /// <summary>
    /// Gives up to <paramref name="most"/> buffers to the collector with their places, the oldest first, and returns the number.
    /// </summary>
    /// <param name="most">The number.</param>
    /// <param name="trimmed">Counts the buffers.</param>
    /// <param name="onlyUnused">Whether to keep the buffers that some thread needed in this span of time or the one before.</param>
    internal int Evict(long most, ref TrimCount trimmed, bool onlyUnused = false)
    {
        int evicted;
        using (_lock.Hold())
        {
            evicted = RemoveOldest(Math.Min(most, onlyUnused ? UnusedCount : _count), ref trimmed);
        }

        Release(evicted);
        return evicted;
    }

    /// <summary>Gives back up to <paramref name="most"/> empty places, and returns the number.</summary>
    internal int GiveUpPlaces(long most)
    {
        int empty;
        using (_lock.Hold())
        {
            empty = RemovePlaces(most);
        }

        Release(empty);
        return empty;
    }

    /// <summary>Ends a span of time, and gives up the buffers and places that were not used in it or in the one before.</summary>
    /// <remarks>
    /// All of it happens under the lock. A visit between the steps would be judged by one of them and not by the other.
    /// </remarks>
    internal void Turn(ref TrimCount trimmed)
    {
        int released;
        using (_lock.Hold())
        {
            released = RemoveOldest(UnusedCount, ref trimmed);
            released += RemovePlaces(_places - Math.Max(_most, _mostBefore));
            _leastBefore = _least;
            _least = _count;
            _mostBefore = _most;
            _most = _count;
        }

        Release(released);
    }

    /// <summary>Checks the equations above, and that the stack has no gaps. For tests, while no other thread uses the pool.</summary>
    internal void Validate()
    {
        int stacked = _count - (_top is null ? 0 : 1);
        Throw.UnlessHolds(_count <= _places, "a depot has a place for each of its buffers");
        Throw.UnlessHolds(_places <= _items.Length, "a depot's table has a slot for each place");
        Throw.UnlessHolds(_items.Take(stacked).All(static item => item.Value is not null), "a depot's stack has no gaps");
        Throw.UnlessHolds(_items.Skip(stacked).All(static item => item.Value is null), "a depot keeps no taken buffer");
    }

    /// <summary>
    /// The slow path of <see cref="TryPut(Array, int)"/>: stacks the top, makes a place, or refuses. The caller holds the lock.
    /// </summary>
    private Placing TryPutSlow(Array array, out bool hasGrown)
    {
        int count = _count;
        hasGrown = false;
        if (_top == array)
        {
            return Placing.ReturnedTwice;
        }

        if (!TryMakePlaces(count + 1, out hasGrown))
        {
            return Placing.NoRoom;
        }

        StackTop();
        _top = array;
        SetMore(count + 1);
        return Placing.Kept;
    }

    /// <summary>Moves the top to the other buffers. The table has a slot for it.</summary>
    private void StackTop()
    {
        if (_top is not null)
        {
            _items[_count - 1].Value = _top;
            _top = null;
        }
    }

    /// <summary>
    /// Removes up to as many of the oldest buffers, and their places, and returns the number. These are the unused ones, so they must not
    /// be counted again. The caller holds the lock.
    /// </summary>
    private int RemoveOldest(long most, ref TrimCount trimmed)
    {
        int count = (int)Math.Min(_count, most);
        if (count <= 0)
        {
            return 0;
        }

        StackTop();
        shared.GiveUp(_items.AsSpan(0, count), ref trimmed);
        int left = _count - count;
        Array.Copy(_items, count, _items, 0, left);
        Array.Clear(_items, left, count);
        _least -= count;
        _leastBefore -= count;
        _most -= count;
        _mostBefore -= count;
        _places -= count;
        Volatile.Write(ref _count, left);
        ShrinkTable();
        return count;
    }

    /// <summary>Removes up to as many of the empty places, and returns the number. The caller holds the lock.</summary>
    private int RemovePlaces(long most)
    {
        int empty = (int)Math.Max(0, Math.Min(_places - _count, most));
        _places -= empty;
        StackTop();
        ShrinkTable();
        return empty;
    }

    /// <summary>The table of a burst must not stay behind when its places are gone, unless there is no memory for a shorter one.</summary>
    private void ShrinkTable()
    {
        if (_items.Length > ShortestTable && _places <= _items.Length / 4 && ArrayReference.TryMake(_places) is { } shorter)
        {
            Array.Copy(_items, shorter, _count);
            _items = shorter;
        }
    }

    /// <summary>Gives room back. All threads share the cache line of the budget's counter, so it is left alone without need.</summary>
    private void Release(int places)
    {
        if (places > 0)
        {
            shared.Release(places);
        }
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

    /// <summary>
    /// Makes places for this number of buffers, each with a slot in the table. Returns false, with nothing changed, if that fails.
    /// </summary>
    /// <param name="count">The buffers.</param>
    /// <param name="hasGrown">Whether room was granted. The caller wakes the clock after it released the lock.</param>
    private bool TryMakePlaces(int count, out bool hasGrown)
    {
        hasGrown = false;
        if (count > _items.Length)
        {
            if (ArrayReference.TryMake(Math.Max(count, Math.Max(ShortestTable, _items.Length * 2))) is not { } longer)
            {
                return false;
            }

            _items.CopyTo(longer, 0);
            _items = longer;
        }

        if (count > _places)
        {
            if (!shared.TryReserve(count - _places))
            {
                return false;
            }

            _places = count;
            hasGrown = true;
        }

        return true;
    }
}
