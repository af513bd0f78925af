using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>
/// One side of a ring, a queue or a topic as it waits: it spins while that pays, and then sleeps until another side wakes it. A thread
/// sleeps itself; for a task, a <see cref="TaskWaiter"/> does.
/// </summary>
/// <remarks>
/// A side that makes what this one waits for come publishes it with an interlocked operation, and then calls <see cref="WakeIfAsleep"/>.
/// </remarks>
internal abstract unsafe class WaitingSide
{
    private readonly Sleeper* _sleeper;
    private readonly SharedSignal _signal;
    private SpinHistory _spins;

    /// <summary>An ended wait, for the next one.</summary>
    private TaskWait? _spareWait;

    /// <param name="sleeper">Where this side notes that it sleeps.</param>
    /// <param name="signal">The word in it, on which it sleeps.</param>
    protected WaitingSide(Sleeper* sleeper, SharedSignal signal)
    {
        _sleeper = sleeper;
        _signal = signal;
    }

    /// <summary>The interval at which a waiting process checks that its peers still run. Tests change it.</summary>
    internal static int MillisecondsBetweenLooks { get; set; } = 100;

    /// <summary>How long a call waits for a process of which this one cannot see whether it runs. Tests change it.</summary>
    internal static int MillisecondsForUnknown { get; set; } = 30_000;

    /// <summary>Whether a task goes on on the thread that waited for it, and not by the thread pool.</summary>
    internal virtual bool GoesOnInline => false;

    /// <summary>
    /// Whether what the wait is for has come. If not, this side has noted that it sleeps, and is to do so on the value of the word.
    /// </summary>
    /// <inheritdoc cref="ThrowIfOver" path="/exception"/>
    internal bool HasCome(long limit, long start, CancellationToken cancellationToken, out uint seen)
    {
        while (true)
        {
            if (HasCome(limit))
            {
                seen = 0;
                return true;
            }

            if (TryNoteSleep(limit, cancellationToken, out seen))
            {
                return false;
            }

            NoteAwake();
            ThrowIfOver(limit, start, cancellationToken);
        }
    }

    /// <summary>Throws what ends a wait other than that for which it waits.</summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">This side was closed during the wait.</exception>
    /// <exception cref="SharedPeerLostException">The process at the other side has exited, and no call has reported that.</exception>
    /// <exception cref="TimeoutException">For long, nobody knows whether the process at the other side runs.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    internal abstract void ThrowIfOver(long limit, long start, CancellationToken cancellationToken);

    /// <summary>Notes that this side sleeps no more.</summary>
    internal virtual void NoteAwake() => Volatile.Write(ref _sleeper->IsAsleep, 0);

    /// <summary>Ends a call.</summary>
    internal abstract void Leave();

    /// <summary>Takes a wait whose result was fetched.</summary>
    internal void Spare(TaskWait wait) => Volatile.Write(ref _spareWait, wait);

    internal void WakeThis() => Wake(_sleeper, _signal);

    /// <summary>Whether what the wait is for has come.</summary>
    /// <param name="limit">How far the wait is to come, if that is a number.</param>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    protected abstract bool HasCome(long limit);

    /// <summary>Whether no reason has come to end the wait otherwise. A cancellation is none of this method's.</summary>
    protected abstract bool MaySleep();

    /// <summary>Wakes those that sleep, if any does. An interlocked operation has published what they wait for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void WakeIfAsleep(Sleeper* sleeper, SharedSignal signal)
    {
        if (Volatile.Read(ref sleeper->IsAsleep) != 0)
        {
            Wake(sleeper, signal);
        }
    }

    internal static void Wake(Sleeper* sleeper, SharedSignal signal)
    {
        Volatile.Write(ref sleeper->IsAsleep, 0);
        uint changed = Interlocked.Increment(ref sleeper->Signal) - 1;
        signal.Wake(changed);
    }

    /// <summary>Not on one processor, where no other side can move meanwhile.</summary>
    protected bool TrySpin(long limit)
    {
        // Nothing is learned from what came before the first spin: the other side may have moved because it took this processor.
        bool hasCome = HasCome(limit);
        if (hasCome || Environment.ProcessorCount == 1)
        {
            return hasCome;
        }

        for (int i = _spins.Next; i > 0 && !hasCome; i--)
        {
            Thread.SpinWait(1);
            hasCome = HasCome(limit);
        }

        _spins.Note(hasCome);
        return hasCome;
    }

    /// <summary>Waits, unless it is late, until what the wait is for may have come.</summary>
    /// <param name="limit">How far the wait is to come, if that is a number.</param>
    /// <param name="deadline">When it is late.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if it is late.</returns>
    /// <inheritdoc cref="ThrowIfOver" path="/exception"/>
    protected bool TryWait(long limit, long deadline, CancellationToken cancellationToken)
    {
        ThrowIfOver(limit, 0, cancellationToken);
        long now = Environment.TickCount64;
        if (now >= deadline)
        {
            return false;
        }

        if (!TrySpin(limit))
        {
            Sleep(limit, (int)Math.Min(deadline - now, MillisecondsBetweenLooks), cancellationToken);
        }

        return true;
    }

    protected void Sleep(long limit, int milliseconds, CancellationToken cancellationToken)
    {
        using (cancellationToken.UnsafeRegister(static side => ((WaitingSide)side!).WakeThis(), this))
        {
            if (TryNoteSleep(limit, cancellationToken, out uint seen))
            {
                _signal.Wait(seen, milliseconds);
            }
        }

        NoteAwake();
    }

    /// <summary>Waits without a thread. The call is inside this side until the task ends.</summary>
    protected ValueTask SleepAsync(long limit, CancellationToken cancellationToken)
    {
        try
        {
            if (!TrySpin(limit))
            {
                return (Interlocked.Exchange(ref _spareWait, null) ?? new TaskWait(this, _signal)).Begin(limit, cancellationToken);
            }

            Leave();
            return ValueTask.CompletedTask;
        }
#pragma warning disable CA1031 // it is the caller's
        catch (Exception e)
#pragma warning restore CA1031
        {
            Leave();
            return e is OperationCanceledException ? ValueTask.FromCanceled(cancellationToken) : ValueTask.FromException(e);
        }
    }

    /// <summary>Notes that this side sleeps, unless there is a reason not to sleep.</summary>
    private bool TryNoteSleep(long limit, CancellationToken cancellationToken, out uint seen)
    {
        // This order loses no wake: see SharedSignal. The waker resets IsAsleep, so each sleep gets one wake.
        seen = Volatile.Read(ref _sleeper->Signal);
        Interlocked.Exchange(ref _sleeper->IsAsleep, 1);
        return !HasCome(limit) && MaySleep() && !cancellationToken.IsCancellationRequested;
    }
}
