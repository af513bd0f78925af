using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <summary>A reader of a topic: its position, its wait for the writer, and, if it holds the writer back, its membership.</summary>
/// <remarks>For one call at a time (<see cref="CallGate"/>). Any thread may close it.</remarks>
internal sealed unsafe class TopicReader : MessageSide
{
    /// <summary>No message is begun.</summary>
    private const long NoMessage = -1;

    /// <summary>After so many messages that were overwritten in a row, a read looks whether it is late.</summary>
    private const int MostRaces = 1000;

    private readonly SharedTopic _topic;
    private readonly TopicSlots _slots;
    private readonly int? _member;
    private CallGate _gate;
    private long _position;

    /// <summary>The writer's position when it was last read.</summary>
    private long _tail;
    private long _lost;
    private long _begun = NoMessage;
    private bool _isClosed;

    /// <summary>The object of this reader while a task waits, so that it is not finalized.</summary>
    private SharedTopicReader? _waiting;

    /// <param name="topic">Keeps the memory mapped until this is closed.</param>
    /// <param name="position">The position of the first message.</param>
    /// <param name="lost">The messages that were lost before it.</param>
    /// <param name="member">The member that this is; null if it does not hold the writer back.</param>
    /// <param name="data">What this sleeps on.</param>
    internal TopicReader(SharedTopic topic, long position, long lost, int? member, SharedSignal data)
        : base(&topic.Slots.Header->Data, data)
    {
        (_topic, _slots, _member) = (topic, topic.Slots, member);
        (_position, _tail, _lost) = (position, position, lost);
    }

    internal int? Member => _member;

    /// <summary>The position of the next message.</summary>
    internal long Position => Volatile.Read(ref _position);

    /// <summary>The messages that were overwritten before this reader read them.</summary>
    internal long Lost => Volatile.Read(ref _lost);

    /// <summary>Whether a message is in progress, so its bytes in the topic may be in use.</summary>
    internal bool HasBegun => _begun != NoMessage;

    internal override bool GoesOnInline => _topic.AllowSynchronousContinuations;

    /// <summary>Begins a call.</summary>
    /// <exception cref="InvalidOperationException">Another call reads.</exception>
    /// <exception cref="ObjectDisposedException">The reader is closing.</exception>
    internal void Enter()
    {
        if (_gate.TryEnter())
        {
            return;
        }

        if (!_gate.IsClosing)
        {
            ThrowOccupied();
        }

        throw new ObjectDisposedException(
            nameof(SharedTopicReader), $"The reader of the topic \"{_topic.Name}\", or the topic, was disposed.");
    }

    /// <summary>Ends a call.</summary>
    internal override void Leave()
    {
        _waiting = null;
        _gate.Leave();
    }

    /// <inheritdoc/>
    internal override void NoteAwake()
    {
        // Others sleep on the same word, so only the writer clears the note.
    }

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (_gate.IsClosing)
        {
            throw new ObjectDisposedException(
                nameof(SharedTopicReader),
                $"The reader of the topic \"{_topic.Name}\", or the topic, was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>
    /// Ends the call that is inside, waits until it has left, and ends the membership. For one thread at a time. A second call does
    /// nothing.
    /// </summary>
    internal void Close()
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        _gate.BeginClosing();
        WakeThis();
        _gate.AwaitNobody();
        if (_member is { } member)
        {
            _topic.Leave(member);
        }
    }

    /// <summary>Finds the next message that is whole; waits for one. The message begins with that.</summary>
    /// <param name="longest">The most bytes that it may have.</param>
    /// <param name="deadline">When it is late.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="position">Its position.</param>
    /// <param name="length">Its length.</param>
    /// <returns>False if there was none until the deadline.</returns>
    /// <exception cref="ArgumentException">The message is longer than <paramref name="longest"/>, and remains.</exception>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool TryBegin(int longest, long deadline, CancellationToken cancellationToken, out long position, out int length)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _begun = NoMessage;
        for (int races = 1; ; races++)
        {
            position = _position;
            if ((position >= _tail && !HasMessage()) || races % MostRaces == 0)
            {
                if (deadline == Deadline.Now || !TryWait(position, deadline, cancellationToken))
                {
                    length = 0;
                    return false;
                }

                continue;
            }

            length = Volatile.Read(ref _slots.LengthAt(position));
            if (_slots.IsWhole(position))
            {
                length = (uint)length <= (uint)_slots.Longest ? length : ThrowLength(position, length);
                length = length <= longest ? length : ThrowTooShort(length, longest);
                _begun = position;
                return true;
            }

            SkipLost();
        }
    }

    /// <summary>Passes the message that was begun at a position.</summary>
    /// <param name="position">Its position.</param>
    /// <param name="isWhole">
    /// Whether it was whole until now. If not, it was lost, and this reader goes on with a later one.
    /// </param>
    /// <returns>False if it is not begun.</returns>
    internal bool TryPass(long position, out bool isWhole)
    {
        isWhole = false;
        if (_begun != position)
        {
            return false;
        }

        _begun = NoMessage;
        isWhole = _slots.IsWhole(position);
        if (!isWhole)
        {
            SkipLost();
        }
        else
        {
            Volatile.Write(ref _position, position + 1);
            if (_member is { } member)
            {
                _slots.Pass(member, position + 1);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    internal override bool Pass(long position, int length)
    {
        Enter();
        try
        {
            return TryPass(position, out bool isWhole) ? isWhole : throw NotReading();
        }
        finally
        {
            Leave();
        }
    }

    /// <inheritdoc/>
    /// <remarks>Touches no shared memory.</remarks>
    internal override void GiveBack(long position) => Interlocked.CompareExchange(ref _begun, NoMessage, position);

    /// <summary>Waits, without a thread, until there is a message. The call is inside until the task ends.</summary>
    internal ValueTask WaitAsync(SharedTopicReader owner, CancellationToken cancellationToken)
    {
        _waiting = owner;
        return SleepAsync(_position, cancellationToken);
    }

    /// <inheritdoc/>
    protected override bool HasCome(long limit) => Volatile.Read(ref _slots.Header->Tail) > limit;

    /// <inheritdoc/>
    protected override bool MaySleep() => !_gate.IsClosing;

    /// <exception cref="InvalidDataException">The header breaks its equations.</exception>
    private bool HasMessage()
    {
        long tail = Volatile.Read(ref _slots.Header->Tail);
        if (tail < _position || tail > TopicHeader.MostPosition)
        {
            _slots.ThrowCorrupted($"its writer is at {tail}, and this reader at {_position}");
        }

        _tail = tail;
        return tail > _position;
    }

    /// <summary>
    /// Goes on after messages that were overwritten, and after a quarter of those that were not: else the writer, which writes to the
    /// oldest next, would overtake this reader again at once.
    /// </summary>
    private void SkipLost()
    {
        (long tail, long position) = (Volatile.Read(ref _slots.Header->Tail), _position);
        long next = tail - _slots.Capacity + (_slots.Capacity / 4);
        if (next <= position || tail > TopicHeader.MostPosition)
        {
            _slots.ThrowCorrupted($"message {position} was overwritten, and its writer is at {tail}");
        }

        Volatile.Write(ref _lost, _lost + (next - position));
        Volatile.Write(ref _position, next);
        _tail = tail;
        if (_member is { } member)
        {
            _slots.Pass(member, next);
        }
    }

    [DoesNotReturn]
    private void ThrowOccupied() => throw new InvalidOperationException(
        $"Two threads read with one reader of the topic \"{_topic.Name}\" at the same time, or a call came before the end of a wait that "
            + "holds no thread. Open a reader for each, or let one thread at a time read, and await each wait.");

    [DoesNotReturn]
    private int ThrowLength(long position, int length)
    {
        _slots.ThrowCorrupted($"the message at {position} states a length of {length} bytes, and the longest has {_slots.Longest}");
        return 0;
    }

    [DoesNotReturn]
    private static int ThrowTooShort(int length, int destination) => throw new ArgumentException(
        $"The message has {length} bytes, and the destination {destination}. It remains unread: pass a larger buffer.",
        nameof(destination));
}
