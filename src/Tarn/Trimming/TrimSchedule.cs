namespace Tarn;

/// <summary>One source's times: how long memory may lie idle in it, how often the clock looks in, and whether it does so now.</summary>
/// <remarks>
/// <para>A source is awake while the clock ticks it. Code that begins to keep memory calls <see cref="Wake"/>, on its slow path; a tick
/// that finds nothing kept puts the source to sleep. A sleeping source would keep its memory forever, so each side publishes its own step
/// before it reads the other's:</para>
/// <para>Code that keeps memory records that by an interlocked operation or under a lock that it leaves, which are fences, or under a lock
/// that the tick takes to look. Then it reads whether the source is awake. The tick marks the source asleep, fences, and only then looks a
/// last time for kept memory. So one finds the source asleep, or the other finds the memory. If both do, an exchange lets one of them wake
/// the source.</para>
/// <para>All members are safe to call from any thread, but ticks come one at a time.</para>
/// </remarks>
internal sealed class TrimSchedule(ITrimmable source, TrimClock clock, TimeSpan idleTimeout)
{
    /// <summary>However long memory may idle, memory pressure and threads that ended are looked at this often.</summary>
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromSeconds(15);

    private int _awake;

    /// <summary>The clock that ticks the source while it is awake.</summary>
    internal TrimClock Clock { get; } = clock;

    /// <summary>The greatest time span when memory does not age.</summary>
    internal TimeSpan IdleTimeout { get; } = idleTimeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : idleTimeout;

    /// <summary>Ticks are coming. While it sleeps nobody keeps the time.</summary>
    internal bool IsAwake => Volatile.Read(ref _awake) != 0;

    /// <summary>Time since the clock was made.</summary>
    internal TimeSpan Now => Clock.Now;

    /// <summary>How often ticks come.</summary>
    internal TimeSpan Period => IdleTimeout / 4 < s_longestPeriod ? IdleTimeout / 4 : s_longestPeriod;

    /// <summary>
    /// How long memory may have lain idle at this tick. While memory is scarce, whatever was not touched since the last tick goes; what is
    /// in use stays, or every call would ask for memory anew.
    /// </summary>
    internal TimeSpan PatienceAt(TrimOccasion occasion) => occasion.MemoryIsScarce ? Period : IdleTimeout;

    /// <summary>
    /// Something is kept from now on: the clock looks after it. Where there is no memory to say so to the clock, the source sleeps on until
    /// something more is kept.
    /// </summary>
    internal void Wake()
    {
        if (!IsAwake && TryWake())
        {
            try
            {
                Clock.Wake(source, Period);
            }
            catch (OutOfMemoryException)
            {
                // Who keeps memory may be giving back a buffer, which does not fail for that.
                Volatile.Write(ref _awake, 0);
            }
        }
    }

    /// <summary>Ends a tick: the source sleeps from now on unless <paramref name="keepsMemory"/> says otherwise.</summary>
    /// <returns>What <see cref="ITrimmable.OnTick"/> is to return: whether ticks go on.</returns>
    internal bool StayAwakeIf(Func<bool> keepsMemory)
    {
        if (keepsMemory())
        {
            return true;
        }

        Volatile.Write(ref _awake, 0);
        Interlocked.MemoryBarrier();
        return keepsMemory() && TryWake();
    }

    private bool TryWake() => Interlocked.Exchange(ref _awake, 1) == 0;
}
