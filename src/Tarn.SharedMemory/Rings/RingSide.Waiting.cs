namespace Tarn.SharedMemory;

/// <content>The wait for the other side.</content>
internal abstract unsafe partial class RingSide
{
    private long _nextLook;

    /// <summary>Waits, without a thread, until <see cref="Limit"/> is <paramref name="size"/> bytes past the position.</summary>
    /// <param name="size">Bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>What ends then, or throws what <see cref="WaitFor"/> does. The call is inside this side until the task ends.</returns>
    /// <exception cref="InvalidOperationException">The role is taken.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    internal ValueTask WaitForAsync(int size, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
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
        return ValueTask.CompletedTask;
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
        bool isUnreported = other.Role.HasLeft && other != _reported && !Ring.AwaitSuccessor;
        return !isUnreported && !IsClosing;
    }

    /// <summary>Waits until <see cref="Limit"/> is <paramref name="size"/> bytes past the position. Ends the call if it throws.</summary>
    /// <param name="size">Bytes.</param>
    /// <param name="deadline">When it is late.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if it is late.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed during the wait.</exception>
    /// <exception cref="SharedPeerLostException">The process at the other side has exited, and no call has reported that.</exception>
    /// <exception cref="TimeoutException">For long, nobody knows whether the process at the other side runs.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    protected bool WaitFor(int size, long deadline, CancellationToken cancellationToken)
    {
        if (deadline == Deadline.Now)
        {
            return false;
        }

        try
        {
            long start = Environment.TickCount64;
            while ((Limit = ReadLimit()) - Position < size)
            {
                if (!Wait(Position + size, start, deadline, cancellationToken))
                {
                    return false;
                }
            }

            return true;
        }
        catch
        {
            Leave();
            throw;
        }
    }

    /// <summary>Waits until the other side may have moved; false if it is late.</summary>
    private bool Wait(long limit, long start, long deadline, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (TrySpin(limit))
        {
            return true;
        }

        long left = deadline - Environment.TickCount64;
        if (left <= 0)
        {
            return false;
        }

        Sleep(limit, (int)Math.Min(left, MillisecondsBetweenLooks), cancellationToken);
        ThrowIfOver(limit, start, cancellationToken);
        return true;
    }

    /// <summary>Ends the wait if the process at the other side is gone. Asks the system only at intervals, because that is slow.</summary>
    private void LookAt(RingPeer other, long limit, long start)
    {
        bool isReported = other == _reported || Ring.AwaitSuccessor;
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
                throw RoleRefusals.Silence(Ring.Name, OtherRoleName, other.Role, now - start);
            }
        }
        else if (!isReported)
        {
            _reported = other;
            throw RoleRefusals.Loss(Ring.Name, OtherRoleName, other.Role);
        }
        else if (!Ring.Region.HasName)
        {
            throw RoleRefusals.LossWithoutSuccessor(Ring.Name, OtherRoleName, other.Role);
        }
    }
}
