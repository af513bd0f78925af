namespace Tarn;

/// <content>The wait for the other side.</content>
internal abstract unsafe partial class RingSide
{
    private long _nextLook;

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

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (IsClosing)
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

    /// <inheritdoc/>
    protected override bool HasCome(long limit)
    {
        Limit = ReadLimit();
        return Limit >= limit;
    }

    /// <inheritdoc/>
    protected override bool MaySleep()
    {
        RingPeer other = _roles.Other;
        bool isUnreported = other.Role.HasLeft && other != _reported && !Ring.AwaitsSuccessor;
        return !isUnreported && !IsClosing;
    }

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

        Sleep(limit, MillisecondsBetweenLooks, cancellationToken);
        ThrowIfOver(limit, start, cancellationToken);
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

        if (_roles.Other != other)
        {
            // It left, or another one came, while this looked: the wait looks again.
            _nextLook = now;
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
}
