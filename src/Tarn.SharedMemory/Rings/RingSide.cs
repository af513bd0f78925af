using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>One side of a ring in this process, writer or reader: its role, its position, and its wait for the other side.</summary>
/// <remarks>
/// <para>For one thread at a time (<see cref="CallGate"/>). Any thread may close the side; it then waits until the thread inside has
/// left.</para>
/// <para>A side takes its role on first use: the initial <see cref="Positions.Limit"/> sends that call to the slow path.</para>
/// </remarks>
internal abstract unsafe partial class RingSide : MessageSide
{
    /// <summary>No message is begun.</summary>
    protected const long NoMessage = -1;

    private readonly RingRoles _roles;
    private readonly Sleeper* _otherSleeper;
    private readonly SharedSignal _otherSignal;

    /// <summary>The most recently reported lost peer, which is not reported again.</summary>
    private RingPeer _reported;
    private bool _isAttached;

    /// <summary>The words that every call reads and writes.</summary>
    private Positions _positions;

    /// <param name="ring">Keeps the memory mapped while this object is in use.</param>
    /// <param name="header">Its header.</param>
    /// <param name="isWriter">Which side.</param>
    /// <param name="signal">What this side sleeps on.</param>
    /// <param name="otherSignal">The word that the other side sleeps on.</param>
    protected RingSide(SharedRing ring, RingHeader* header, bool isWriter, SharedSignal signal, SharedSignal otherSignal)
        : base(isWriter ? &header->Space : &header->Data, signal)
    {
        Ring = ring;
        Header = header;
        Records = (byte*)header + RingHeader.Length;
        Capacity = ring.Capacity;
        _otherSignal = otherSignal;
        _roles = new RingRoles(ring.Region, header, isWriter);
        _otherSleeper = isWriter ? &header->Data : &header->Space;
        Begun = NoMessage;
    }

    protected SharedRing Ring { get; }

    protected RingHeader* Header { get; }

    protected int Capacity { get; }

    protected abstract string RoleName { get; }

    protected abstract string OtherRoleName { get; }

    /// <summary>The position of the next record, which only this side writes.</summary>
    protected ref long Position => ref _positions.Position;

    /// <summary>The limit that the other side set for this one, when last read; initially this side's own position.</summary>
    protected ref long Limit => ref _positions.Limit;

    /// <summary>The position of the message in progress, which is the next record's; <see cref="NoMessage"/> if there is none.</summary>
    protected ref long Begun => ref _positions.Begun;

    private byte* Records { get; }

    private bool IsClosing => _positions.Gate.IsClosing;

    /// <summary>The process in this role, unless it is known to be gone; otherwise 0.</summary>
    internal int ProcessId => _roles.ProcessId;

    /// <summary>Whether a message is in progress, so its bytes in the ring may be in use.</summary>
    internal virtual bool HasBegun => Begun != NoMessage;

    internal sealed override bool GoesOnInline => Ring.AllowSynchronousContinuations;

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

    /// <summary>Takes this side's role, unless it has it, and returns the position of the next record.</summary>
    /// <inheritdoc cref="Attach" path="/exception"/>
    internal long AttachAt()
    {
        Attach();
        return Position;
    }

    /// <summary>Returns the limit that the other side has set for this one by now.</summary>
    /// <inheritdoc cref="Refresh" path="/exception"/>
    internal long LimitNow()
    {
        Enter();
        Refresh();
        long limit = Limit;
        Leave();
        return limit;
    }

    /// <summary>Whether the process at the other side disposed its ring while this side had its role, and none followed.</summary>
    internal bool OtherHasLeft()
    {
        Enter();
        bool hasLeft = !MaySleep();
        Leave();
        return hasLeft;
    }

    /// <summary>Refuses new calls, and ends the wait of a call that is inside.</summary>
    internal void BeginClosing()
    {
        _positions.Gate.BeginClosing();
        WakeThis();
    }

    /// <summary>Waits until no call is inside. Call <see cref="BeginClosing"/> first.</summary>
    internal void AwaitNobodyInside() => _positions.Gate.AwaitNobody();

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
        if (!_positions.Gate.TryEnter())
        {
            ThrowRefused();
        }
    }

    /// <summary>Begins a call, unless this side is closing.</summary>
    protected bool TryEnter()
    {
        if (_positions.Gate.TryEnter())
        {
            return true;
        }

        if (!IsClosing)
        {
            ThrowRefused();
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal sealed override void Leave() => _positions.Gate.Leave();

    /// <summary>Wakes the other side if it sleeps. An interlocked operation has published what it waits for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void WakeOther() => WakeIfAsleep(_otherSleeper, _otherSignal);

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

    private void AttachInside()
    {
        if (_isAttached)
        {
            return;
        }

        if (_roles.TryTake() is { } taken)
        {
            throw RoleRefusals.Taken("ring", Ring.Name, RoleName, taken.Holder, taken.State);
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
    private void ThrowRefused() => throw (_positions.Gate.IsClosing
        ? new ObjectDisposedException(nameof(SharedRing), $"The ring \"{Ring.Name}\" was disposed.")
        : new InvalidOperationException(
            $"Two threads use the ring \"{Ring.Name}\" as its {RoleName} at the same time, or a call came before the end of a wait "
                + $"that holds no thread. Let one thread at a time be the {RoleName}, and await each wait."));

    /// <summary>The words of one side, on pairs of cache lines of their own, because both sides may be in one process.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256 + 32)]
    private struct Positions
    {
        [FieldOffset(128)]
        internal long Position;

        [FieldOffset(136)]
        internal long Limit;

        [FieldOffset(144)]
        internal long Begun;

        [FieldOffset(152)]
        internal CallGate Gate;
    }
}
