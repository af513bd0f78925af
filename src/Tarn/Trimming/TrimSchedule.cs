namespace Tarn;

/// <summary>
/// The schedule of one source: how long its memory may be idle, how often the clock ticks it, and whether the clock ticks it now.
/// </summary>
/// <remarks>
/// <para>A source is awake while the clock ticks it. Code that begins to keep memory calls <see cref="Wake"/> on its slow path. A tick that
/// finds nothing kept puts the source to sleep. A source that slept with memory would keep it forever, so each side publishes its own step
/// before it reads the other's:</para>
/// <para>Code that keeps memory first keeps it, and only then reads whether the source is awake. The tick marks the source asleep, fences
/// every processor, and only then looks a last time for kept memory. So either the code finds the source asleep, or the tick finds the
/// memory. If both do, an exchange lets one of them wake the source. The tick's fence is for both sides, because what a source keeps is
/// often recorded under a <see cref="ShortLock"/>, whose end is no fence.</para>
/// <para>All members are safe to call from any thread. Ticks come one at a time.</para>
/// </remarks>
internal sealed class TrimSchedule(ITrimmable source, TrimClock clock, TimeSpan idleTimeout)
{
    /// <summary>The longest time between checks for memory pressure and ended threads, however long memory may be idle.</summary>
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromSeconds(15);

    private int _awake;

    /// <summary>The clock that ticks the source while it is awake.</summary>
    internal TrimClock Clock { get; } = clock;

    /// <summary>How long memory may be idle; <see cref="TimeSpan.MaxValue"/> when memory does not age.</summary>
    internal TimeSpan IdleTimeout { get; } = idleTimeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : idleTimeout;

    /// <summary>Whether the clock ticks the source. While the source sleeps, nothing measures time.</summary>
    internal bool IsAwake => Volatile.Read(ref _awake) != 0;

    /// <summary>The time since the clock was created.</summary>
    internal TimeSpan Now => Clock.Now;

    /// <summary>The interval between ticks.</summary>
    internal TimeSpan Period => IdleTimeout / 4 < s_longestPeriod ? IdleTimeout / 4 : s_longestPeriod;

    /// <summary>
    /// How long memory may have been idle at this tick. While memory is scarce, everything untouched since the last tick goes. Memory in
    /// active use stays, because otherwise every call would have to allocate.
    /// </summary>
    internal TimeSpan PatienceAt(TrimOccasion occasion) => occasion.MemoryIsScarce ? Period : IdleTimeout;

    /// <summary>
    /// Starts the ticks, because the source now keeps memory. Where there is no memory to say so to the clock, the source sleeps on until
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
                // The caller may be returning a buffer, which must not fail because of this.
                Volatile.Write(ref _awake, 0);
            }
        }
    }

    /// <summary>
    /// Has other sources give up memory, if the process's budget alone refused <paramref name="bytes"/> to this one. Returns whether
    /// another try is worth while. The caller holds no lock.
    /// </summary>
    internal bool TryMakeRoom(MemoryBudget budget, long bytes, bool wereTaken = false) =>
        budget.IsRefusedByProcess(bytes) && Clock.Relief.TryMakeRoom(source, bytes, wereTaken);

    /// <summary>Ends a tick: puts the source to sleep unless <paramref name="keepsMemory"/> returns true.</summary>
    /// <returns>The result for <see cref="ITrimmable.OnTick"/>: whether ticks continue.</returns>
    internal bool StayAwakeIf(Func<bool> keepsMemory)
    {
        if (keepsMemory())
        {
            return true;
        }

        Volatile.Write(ref _awake, 0);
        Interlocked.MemoryBarrierProcessWide();
        return keepsMemory() && TryWake();
    }

    private bool TryWake() => Interlocked.Exchange(ref _awake, 1) == 0;
}
