namespace Tarn.SharedMemory;

/// <summary>A role that one process at a time has in a region: the writer or the reader of a ring, a member of a queue.</summary>
/// <remarks>
/// <para>Where the region has seats, the seat is the role: whoever has it, runs. The word in the header only names the process, for
/// messages and to tell one holder from the next.</para>
/// <para>Elsewhere the word is the role: one compare-and-swap takes it. Its holder runs if a process of that id and start time does, as
/// long as all processes that use the region have ids of one namespace.</para>
/// </remarks>
/// <param name="sharers">Whether the processes can see each other.</param>
/// <param name="word">The role's word, mapped while the role is in use.</param>
/// <param name="seat">Its seat.</param>
internal readonly unsafe struct RegionRole(RegionSharers sharers, ulong* word, int seat)
{
    /// <summary>The process that has or had the role.</summary>
    internal RoleHolder Holder => new(Volatile.Read(ref *word));

    /// <summary>The process in the role, unless it is known to be gone; otherwise 0.</summary>
    internal int ProcessId =>
        Holder is { IsNobody: false, HasLeft: false } holder && StateOf(holder) != HolderState.Gone ? holder.Process.Id : 0;

    /// <summary>Takes the role.</summary>
    /// <returns>Null if it did; else the process that has the role, or may have it.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    internal (RoleHolder Holder, HolderState State)? TryTake()
    {
        FileSeats? seats = sharers.Region.Seats;
        sharers.NoteThisProcess();
        bool isSeated = seats is not null && seats.TryTake(seat);
        if (seats is not null && !isSeated)
        {
            return (Holder, HolderState.Running);
        }

        while (true)
        {
            RoleHolder present = Holder;
            HolderState state = present.IsNobody || present.HasLeft ? HolderState.Gone
                : isSeated && !sharers.HasManyKernels ? HolderState.Gone
                : StateOf(present);
            if (state != HolderState.Gone)
            {
                seats?.Leave(seat);
                return (present, state);
            }

            if (Interlocked.CompareExchange(ref *word, RoleHolder.Mine.Value, present.Value) == present.Value)
            {
                return null;
            }
        }
    }

    /// <summary>Gives up the role, which this process has.</summary>
    internal void GiveUp()
    {
        Interlocked.CompareExchange(ref *word, RoleHolder.Mine.WhenLeft.Value, RoleHolder.Mine.Value);
        sharers.Region.Seats?.Leave(seat);
    }

    /// <summary>Whether a process that had the role runs and has it. Slow: it asks the system.</summary>
    internal HolderState StateOf(RoleHolder holder)
    {
        if (sharers.HasManyKernels || (sharers.Region.HasSeats && sharers.Region.Seats is null))
        {
            return HolderState.Unknown;
        }

        return sharers.Region.Seats is { } seats
            ? seats.IsTaken(seat) ? HolderState.Running : HolderState.Gone
            : holder.Process.StateIn(sharers.AreLocal);
    }
}
