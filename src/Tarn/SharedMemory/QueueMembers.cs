namespace Tarn;

/// <summary>The members of a queue: each object that has it open is one. Its number stands in the slots that it claimed or took.</summary>
/// <remarks>
/// A member's number is a role (<see cref="RegionRole"/>). Whoever finds that its process is gone takes the role, ends what that process
/// left in the slots, and gives the role up. If it is gone itself before the end, the next one begins anew. So a slot that names a member
/// is always that of a process that runs, or of one that is found.
/// </remarks>
internal sealed unsafe class QueueMembers
{
    private readonly RegionSharers _sharers;
    private readonly ulong* _words;

    /// <summary>The member at which to look next.</summary>
    private uint _next;

    /// <param name="region">The queue's region.</param>
    /// <param name="header">Its header, mapped while the members are in use.</param>
    internal QueueMembers(SharedRegion region, QueueHeader* header)
    {
        _sharers = new RegionSharers(region, &header->Namespace, &header->HasManyKernels);
        _words = header->Members;
    }

    /// <summary>The members whose processes are not known to be gone. Slow: it asks the system.</summary>
    internal int Count
    {
        get
        {
            int count = 0;
            for (int member = 0; member < QueueHeader.MostMembers; member++)
            {
                count += RoleOf(member).ProcessId != 0 ? 1 : 0;
            }

            return count;
        }
    }

    /// <summary>Becomes a member; null if there are as many as there can be.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    internal int? Join()
    {
        for (int member = 0; member < QueueHeader.MostMembers; member++)
        {
            if (RoleOf(member).TryTake() is null)
            {
                return member;
            }
        }

        return null;
    }

    internal void Leave(int member) => RoleOf(member).GiveUp();

    /// <summary>
    /// Ends what members left whose processes are gone: of the one that others wait for, and of another one at each call.
    /// </summary>
    /// <exception cref="IOException">The system refuses.</exception>
    internal void Look(int? awaited, QueueSlots slots)
    {
        if (awaited is { } member and < QueueHeader.MostMembers)
        {
            EndIfGone(member, slots);
        }

        for (int i = 0; i < QueueHeader.MostMembers; i++)
        {
            int next = (int)(Interlocked.Increment(ref _next) % QueueHeader.MostMembers);
            if (RoleOf(next).Holder is { IsNobody: false, HasLeft: false })
            {
                EndIfGone(next, slots);
                return;
            }
        }
    }

    private void EndIfGone(int member, QueueSlots slots)
    {
        RegionRole role = RoleOf(member);
        if (role.TryTake() is null)
        {
            slots.EndAllOf(member);
            role.GiveUp();
        }
    }

    private RegionRole RoleOf(int member) => new(_sharers, _words + member, RegionSeat.Member + member);
}
