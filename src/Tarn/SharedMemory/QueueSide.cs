namespace Tarn;

/// <summary>The writers or the readers of a queue in this process, as they wait.</summary>
/// <remarks>
/// Any number of threads may wait at one side, and so may other processes on the same words. So none clears the note that somebody sleeps,
/// except who wakes them all.
/// </remarks>
internal sealed unsafe class QueueSide(SharedQueue queue, bool isWriter, RingSleeper* sleeper, SharedSignal signal)
    : WaitingSide(sleeper, signal)
{
    private long _nextLook;

    /// <inheritdoc/>
    internal override void Leave() => queue.Calls.Leave();

    /// <inheritdoc/>
    internal override void NoteAwake()
    {
    }

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (queue.Calls.IsClosing)
        {
            throw new ObjectDisposedException(nameof(SharedQueue), $"The queue \"{queue.Name}\" was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
        LookIfTime();
    }

    /// <summary>Waits until something may have come.</summary>
    /// <returns>False if it is late.</returns>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool WaitUntil(long deadline, CancellationToken cancellationToken)
    {
        ThrowIfOver(0, 0, cancellationToken);
        long now = Environment.TickCount64;
        if (now >= deadline)
        {
            return false;
        }

        if (!TrySpin(0))
        {
            Sleep(0, (int)Math.Min(deadline - now, MillisecondsBetweenLooks), cancellationToken);
        }

        return true;
    }

    /// <summary>Waits, without a thread, until something may have come. The call is inside until the task ends.</summary>
    internal ValueTask<bool> WaitAsync(CancellationToken cancellationToken) => SleepAsync(0, cancellationToken);

    /// <summary>Looks for members whose processes are gone, ten times a second at most.</summary>
    internal void LookIfTime()
    {
        long now = Environment.TickCount64;
        long next = Volatile.Read(ref _nextLook);
        if (now >= next && Interlocked.CompareExchange(ref _nextLook, now + MillisecondsBetweenLooks, next) == next)
        {
            queue.Members.Look(isWriter ? queue.Slots.WritersWaitFor() : queue.Slots.ReadersWaitFor(), queue.Slots);
        }
    }

    /// <inheritdoc/>
    protected override bool HasCome(long limit) => isWriter ? queue.Slots.HasRoom() : queue.Slots.TryFind(out _, out _);

    /// <inheritdoc/>
    protected override bool MaySleep() => !queue.Calls.IsClosing;
}
