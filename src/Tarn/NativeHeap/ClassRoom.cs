namespace Tarn;

/// <summary>
/// How many blocks of a class one thread may keep: the room it is granted, and the room it could be granted. Guarded by the section's lock.
/// </summary>
/// <remarks>
/// <c>Granted</c> is at most the larger of the unearned room (<see cref="BlockRoom"/>: a little, plus the borrowed room) and the earned
/// room (<see cref="RoomLimit"/>). The class grants room before the thread fills it.
/// </remarks>
internal sealed class ClassRoom(HeapSection section, BlockClass shared)
{
    private RoomLimit _earned;

    /// <summary>Room, in blocks, lent by the thread's allowance. The allowance gets it back when the blocks in it are taken.</summary>
    private int _borrowed;

    /// <summary>Blocks handed out less blocks taken back, at the last overflow.</summary>
    private long _netAtOverflow;

    /// <summary>The same at the last miss, and all blocks handed out by then.</summary>
    private long _netAtMiss;
    private long _rentsAtMiss;

    /// <summary>Blocks taken at the last miss in addition to the requested one; 0 after an overflow.</summary>
    private int _takenAtMiss;

    /// <summary>The granted room, in blocks.</summary>
    internal int Granted { get; private set; }

    /// <summary>
    /// Whether a grant was refused since this was last false. If so, searching for room that other threads do not need is worthwhile.
    /// </summary>
    internal bool WantsMore { get; set; }

    /// <summary>The blocks this thread may keep: unearned or earned room, whichever is larger.</summary>
    internal int Allowed(long cap) =>
        Math.Min(
            Math.Max(BlockRoom.UnearnedOf(shared.BlockSize, cap) + _borrowed, _earned.Value),
            2 * BlockRoom.MaxCapacityOf(shared.BlockSize));

    /// <summary>The part of them in one of the thread's two magazines.</summary>
    internal int OfMagazine(long cap) => (Allowed(cap) + 1) / 2;

    /// <summary>Notes that an allocation found the loaded magazine of <paramref name="capacity"/> blocks empty.</summary>
    internal void OnMiss(long net, long rents, int capacity, long cap)
    {
        _earned.OnMiss(net, rents, isAlone: false);
        _netAtMiss = net;
        _rentsAtMiss = rents;
        if (capacity > 0 && OfMagazine(cap) <= capacity)
        {
            Borrow(cap);
        }
    }

    /// <summary>Notes how many blocks the miss took in addition to the requested one.</summary>
    internal void OnTaken(int blocks) => _takenAtMiss = blocks;

    /// <summary>Notes that a free found no room.</summary>
    /// <remarks>
    /// The blocks taken at the last miss may have been handed out since without another miss. So the climb counts as that much higher, but
    /// at most as twice its height at the miss, because a free may have come in between.
    /// </remarks>
    internal void OnOverflow(long net, long rents, long cap)
    {
        long further = Math.Min(Math.Min(_takenAtMiss, rents - _rentsAtMiss), _netAtMiss - _netAtOverflow);
        if (further > 0)
        {
            _earned.OnMiss(_netAtMiss + further, _rentsAtMiss + further, isAlone: false);
        }

        _takenAtMiss = 0;
        _netAtOverflow = net - 1;
        _earned.OnOverflow(net, rents);
        if (Allowed(cap) <= Granted)
        {
            Borrow(cap);
        }
    }

    /// <summary>Notes that blocks were handed over after an overflow, which left room for <paramref name="room"/> blocks.</summary>
    internal void OnHandedOver(int room) => _earned.OnHandedOn(room);

    /// <summary>Requests room for <paramref name="more"/> blocks from the class, all or nothing.</summary>
    internal bool TryGrant(int more)
    {
        if (!shared.TryGrantRoom(more, isFirst: Granted == 0))
        {
            WantsMore = true;
            return false;
        }

        Granted += more;
        return true;
    }

    /// <summary>Returns the granted room beyond <paramref name="room"/>.</summary>
    internal void ShrinkTo(int room)
    {
        if (room < Granted)
        {
            shared.ReleaseRoom(Granted - room, isLast: room == 0);
            Granted = room;
        }
    }

    /// <summary>Drops the earned and borrowed room, because it was unused for long.</summary>
    internal void Forget()
    {
        _earned.Lower(0);
        section.LentBytes -= _borrowed * (long)shared.BlockSize;
        _borrowed = 0;
    }

    /// <summary>
    /// Doubles the room of a class if the thread's allowance can lend it. Blocks that come and go at random, or in one direction only, earn
    /// no room; borrowing saves them many slow calls.
    /// </summary>
    private void Borrow(long cap)
    {
        section.LentBytes -= _borrowed * (long)shared.BlockSize;
        int wanted = _borrowed + Math.Max(1, Granted);
        _borrowed = Math.Max(_borrowed, Math.Min(wanted, BlockRoom.BorrowableOf(shared.BlockSize, section.LentBytes, cap)));
        section.LentBytes += _borrowed * (long)shared.BlockSize;
    }
}
