namespace Tarn;

/// <summary>
/// How many blocks of a class one thread may keep: what it is granted, and what it could be. Guarded by the section's lock.
/// </summary>
/// <remarks>
/// <c>Granted</c> is at most the larger of what need not be earned (<see cref="BlockRoom"/>: a little, and what the class borrowed) and
/// what was earned (<see cref="RoomLimit"/>). It is granted by the class before it is filled.
/// </remarks>
internal sealed class ClassRoom(HeapSection section, BlockClass shared)
{
    private RoomLimit _earned;

    /// <summary>Blocks that the thread's allowance lent; they are the thread's again when what lies in the room is taken.</summary>
    private int _borrowed;

    /// <summary>Blocks handed out less those taken back, at the last overflow.</summary>
    private long _netAtOverflow;

    /// <summary>The same at the last miss, and all blocks handed out until then.</summary>
    private long _netAtMiss;
    private long _rentsAtMiss;

    /// <summary>Blocks taken at the last miss beside the one that was asked for; 0 after an overflow.</summary>
    private int _takenAtMiss;

    /// <summary>Blocks.</summary>
    internal int Granted { get; private set; }

    /// <summary>A grant was refused since this was last false: worth looking for what others do not need.</summary>
    internal bool WantsMore { get; set; }

    /// <summary>The blocks this thread may keep: those it needs not earn, or those it did.</summary>
    internal int Allowed(long cap) =>
        Math.Min(
            Math.Max(BlockRoom.UnearnedOf(shared.BlockSize, cap) + _borrowed, _earned.Value),
            2 * BlockRoom.MaxCapacityOf(shared.BlockSize));

    /// <summary>Those of one of its two magazines.</summary>
    internal int OfMagazine(long cap) => (Allowed(cap) + 1) / 2;

    /// <summary>An allocation found nothing, in a loaded magazine of <paramref name="capacity"/> blocks.</summary>
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

    /// <summary>At the miss, so many blocks were taken beside the one that was asked for.</summary>
    internal void OnTaken(int blocks) => _takenAtMiss = blocks;

    /// <summary>A free found no room.</summary>
    /// <remarks>
    /// What was taken at the last miss may have been handed out since without another one, so the climb is told to have gone that far,
    /// though never to more than twice what it was at the miss: a free may have come between.
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

    /// <summary>After an overflow blocks were handed over, and there is room for so many.</summary>
    internal void OnHandedOver(int room) => _earned.OnHandedOn(room);

    /// <summary>Has the class grant <paramref name="more"/> blocks, or nothing at all.</summary>
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

    /// <summary>Gives back what is granted beyond <paramref name="room"/>.</summary>
    internal void ShrinkTo(int room)
    {
        if (room < Granted)
        {
            shared.ReleaseRoom(Granted - room, isLast: room == 0);
            Granted = room;
        }
    }

    /// <summary>What was earned or borrowed was not used for long.</summary>
    internal void Forget()
    {
        _earned.Lower(0);
        section.LentBytes -= _borrowed * (long)shared.BlockSize;
        _borrowed = 0;
    }

    /// <summary>
    /// Doubles the room of a class if the thread's allowance can lend it. What comes and goes at random, or goes one way only, earns
    /// nothing, but is spared much of the slow path by it.
    /// </summary>
    private void Borrow(long cap)
    {
        section.LentBytes -= _borrowed * (long)shared.BlockSize;
        int wanted = _borrowed + Math.Max(1, Granted);
        _borrowed = Math.Max(_borrowed, Math.Min(wanted, BlockRoom.BorrowableOf(shared.BlockSize, section.LentBytes, cap)));
        section.LentBytes += _borrowed * (long)shared.BlockSize;
    }
}
