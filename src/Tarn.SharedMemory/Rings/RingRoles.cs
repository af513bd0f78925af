namespace Tarn.SharedMemory;

/// <summary>
/// The two roles of a ring as one side sees them: it takes and gives up its own, and finds out whether the process in the other one runs.
/// </summary>
/// <remarks>For one thread at a time, except <see cref="ProcessId"/>.</remarks>
internal sealed unsafe class RingRoles
{
    private readonly RegionRole _role;
    private readonly RegionRole _otherRole;
    private readonly uint* _attachments;
    private readonly uint* _otherAttachments;

    /// <param name="region">The ring's region.</param>
    /// <param name="header">Its header, mapped while the roles are in use.</param>
    /// <param name="isWriter">Which side.</param>
    internal RingRoles(SharedRegion region, RingHeader* header, bool isWriter)
    {
        RegionSharers sharers = new(region, &header->Namespace, &header->HasManyKernels);
        RegionRole writer = new(sharers, &header->Writer, RegionSeat.Writer);
        RegionRole reader = new(sharers, &header->Reader, RegionSeat.Reader);
        (_role, _otherRole) = isWriter ? (writer, reader) : (reader, writer);
        _attachments = isWriter ? &header->Writers : &header->Readers;
        _otherAttachments = isWriter ? &header->Readers : &header->Writers;
    }

    /// <inheritdoc cref="RegionRole.ProcessId"/>
    internal int ProcessId => _role.ProcessId;

    /// <summary>The other side. Reads the count first: if the role changes in between, a loss is reported twice, not never.</summary>
    internal RingPeer Other
    {
        get
        {
            uint attachment = Volatile.Read(ref *_otherAttachments);
            return new RingPeer(_otherRole.Holder, attachment);
        }
    }

    /// <summary>Takes this side's role.</summary>
    /// <inheritdoc cref="RegionRole.TryTake"/>
    internal (RoleHolder Holder, HolderState State)? TryTake()
    {
        (RoleHolder Holder, HolderState State)? taken = _role.TryTake();
        if (taken is null)
        {
            Interlocked.Increment(ref *_attachments);
        }

        return taken;
    }

    /// <summary>Gives up this side's role, which this object has.</summary>
    internal void GiveUp() => _role.GiveUp();

    /// <summary>Whether the process at the other side runs. Slow: it asks the system.</summary>
    internal HolderState StateOf(RingPeer other) => other.Role.HasLeft ? HolderState.Gone : _otherRole.StateOf(other.Role);
}
