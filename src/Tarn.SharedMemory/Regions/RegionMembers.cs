namespace Tarn.SharedMemory;

/// <summary>
/// The members of a queue, each of which is an object that has it open, or the readers of a topic that hold its writer back. A member has a
/// number, which stands with what it has begun.
/// </summary>
/// <remarks>
/// A member's number is a role (<see cref="RegionRole"/>). Whoever finds that its process is gone takes the role, ends what that process
/// left, and gives the role up. If it is gone itself before the end, the next one begins anew. So what names a member is always that of a
/// process that runs, or of one that is found.
/// </remarks>
internal sealed unsafe class RegionMembers
{
    private readonly RegionSharers _sharers;
    private readonly ulong* _words;

    /// <summary>The member at which to look next.</summary>
    private uint _next;

    /// <param name="sharers">Whether the processes can see each other.</param>
    /// <param name="words">The processes of the members, each as a <see cref="RoleHolder"/>, mapped while the members are in use.</param>
    internal RegionMembers(RegionSharers sharers, ulong* words)
    {
        _sharers = sharers;
        _words = words;
    }

    /// <summary>The members whose processes are not known to be gone. Slow: it asks the system.</summary>
    internal int Count
    {
        get
        {
            int count = 0;
            for (int member = 0; member < RegionHeader.MostMembers; member++)
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
        for (int member = 0; member < RegionHeader.MostMembers; member++)
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
    internal void Look(int? awaited, IMemberWork work)
    {
        if (awaited is { } member and < RegionHeader.MostMembers)
        {
            EndIfGone(member, work);
        }

        for (int i = 0; i < RegionHeader.MostMembers; i++)
        {
            int next = (int)(Interlocked.Increment(ref _next) % RegionHeader.MostMembers);
            if (RoleOf(next).Holder is { IsNobody: false, HasLeft: false })
            {
                EndIfGone(next, work);
                return;
            }
        }
    }

    private void EndIfGone(int member, IMemberWork work)
    {
        RegionRole role = RoleOf(member);
        if (role.TryTake() is null)
        {
            work.EndAllOf(member);
            role.GiveUp();
        }
    }

    private RegionRole RoleOf(int member) => new(_sharers, _words + member, RegionSeat.Member + member);
}
