namespace Tarn.Native;

/// <summary>One size class of one heap in one thread's cache: the state behind the entry. Guarded by the section's lock.</summary>
/// <remarks>
/// <para>The magazine may hold as many blocks as the class has granted: <see cref="Room"/>. A thread that frees more gets twice as much, or
/// hands the older half over to the depot. A thread that finds no block takes half as many from the depot, else from the slabs. A thread
/// that goes one way only moves all of its room at a time (<see cref="ClassFlow"/>).</para>
/// <para>A miss: <see cref="TryTake"/>. A free without room: <see cref="Give"/>. Neither calls the system.</para>
/// </remarks>
internal sealed partial class BlockClassCache(HeapSection section, BlockClass shared)
{
    private ClassFlow _flow;
    private SectionBypass _bypass;

    /// <summary>Blocks handed out without a magazine, or through one that is gone.</summary>
    private long _rented;

    internal BlockClass Shared => shared;

    /// <summary>The section's lock, which guards this.</summary>
    internal ref ShortLock Sync => ref section.Sync;

    /// <summary>The thread's magazine; null before it has room.</summary>
    internal BlockMagazine? Loaded { get; private set; }

    /// <summary>Whether the magazine is out of the fast path's reach. Its owner may be in the middle of one last call.</summary>
    internal bool IsParked { get; private set; }

    /// <summary>Whether the magazine is parked and emptied as far as possible: see <see cref="TakeParked"/>.</summary>
    internal bool IsRest { get; private set; }

    internal TimeSpan ParkedAt { get; private set; }

    /// <summary>The granted room, in blocks.</summary>
    internal int Room { get; private set; }

    internal long RentedSoFar => _rented + (Loaded?.Pops ?? 0);

    internal int FreeCount => Loaded?.FreeCount ?? 0;

    /// <inheritdoc cref="SectionBypass.Next"/>
    internal bool BypassesSection() => _bypass.Next();

    /// <summary>Hands out a block without the section; 0 when a new slab is needed. For the owner, which alone counts.</summary>
    internal nint TakeBypassing()
    {
        nint block = 0;
        _rented += shared.Take(new Span<nint>(ref block));
        return block;
    }

    /// <summary>Hands out a block from any tier that has one; 0 when a new slab is needed.</summary>
    internal nint TryTake()
    {
        Unpark();
        nint block = Loaded?.TryPop() ?? 0;
        if (block == 0 && TryRefill())
        {
            block = Loaded!.TryPop();
        }

        return block != 0 || Room > 0 ? block : TakeBypassing();
    }

    /// <summary>Takes the blocks of a new slab and counts the last one as handed out.</summary>
    internal void Accept(ReadOnlySpan<nint> blocks)
    {
        _rented++;
        ReadOnlySpan<nint> others = blocks[..^1];
        Unpark();
        if (Loaded is { Count: 0 } loaded && others.Length <= Room)
        {
            others.CopyTo(loaded.Lowest(others.Length));
            loaded.Fill(others.Length);
        }
        else
        {
            shared.GiveToSlabs(others, TimeSpan.MinValue);
        }
    }

    /// <summary>Takes a block back, which goes on if the thread has no room for it.</summary>
    internal void Give(nint block, TimeSpan now)
    {
        Unpark();
        if (Loaded?.TryPush(block) != true && (!TryMakeRoom(now) || !Loaded!.TryPush(block)))
        {
            shared.GiveToDepot([block], now);
        }
    }

    /// <summary>Fills the empty magazine; false when there are no blocks or there is no room.</summary>
    private bool TryRefill()
    {
        bool isOneWay = _flow.NoteMiss();
        if (isOneWay || Room == 0)
        {
            TryGrow(isOneWay);
        }

        if (Room == 0)
        {
            return false;
        }

        Span<nint> items = Loaded!.Lowest(isOneWay ? Room : (Room + 1) / 2);
        int taken = shared.Take(items);
        items[^taken..].CopyTo(items);
        Loaded.Fill(taken);
        return taken > 0;
    }

    /// <summary>Makes room for one more block in the magazine; false when the thread may keep none.</summary>
    private bool TryMakeRoom(TimeSpan now)
    {
        bool isOneWay = _flow.NoteOverflow();
        if (TryGrow(isOneWay))
        {
            return true;
        }

        if (Room == 0)
        {
            return false;
        }

        int count = isOneWay ? Room : (Room + 1) / 2;
        shared.GiveToDepot(Loaded!.Stack[..count], now);
        Loaded.RemoveOldest(count);
        return true;
    }

    /// <summary>Doubles the room; false when it is the most already, no more is granted, or there is no memory for it.</summary>
    private bool TryGrow(bool isOneWay)
    {
        int wanted = shared.Room.After(Room, isOneWay);
        if (wanted <= Room || !shared.TryGrantRoom(Room, wanted))
        {
            _bypass.Note(isRefused: Room == 0);
            return false;
        }

        if (Loaded is null || wanted > Loaded.Slots)
        {
            if (BlockMagazine.TryCreate(wanted) is not { } larger)
            {
                shared.ReleaseRoom(wanted, Room);
                return false;
            }

            Loaded?.MoveTo(larger);
            Load(larger);
        }

        Room = wanted;
        Loaded!.Open(wanted);
        return true;
    }

    /// <summary>Gives up the room beyond <paramref name="room"/>.</summary>
    private void ShrinkTo(int room)
    {
        if (room < Room)
        {
            shared.ReleaseRoom(Room, room);
            Room = room;
        }
    }

    /// <summary>Replaces the magazine. For the owner.</summary>
    private void Load(BlockMagazine? magazine)
    {
        Loaded = magazine;
        IsParked = false;
        section.Publish(shared.Index, magazine);
    }
}
