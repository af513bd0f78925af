namespace Tarn;

/// <content>The wait for the other side: of a thread, and of a task, for which a <see cref="RingWaiter"/> sleeps.</content>
internal abstract unsafe partial class RingSide
{
    private SpinHistory _spins;
    private long _nextLook;

    /// <summary>An ended wait, for the next one.</summary>
    private RingWait? _spareWait;

    /// <summary>The interval at which a waiting process checks that its peer still runs. Tests change it.</summary>
    internal static int MillisecondsBetweenLooks { get; set; } = 100;

    /// <summary>How long a call waits for a process of which this one cannot see whether it runs. Tests change it.</summary>
    internal static int MillisecondsForUnknown { get; set; } = 30_000;

    /// <summary>Waits, without a thread, until <see cref="Limit"/> is <paramref name="size"/> bytes past the position.</summary>
    /// <param name="size">Bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True, or what <see cref="WaitFor"/> throws. The call is inside this side until the task ends.</returns>
    /// <exception cref="InvalidOperationException">The role is taken.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    internal ValueTask<bool> WaitForAsync(int size, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<bool>(cancellationToken);
        }

        Enter();
        if (Limit - Position < size)
        {
            Refresh();
            if (Limit - Position < size)
            {
                return SleepAsync(Position + size, cancellationToken);
            }
        }

        Leave();
        return new ValueTask<bool>(true);
    }

    /// <summary>
    /// Whether the other side has moved to the limit. If not, this side has noted that it sleeps, and is to do so on the value of the word.
    /// </summary>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed during the wait.</exception>
    /// <exception cref="SharedPeerLostException">The process at the other side has exited, and no call has reported that.</exception>
    /// <exception cref="TimeoutException">For long, nobody knows whether the process at the other side runs.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    internal bool HasCome(long limit, long start, CancellationToken cancellationToken, out uint seen)
    {
        while (true)
        {
            Limit = ReadLimit();
            if (Limit >= limit)
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

    /// <summary>Notes that this side sleeps no more.</summary>
    internal void NoteAwake() => Volatile.Write(ref _sleeper->IsAsleep, 0);

    /// <summary>Throws what ends a wait other than the other side's move: see <see cref="WaitFor"/>.</summary>
    internal void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _isClosing))
        {
            throw new ObjectDisposedException(nameof(SharedRing), $"The ring \"{Ring.Name}\" was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
        RingPeer other = _roles.Other;
        if (!other.Role.IsNobody)
        {
            LookAt(other, limit, start);
        }
    }

    /// <summary>Takes a wait whose result was fetched.</summary>
    internal void Spare(RingWait wait) => Volatile.Write(ref _spareWait, wait);

    /// <summary>Waits until <see cref="Limit"/> is <paramref name="size"/> bytes past the position. Ends the call if it throws.</summary>
    /// <param name="size">Bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed during the wait.</exception>
    /// <exception cref="SharedPeerLostException">The process at the other side has exited, and no call has reported that.</exception>
    /// <exception cref="TimeoutException">For long, nobody knows whether the process at the other side runs.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    protected void WaitFor(int size, CancellationToken cancellationToken)
    {
        try
        {
            long start = Environment.TickCount64;
            while ((Limit = ReadLimit()) - Position < size)
            {
                Wait(Position + size, start, cancellationToken);
            }
        }
        catch
        {
            Leave();
            throw;
        }
    }

    /// <summary>Waits until the other side may have moved.</summary>
    private void Wait(long limit, long start, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (TrySpin(limit))
        {
            return;
        }

        Sleep(limit, cancellationToken);
        ThrowIfOver(limit, start, cancellationToken);
    }

    private ValueTask<bool> SleepAsync(long limit, CancellationToken cancellationToken)
    {
        try
        {
            if (!TrySpin(limit))
            {
                return (Interlocked.Exchange(ref _spareWait, null) ?? new RingWait(this, _signal)).Begin(limit, cancellationToken);
            }

            Limit = ReadLimit();
            Leave();
            return new ValueTask<bool>(true);
        }
#pragma warning disable CA1031 // it is the caller's
        catch (Exception e)
#pragma warning restore CA1031
        {
            Leave();
            return e is OperationCanceledException
                ? ValueTask.FromCanceled<bool>(cancellationToken)
                : ValueTask.FromException<bool>(e);
        }
    }

    /// <summary>Ends the wait if the process at the other side is gone. Asks the system only at intervals, because that is slow.</summary>
    private void LookAt(RingPeer other, long limit, long start)
    {
        bool isReported = other == _reported || Ring.AwaitsSuccessor;
        long now = Environment.TickCount64;
        bool isTime = now >= _nextLook;
        if (!isTime && (isReported || !other.Role.HasLeft))
        {
            return;
        }

        _nextLook = now + MillisecondsBetweenLooks;
        HolderState state = _roles.StateOf(other);
        if (state == HolderState.Running || ReadLimit() >= limit)
        {
            return;
        }

        if (state == HolderState.Unknown)
        {
            if (now - start >= MillisecondsForUnknown)
            {
                throw RingRefusals.Silence(Ring.Name, OtherRoleName, other.Role, now - start);
            }
        }
        else if (!isReported)
        {
            _reported = other;
            throw RingRefusals.Loss(Ring.Name, OtherRoleName, other.Role);
        }
        else if (!Ring.Region.HasName)
        {
            throw RingRefusals.LossWithoutSuccessor(Ring.Name, OtherRoleName, other.Role);
        }
    }

    /// <summary>Not on one processor, where the other side cannot move meanwhile.</summary>
    private bool TrySpin(long limit)
    {
        // Nothing is learned from what came before the first spin: the other side may have moved because it took this processor.
        bool hasCome = ReadLimit() >= limit;
        if (hasCome || Environment.ProcessorCount == 1)
        {
            return hasCome;
        }

        for (int i = _spins.Next; i > 0 && !hasCome; i--)
        {
            Thread.SpinWait(1);
            hasCome = ReadLimit() >= limit;
        }

        _spins.Note(hasCome);
        return hasCome;
    }

    private void Sleep(long limit, CancellationToken cancellationToken)
    {
        using (cancellationToken.UnsafeRegister(static side => ((RingSide)side!).WakeThis(), this))
        {
            if (TryNoteSleep(limit, cancellationToken, out uint seen))
            {
                _signal.Wait(seen, MillisecondsBetweenLooks);
            }
        }

        NoteAwake();
    }

    /// <summary>Notes that this side sleeps, unless there is a reason not to sleep.</summary>
    private bool TryNoteSleep(long limit, CancellationToken cancellationToken, out uint seen)
    {
        // This order loses no wake: see SharedSignal. The waker resets IsAsleep, so each sleep gets one wake.
        seen = Volatile.Read(ref _sleeper->Signal);
        Interlocked.Exchange(ref _sleeper->IsAsleep, 1);
        RingPeer other = _roles.Other;
        bool isUnreported = other.Role.HasLeft && other != _reported && !Ring.AwaitsSuccessor;
        return ReadLimit() < limit && !isUnreported && !Volatile.Read(ref _isClosing) && !cancellationToken.IsCancellationRequested;
    }
}
