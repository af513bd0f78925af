using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One side of a ring in this process, writer or reader: its role, its position, and its wait for the other side.</summary>
/// <remarks>
/// <para>For one thread at a time; a plain flag detects most second threads. Any thread may close the side; it then waits until the thread
/// inside has left. That thread sets the flag before it reads <see cref="_isClosing"/>. <see cref="BeginClosing"/> writes
/// <see cref="_isClosing"/>, fences all processors, and reads the flag, so the fast path needs no fence.</para>
/// <para>A side takes its role on first use: the initial <see cref="Positions.Limit"/> sends that call to the slow path.</para>
/// </remarks>
internal abstract unsafe class RingSide
{
    /// <summary>No message is begun.</summary>
    protected const int NoMessage = -1;

    private readonly RingRoles _roles;
    private readonly RingSleeper* _sleeper;
    private readonly RingSleeper* _otherSleeper;
    private readonly SharedSignal _signal;
    private readonly SharedSignal _otherSignal;

    /// <summary>The most recently reported lost peer, which is not reported again.</summary>
    private RingPeer _reported;
    private SpinHistory _spins;
    private long _nextLook;
    private bool _isAttached;
    private bool _isClosing;

    /// <summary>The words that every call reads and writes.</summary>
    private Positions _positions;

    /// <param name="ring">Keeps the memory mapped while this object is in use.</param>
    /// <param name="header">Its header.</param>
    /// <param name="isWriter">Which side.</param>
    /// <param name="signal">What this side sleeps on.</param>
    /// <param name="otherSignal">The word that the other side sleeps on.</param>
    protected RingSide(SharedRing ring, RingHeader* header, bool isWriter, SharedSignal signal, SharedSignal otherSignal)
    {
        Ring = ring;
        Header = header;
        Records = (byte*)header + RingHeader.Length;
        Capacity = ring.Capacity;
        _signal = signal;
        _otherSignal = otherSignal;
        _roles = new RingRoles(ring.Region, header, isWriter);
        _sleeper = isWriter ? &header->Space : &header->Data;
        _otherSleeper = isWriter ? &header->Data : &header->Space;
        Begun = NoMessage;
    }

    /// <summary>The interval at which a waiting process checks that its peer still runs. Tests change it.</summary>
    internal static int MillisecondsBetweenLooks { get; set; } = 100;

    /// <summary>How long a call waits for a process of which this one cannot see whether it runs. Tests change it.</summary>
    internal static int MillisecondsForUnknown { get; set; } = 30_000;

    protected SharedRing Ring { get; }

    protected RingHeader* Header { get; }

    protected int Capacity { get; }

    protected abstract string RoleName { get; }

    protected abstract string OtherRoleName { get; }

    /// <summary>The position of the next record, which only this side writes.</summary>
    protected ref long Position => ref _positions.Position;

    /// <summary>The limit that the other side set for this one, when last read; initially this side's own position.</summary>
    protected ref long Limit => ref _positions.Limit;

    /// <summary>The requested length of the message in progress; <see cref="NoMessage"/> if there is none.</summary>
    protected ref int Begun => ref _positions.Begun;

    private byte* Records { get; }

    /// <summary>The process in this role, unless it is known to be gone; otherwise 0.</summary>
    internal int ProcessId => _roles.ProcessId;

    /// <summary>Whether a message is in progress, so its bytes in the ring may be in use.</summary>
    internal virtual bool HasBegun => Begun != NoMessage;

    /// <summary>Takes this side's role in the ring, unless it has it.</summary>
    /// <exception cref="InvalidOperationException">Another process, or another ring of this process, has the role.</exception>
    internal void Attach()
    {
        Enter();
        try
        {
            AttachInside();
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Refuses new calls, and ends the wait of a call that is inside.</summary>
    internal void BeginClosing()
    {
        Volatile.Write(ref _isClosing, true);
        Interlocked.MemoryBarrierProcessWide();
        WakeThis();
    }

    /// <summary>Waits until no call is inside. Call <see cref="BeginClosing"/> first.</summary>
    internal void AwaitNobodyInside()
    {
        using UninterruptedWait wait = new();
        while (Volatile.Read(ref _positions.IsInside))
        {
            wait.Once();
        }
    }

    /// <summary>Gives up the role. Call <see cref="AwaitNobodyInside"/> first.</summary>
    internal void Close()
    {
        if (_isAttached)
        {
            _roles.GiveUp();
            Wake(_otherSleeper, _otherSignal);
        }
    }

    /// <summary>The address of the record at a position.</summary>
    protected byte* RecordAt(long position) => Records + (position & (Capacity - 1));

    /// <summary>Begins a call; <see cref="Leave"/> ends it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Enter()
    {
        if (_positions.IsInside)
        {
            ThrowBusy();
        }

        Volatile.Write(ref _positions.IsInside, true);
        if (Volatile.Read(ref _isClosing))
        {
            ThrowClosed();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Leave() => Volatile.Write(ref _positions.IsInside, false);

    /// <summary>Wakes the other side if it sleeps. An interlocked operation has published what it waits for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void WakeOther()
    {
        if (Volatile.Read(ref _otherSleeper->IsAsleep) != 0)
        {
            Wake(_otherSleeper, _otherSignal);
        }
    }

    /// <summary>
    /// Updates <see cref="Limit"/> from the other side's position. Takes this side's role first if it does not have it. Ends the call if it
    /// throws.
    /// </summary>
    /// <exception cref="InvalidOperationException">The role is taken.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected void Refresh()
    {
        try
        {
            AttachInside();
            Limit = ReadLimit();
        }
        catch
        {
            Leave();
            throw;
        }
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

    /// <summary>The position in the ring where this side continues.</summary>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    protected abstract long ReadPosition();

    /// <summary>Returns the current value of <see cref="Limit"/>.</summary>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    protected abstract long ReadLimit();

    /// <summary>
    /// Whether this side has to do with a process that was gone when this side took its role: it is to read that process's messages.
    /// </summary>
    protected abstract bool ConcernsItsPredecessors { get; }

    [DoesNotReturn]
    protected void ThrowCorrupted(string what) =>
        throw new InvalidDataException($"The ring \"{Ring.Name}\" is corrupted: {what}. Some process wrote where it should not have.");

    /// <summary>Waits until the other side may have moved.</summary>
    private void Wait(long limit, long start, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (TrySpin(limit))
        {
            return;
        }

        Sleep(limit, cancellationToken);
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
        // This order loses no wake: see SharedSignal. The waker resets IsAsleep, so each sleep gets one wake.
        uint seen = Volatile.Read(ref _sleeper->Signal);
        Interlocked.Exchange(ref _sleeper->IsAsleep, 1);
        using (cancellationToken.UnsafeRegister(static side => ((RingSide)side!).WakeThis(), this))
        {
            RingPeer other = _roles.Other;
            bool isUnreported = other.Role.HasLeft && other != _reported && !Ring.AwaitsSuccessor;
            if (ReadLimit() < limit && !isUnreported && !Volatile.Read(ref _isClosing) && !cancellationToken.IsCancellationRequested)
            {
                _signal.Wait(seen, MillisecondsBetweenLooks);
            }
        }

        Volatile.Write(ref _sleeper->IsAsleep, 0);
    }

    private void WakeThis() => Wake(_sleeper, _signal);

    private static void Wake(RingSleeper* sleeper, SharedSignal signal)
    {
        Volatile.Write(ref sleeper->IsAsleep, 0);
        Interlocked.Increment(ref sleeper->Signal);
        signal.Wake();
    }

    private void AttachInside()
    {
        if (_isAttached)
        {
            return;
        }

        if (_roles.TryTake() is { } taken)
        {
            throw RingRefusals.Taken(Ring.Name, RoleName, taken.Holder, taken.State);
        }

        try
        {
            Limit = Position = ReadPosition();

            // A process that is gone publishes nothing more, so the order matters.
            RingPeer other = _roles.Other;
            if (!other.Role.IsNobody && _roles.StateOf(other) == HolderState.Gone && !ConcernsItsPredecessors)
            {
                _reported = other;
            }

            _isAttached = true;
        }
        catch
        {
            _roles.GiveUp();
            throw;
        }
    }

    [DoesNotReturn]
    private void ThrowBusy() =>
        throw new InvalidOperationException(
            $"Two threads use the ring \"{Ring.Name}\" as its {RoleName} at the same time. Let one thread be the {RoleName}.");

    [DoesNotReturn]
    private void ThrowClosed()
    {
        Leave();
        throw new ObjectDisposedException(nameof(SharedRing), $"The ring \"{Ring.Name}\" was disposed.");
    }

    /// <summary>The words of one side, on pairs of cache lines of their own, because both sides may be in one process.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256 + 24)]
    private struct Positions
    {
        [FieldOffset(128)]
        internal long Position;

        [FieldOffset(136)]
        internal long Limit;

        [FieldOffset(144)]
        internal int Begun;

        [FieldOffset(148)]
        internal bool IsInside;
    }
}
