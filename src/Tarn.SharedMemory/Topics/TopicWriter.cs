using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>The writer of a topic in this process: its role, its position, and its wait for readers that hold it back.</summary>
/// <remarks>For one call at a time (<see cref="CallGate"/>). Any thread may close it.</remarks>
internal sealed unsafe class TopicWriter : MessageSide
{
    /// <summary>No message is begun.</summary>
    private const long NoMessage = -1;

    private readonly SharedTopic _topic;
    private readonly TopicSlots _slots;
    private readonly RegionRole _role;
    private readonly SharedSignal _data;
    private CallGate _gate;
    private LookClock _looks;
    private bool _isAttached;

    /// <summary>The position of the next message, and how far this writer may write without another look.</summary>
    private long _position;
    private long _limit;

    /// <summary>How far it has announced that it may write.</summary>
    private long _announced;
    private long _begun = NoMessage;
    private int? _slowest;

    /// <param name="topic">Keeps the memory mapped while this object is in use.</param>
    /// <param name="slots">Its slots.</param>
    /// <param name="role">The writer's role.</param>
    /// <param name="data">What readers sleep on.</param>
    /// <param name="space">What this sleeps on.</param>
    internal TopicWriter(SharedTopic topic, TopicSlots slots, RegionRole role, SharedSignal data, SharedSignal space)
        : base(&slots.Header->Space, space)
    {
        (_topic, _slots, _role, _data) = (topic, slots, role, data);
    }

    /// <summary>The process in this role, unless it is known to be gone; otherwise 0.</summary>
    internal int ProcessId => _role.ProcessId;

    /// <summary>Whether a message is in progress, so its bytes in the topic may be in use.</summary>
    internal bool HasBegun => _begun != NoMessage;

    internal bool IsClosing => _gate.IsClosing;

    internal override bool GoesOnInline => _topic.AllowSynchronousContinuations;

    /// <summary>Begins a call; false if another one writes, or this is closing.</summary>
    internal bool TryEnter() => _gate.TryEnter();

    /// <summary>Ends a call.</summary>
    internal override void Leave() => _gate.Leave();

    /// <summary>Refuses calls from now on, and ends the wait of the one that is inside.</summary>
    internal void BeginClosing()
    {
        _gate.BeginClosing();
        WakeThis();
    }

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (_gate.IsClosing)
        {
            throw new ObjectDisposedException(nameof(SharedTopic), $"The topic \"{_topic.Name}\" was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
        LookIfTime();
    }

    /// <summary>Takes the role, unless this has it.</summary>
    /// <exception cref="InvalidOperationException">Another process, or another object of this process, has the role.</exception>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    internal void Attach()
    {
        if (_isAttached)
        {
            return;
        }

        if (_role.TryTake() is { } taken)
        {
            throw RoleRefusals.Taken("topic", _topic.Name, "writer", taken.Holder, taken.State);
        }

        (long tail, long limit) = (Volatile.Read(ref _slots.Header->Tail), Volatile.Read(ref _slots.Header->Limit));
        if (tail is < 0 or > TopicHeader.MostPosition || limit < tail || limit > tail + _slots.Step)
        {
            _role.GiveUp();
            _slots.ThrowCorrupted($"its writer is at {tail} and may write up to {limit}");
        }

        (_position, _limit, _announced) = (tail, tail, limit);
        _isAttached = true;
    }

    /// <summary>Waits until no call is inside, and gives up the role, if this has it. Call <see cref="BeginClosing"/> first.</summary>
    internal void Close()
    {
        _gate.AwaitNobody();
        if (_isAttached)
        {
            _role.GiveUp();
        }
    }

    /// <summary>Begins the next message; waits for room. A message that was begun before is discarded.</summary>
    /// <returns>False if there was no room until the deadline.</returns>
    /// <exception cref="InvalidOperationException">The role is taken.</exception>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool TryBegin(long deadline, CancellationToken cancellationToken, out long position)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _begun = NoMessage;
        if (_position >= _limit)
        {
            Attach();
            while (!HasRoom())
            {
                if (!MayTryAgain(deadline, cancellationToken))
                {
                    position = 0;
                    return false;
                }
            }
        }

        position = _begun = _position;
        return true;
    }

    /// <summary>Publishes the message that was begun at a position; false if it is none.</summary>
    internal bool TryPublish(long position, int length)
    {
        if (_begun != position)
        {
            return false;
        }

        _slots.LengthAt(position) = length;
        _begun = NoMessage;
        _position = position + 1;
        Interlocked.Exchange(ref _slots.Header->Tail, position + 1);
        WakeIfAsleep(&_slots.Header->Data, _data);
        return true;
    }

    /// <inheritdoc/>
    internal override void Publish(long position, int length)
    {
        _topic.EnterWriter();
        bool isPublished = TryPublish(position, length);
        Leave();
        if (!isPublished)
        {
            throw NotWriting();
        }
    }

    /// <inheritdoc/>
    /// <remarks>Touches no shared memory.</remarks>
    internal override void GiveUp(long position) => Interlocked.CompareExchange(ref _begun, NoMessage, position);

    /// <summary>Waits, without a thread, until there is room. The call is inside until the task ends.</summary>
    internal ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        try
        {
            Attach();
        }
        catch
        {
            Leave();
            throw;
        }

        return SleepAsync(0, cancellationToken);
    }

    /// <inheritdoc/>
    protected override bool HasCome(long limit) => HasRoom();

    /// <inheritdoc/>
    protected override bool MaySleep() => !_gate.IsClosing;

    /// <summary>Whether there is room for a message; announces that it is written to, if so.</summary>
    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HasRoom()
    {
        if (_position >= _announced)
        {
            _announced = _position + _slots.Step;
            Interlocked.Exchange(ref _slots.Header->Limit, _announced);
        }

        _limit = Math.Min(_announced, _slots.LastOfHolders(_position, out _slowest) + _slots.Capacity);
        return _position < _limit;
    }

    /// <summary>Waits until there may be room. A call that is not to wait looks for readers that are gone.</summary>
    /// <returns>False if it is late, and the call over.</returns>
    private bool MayTryAgain(long deadline, CancellationToken cancellationToken)
    {
        if (deadline == Deadline.Now)
        {
            LookIfTime();
            return false;
        }

        return TryWait(0, deadline, cancellationToken);
    }

    private void LookIfTime()
    {
        if (_looks.IsTime())
        {
            _topic.Members.Look(_slowest, _slots);
        }
    }
}
