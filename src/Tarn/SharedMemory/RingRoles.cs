namespace Tarn;

/// <summary>
/// The two roles of a ring as one side sees them: it takes and gives up its own, and finds out whether the process in the other one runs.
/// </summary>
/// <remarks>
/// <para>Where the region has seats, the seat is the role: whoever has it is the writer or the reader, and runs. The word in the header
/// only names the process, for messages and to tell one holder from the next.</para>
/// <para>Elsewhere the word is the role: one compare-and-swap takes it. Its holder runs if a process of that id and start time does, as
/// long as all processes that use the ring have ids of one namespace.</para>
/// <para>For one thread at a time, except <see cref="ProcessId"/>.</para>
/// </remarks>
internal sealed unsafe class RingRoles
{
    private readonly SharedRegion _region;
    private readonly RingHeader* _header;
    private readonly ulong* _role;
    private readonly ulong* _otherRole;
    private readonly uint* _attachments;
    private readonly uint* _otherAttachments;
    private readonly int _seat;
    private readonly int _otherSeat;

    /// <param name="region">The ring's region.</param>
    /// <param name="header">Its header, mapped while the roles are in use.</param>
    /// <param name="isWriter">Which side.</param>
    internal RingRoles(SharedRegion region, RingHeader* header, bool isWriter)
    {
        _region = region;
        _header = header;
        _role = isWriter ? &header->Writer : &header->Reader;
        _otherRole = isWriter ? &header->Reader : &header->Writer;
        _attachments = isWriter ? &header->Writers : &header->Readers;
        _otherAttachments = isWriter ? &header->Readers : &header->Writers;
        (_seat, _otherSeat) = isWriter ? (RegionSeat.Writer, RegionSeat.Reader) : (RegionSeat.Reader, RegionSeat.Writer);
    }

    /// <summary>The process in this side's role, unless it is known to be gone; otherwise 0.</summary>
    internal int ProcessId =>
        new RingRole(Volatile.Read(ref *_role)) is { IsNobody: false, HasLeft: false } role && StateOf(role, _seat) != HolderState.Gone
            ? role.Process.Id
            : 0;

    /// <summary>The other side. Reads the count first: if the role changes in between, a loss is reported twice, not never.</summary>
    internal RingPeer Other
    {
        get
        {
            uint attachment = Volatile.Read(ref *_otherAttachments);
            return new RingPeer(new RingRole(Volatile.Read(ref *_otherRole)), attachment);
        }
    }

    /// <summary>Takes this side's role.</summary>
    /// <returns>Null if it did; else the process that has the role, or may have it.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    internal (RingRole Holder, HolderState State)? TryTake()
    {
        NoteThisProcess();
        bool isSeated = _region.Seats is { } seats && seats.TryTake(_seat);
        if (_region.Seats is not null && !isSeated)
        {
            return (new RingRole(Volatile.Read(ref *_role)), HolderState.Running);
        }

        while (true)
        {
            RingRole present = new(Volatile.Read(ref *_role));
            HolderState state = present.IsNobody || present.HasLeft ? HolderState.Gone
                : isSeated && !HasManyKernels ? HolderState.Gone
                : StateOf(present, _seat);
            if (state != HolderState.Gone)
            {
                _region.Seats?.Leave(_seat);
                return (present, state);
            }

            if (Interlocked.CompareExchange(ref *_role, RingRole.Mine.Value, present.Value) == present.Value)
            {
                Interlocked.Increment(ref *_attachments);
                return null;
            }
        }
    }

    /// <summary>Gives up this side's role, which this object has.</summary>
    internal void GiveUp()
    {
        Interlocked.CompareExchange(ref *_role, RingRole.Mine.WhenLeft.Value, RingRole.Mine.Value);
        _region.Seats?.Leave(_seat);
    }

    /// <summary>Whether the process at the other side runs. Slow: it asks the system.</summary>
    internal HolderState StateOf(RingPeer other) => other.Role.HasLeft ? HolderState.Gone : StateOf(other.Role, _otherSeat);

    private bool HasManyKernels => Volatile.Read(ref _header->HasManyKernels) != 0;

    private HolderState StateOf(RingRole role, int seat)
    {
        if (HasManyKernels || (_region.HasSeats && _region.Seats is null))
        {
            return HolderState.Unknown;
        }

        return _region.Seats is { } seats
            ? seats.IsTaken(seat) ? HolderState.Running : HolderState.Gone
            : role.Process.StateIn(isLocal: Volatile.Read(ref _header->Namespace) == ProcessIdentity.Namespace);
    }

    /// <summary>Processes that cannot see each other note this in the ring, and from then on none draws conclusions.</summary>
    private void NoteThisProcess()
    {
        if (!_region.IsOfThisKernel || (_region.HasSeats && _region.Seats is null))
        {
            Volatile.Write(ref _header->HasManyKernels, 1);
        }

        if (!_region.HasSeats)
        {
            uint before = Interlocked.CompareExchange(ref _header->Namespace, ProcessIdentity.Namespace, 0);
            if (before != 0 && before != ProcessIdentity.Namespace)
            {
                Volatile.Write(ref _header->Namespace, RingHeader.ManyNamespaces);
            }
        }
    }
}
