using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>The slots of a queue, as a member uses them: each method is the step of one message, and waits for nobody.</summary>
/// <remarks>
/// <para>All members are safe to call from any thread while the memory is mapped.</para>
/// <para>Any process may write anything to the shared words. Places are computed modulo the capacity, which is this object's own, and
/// lengths are examined; a word that breaks the equations of <see cref="QueueHeader"/> throws. The steps of a loop have a limit, after
/// which the method says that it found nothing. So another process can keep a call from succeeding, but not from ending.</para>
/// </remarks>
internal sealed unsafe class QueueSlots : IMemberWork
{
    /// <summary>No process loses so many races in a row to processes that tell the truth, except by much chance.</summary>
    private const int MostSteps = 10_000;

    private readonly string _name;
    private readonly QueueHeader* _header;
    private readonly byte* _slots;
    private readonly int _slotSize;
    private readonly int _shift;
    private readonly int _longest;
    private readonly int _member;
    private readonly SharedSignal _data;
    private readonly SharedSignal _space;

    /// <summary>The value of <see cref="QueueHeader.Returns"/> when no message was returned.</summary>
    private uint _seenReturns;

    /// <param name="name">The queue's name, for messages.</param>
    /// <param name="header">Its header, mapped while this object is in use.</param>
    /// <param name="capacity">Its capacity.</param>
    /// <param name="longest">The length of its longest message.</param>
    /// <param name="member">The number of the member whose the claims are.</param>
    /// <param name="data">What readers sleep on.</param>
    /// <param name="space">What writers sleep on.</param>
    internal QueueSlots(
        string name, QueueHeader* header, int capacity, int longest, int member, SharedSignal data, SharedSignal space)
    {
        _name = name;
        _header = header;
        _slots = (byte*)header + QueueHeader.Length;
        _slotSize = QueueHeader.SlotSize(longest);
        _shift = System.Numerics.BitOperations.Log2((uint)capacity);
        _longest = longest;
        _member = member;
        _data = data;
        _space = space;
        _seenReturns = header->Returns - 1;
    }

    private int Capacity => 1 << _shift;

    /// <summary>Claims the next slot for a message.</summary>
    /// <returns>False if the queue is full.</returns>
    /// <exception cref="InvalidDataException">The header or a slot breaks the equations.</exception>
    internal bool TryClaim(out long position)
    {
        for (int step = MostSteps + Capacity; step > 0; step--)
        {
            position = Volatile.Read(ref _header->Tail);
            ref ulong word = ref WordAt(position);
            SlotWord seen = new(Volatile.Read(ref word));
            long turn = TurnOf(position);
            if (seen == SlotWord.Free(turn))
            {
                ulong mine = SlotWord.Of(SlotKind.Claimed, turn, _member).Value;
                if (Interlocked.CompareExchange(ref word, mine, seen.Value) == seen.Value)
                {
                    Interlocked.CompareExchange(ref _header->Tail, position + 1, position);
                    return true;
                }
            }
            else if (seen.Turn == turn || seen == SlotWord.Free(turn + 1))
            {
                // Another writer claimed it, and has not moved the tail yet, or was ended before.
                Interlocked.CompareExchange(ref _header->Tail, position + 1, position);
            }
            else if (seen.Turn == turn - 1 && seen.Kind != SlotKind.Free)
            {
                return false;
            }
            else if (Volatile.Read(ref _header->Tail) == position)
            {
                ThrowCorrupted("tail", position, seen);
            }
        }

        position = 0;
        return false;
    }

    /// <summary>Whether <see cref="TryClaim"/> would find a slot now.</summary>
    /// <exception cref="InvalidDataException">The header or a slot breaks the equations.</exception>
    internal bool HasRoom()
    {
        long position = Volatile.Read(ref _header->Tail);
        SlotWord seen = new(Volatile.Read(ref WordAt(position)));
        return seen.Turn >= TurnOf(position);
    }

    /// <summary>The room for the message of a position that this member claimed.</summary>
    internal Span<byte> RoomAt(long position) => new(SlotAt(position) + QueueHeader.SlotHead, _longest);

    /// <summary>Publishes the message of a position that this member claimed; false if it has not claimed it.</summary>
    internal bool TryPublish(long position, int length)
    {
        ref ulong word = ref WordAt(position);
        SlotWord mine = SlotWord.Of(SlotKind.Claimed, TurnOf(position), _member);
        if (Volatile.Read(ref word) != mine.Value)
        {
            return false;
        }

        LengthAt(position) = length;
        bool isPublished = Interlocked.CompareExchange(ref word, mine.With(SlotKind.Published).Value, mine.Value) == mine.Value;
        WakeReaders();
        return isPublished;
    }

    /// <summary>Gives up the claim of this member on a position; false if it has none.</summary>
    internal bool TrySkip(long position)
    {
        SlotWord mine = SlotWord.Of(SlotKind.Claimed, TurnOf(position), _member);
        bool isSkipped = TryChange(ref WordAt(position), mine, mine.With(SlotKind.Skipped));
        WakeReaders();
        return isSkipped;
    }

    /// <summary>Finds the next message, which another reader may take first.</summary>
    /// <returns>False if there is none, or its writer has not published it.</returns>
    /// <exception cref="InvalidDataException">The header or a slot breaks the equations.</exception>
    internal bool TryFind(out long position, out SlotWord seen)
    {
        if (Volatile.Read(ref _header->Returns) != Volatile.Read(ref _seenReturns) && TryFindReturned(out position, out seen))
        {
            return true;
        }

        for (int step = MostSteps + Capacity; step > 0; step--)
        {
            position = Volatile.Read(ref _header->Head);
            ref ulong word = ref WordAt(position);
            seen = new(Volatile.Read(ref word));
            long turn = TurnOf(position);
            if (seen.Turn == turn)
            {
                switch (seen.Kind)
                {
                    case SlotKind.Published:
                        return true;
                    case SlotKind.Free or SlotKind.Claimed:
                        return false;
                    case SlotKind.Skipped:
                        TryChange(ref word, seen, seen.NextTurn());
                        WakeWriters();
                        break;
                    default:
                        break;
                }

                PassHead(position);
            }
            else if (seen.Turn == turn - 1 && seen.Kind != SlotKind.Free)
            {
                return false;
            }
            else if (seen.Turn == turn + 1 && seen.Kind is not (SlotKind.Taken or SlotKind.Returned))
            {
                PassHead(position);
            }
            else if (Volatile.Read(ref _header->Head) == position)
            {
                ThrowCorrupted("head", position, seen);
            }
        }

        (position, seen) = (0, default);
        return false;
    }

    /// <summary>The length of a message that <see cref="TryFind"/> found; null if another reader took it since.</summary>
    /// <exception cref="InvalidDataException">No message is as long.</exception>
    internal int? LengthOf(long position, SlotWord seen)
    {
        int length = Volatile.Read(ref LengthAt(position));
        if (Volatile.Read(ref WordAt(position)) != seen.Value)
        {
            return null;
        }

        return (uint)length <= (uint)_longest ? length : ThrowLength(position, length);
    }

    /// <summary>Takes a message that <see cref="TryFind"/> found; false if another reader took it since.</summary>
    internal bool TryTake(long position, SlotWord seen)
    {
        if (!TryChange(ref WordAt(position), seen, seen.With(SlotKind.Taken, _member)))
        {
            return false;
        }

        if (seen.Kind == SlotKind.Published)
        {
            PassHead(position);
        }

        return true;
    }

    /// <summary>The message of a position that this member took.</summary>
    internal ReadOnlySpan<byte> MessageAt(long position, int length) => new(SlotAt(position) + QueueHeader.SlotHead, length);

    /// <summary>Passes the message of a position that this member took; false if it has not taken it.</summary>
    internal bool TryPass(long position)
    {
        SlotWord mine = SlotWord.Of(SlotKind.Taken, TurnOf(position), _member);
        bool isPassed = Interlocked.CompareExchange(ref WordAt(position), mine.NextTurn().Value, mine.Value) == mine.Value;
        WakeWriters();
        return isPassed;
    }

    /// <summary>Returns a message that this member took; false if it has not taken it.</summary>
    internal bool TryReturn(long position)
    {
        SlotWord mine = SlotWord.Of(SlotKind.Taken, TurnOf(position), _member);
        if (!TryChange(ref WordAt(position), mine, mine.With(SlotKind.Returned)))
        {
            return false;
        }

        Interlocked.Increment(ref _header->Returned);
        TellReturns();
        return true;
    }

    /// <summary>Ends what a member left, whose role this process has: skips its claims and returns the messages that it took.</summary>
    public void EndAllOf(int member)
    {
        for (int slot = 0; slot < Capacity; slot++)
        {
            ref ulong word = ref WordAt(slot);
            SlotWord seen = new(Volatile.Read(ref word));
            if (!seen.IsOf(member))
            {
                continue;
            }

            if (seen.Kind == SlotKind.Claimed)
            {
                Interlocked.Add(ref _header->Skipped, TryChange(ref word, seen, seen.With(SlotKind.Skipped)) ? 1 : 0);
            }
            else
            {
                Interlocked.Add(ref _header->Returned, TryChange(ref word, seen, seen.With(SlotKind.Returned)) ? 1 : 0);
            }
        }

        // In any case: whoever had the role before may have ended between the change of a word and this.
        TellReturns();
    }

    /// <summary>Whether a member has claimed a position or taken a message.</summary>
    internal bool HasAnyOf(int member)
    {
        for (int slot = 0; slot < Capacity; slot++)
        {
            if (new SlotWord(Volatile.Read(ref WordAt(slot))).IsOf(member))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The member for which writers wait, if one does: it has the message that was written a turn ago at the tail.</summary>
    internal int? WritersWaitFor() => HolderOf(new(Volatile.Read(ref WordAt(Volatile.Read(ref _header->Tail)))));

    /// <summary>The member for which readers wait, if one does: it has claimed the position at the head.</summary>
    internal int? ReadersWaitFor() => HolderOf(new(Volatile.Read(ref WordAt(Volatile.Read(ref _header->Head)))));

    /// <summary>Checks the equations while no member is inside; for tests.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate()
    {
        (long tail, long head) = (_header->Tail, _header->Head);
        Throw.UnlessHolds(tail >= 0 && head >= 0, "positions are not negative");
        Throw.UnlessHolds(head <= tail + 1, "the head passes no position before it was claimed");
        for (int slot = 0; slot < Capacity; slot++)
        {
            SlotWord word = new(WordAt(slot));
            long position = (word.Turn << _shift) + slot;
            bool isFree = word.Kind == SlotKind.Free;
            Throw.UnlessHolds(word.Kind <= SlotKind.Skipped, "a slot has a state");
            Throw.UnlessHolds(word.Member == 0 || word.IsOf(word.Member), "only a claim and a message that is read name a member");
            Throw.UnlessHolds(!isFree || position >= tail, "every position before the tail was claimed");
            Throw.UnlessHolds(position <= tail + Capacity, "no slot is more than a turn ahead of the tail");
            Throw.UnlessHolds(position > tail - Capacity - 1, "no slot is more than a turn behind the tail");
            Throw.UnlessHolds(
                word.Kind is not (SlotKind.Published or SlotKind.Claimed or SlotKind.Skipped) || position >= head,
                "nothing but returned messages waits before the head");
            Throw.UnlessHolds(
                word.Kind != SlotKind.Published || (uint)LengthAt(slot) <= (uint)_longest, "a message has the length of a message");
        }
    }

    private static int? HolderOf(SlotWord word) => word.Kind is SlotKind.Claimed or SlotKind.Taken ? word.Member : null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryChange(ref ulong word, SlotWord from, SlotWord to) =>
        Interlocked.CompareExchange(ref word, to.Value, from.Value) == from.Value;

    /// <summary>Finds the oldest message that was returned.</summary>
    private bool TryFindReturned(out long position, out SlotWord seen)
    {
        uint returns = Volatile.Read(ref _header->Returns);
        (position, seen) = (long.MaxValue, default);
        for (int slot = 0; slot < Capacity; slot++)
        {
            SlotWord word = new(Volatile.Read(ref WordAt(slot)));
            if (word.Kind == SlotKind.Returned && ((word.Turn << _shift) | (uint)slot) < position)
            {
                (position, seen) = ((word.Turn << _shift) | (uint)slot, word);
            }
        }

        if (position < long.MaxValue)
        {
            return true;
        }

        Volatile.Write(ref _seenReturns, returns);
        return false;
    }

    /// <summary>Has readers look for messages that were returned.</summary>
    private void TellReturns()
    {
        Interlocked.Increment(ref _header->Returns);
        WakeReaders();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WakeReaders() => WaitingSide.WakeIfAsleep(&_header->Data, _data);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WakeWriters() => WaitingSide.WakeIfAsleep(&_header->Space, _space);

    private void PassHead(long position) => Interlocked.CompareExchange(ref _header->Head, position + 1, position);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* SlotAt(long position) => _slots + ((position & (Capacity - 1)) * _slotSize);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref ulong WordAt(long position) => ref *(ulong*)SlotAt(position);

    private ref int LengthAt(long position) => ref *(int*)(SlotAt(position) + sizeof(ulong));

    private long TurnOf(long position) => (long)((ulong)position >> _shift);

    [DoesNotReturn]
    private void ThrowCorrupted(string end, long position, SlotWord seen) => throw new InvalidDataException(
        $"The queue \"{_name}\" is corrupted: its {end} is {position}, the turn {TurnOf(position)} of a slot, and the slot says "
            + $"{seen.Kind} in turn {seen.Turn}. Some process wrote where it should not have.");

    [DoesNotReturn]
    private int ThrowLength(long position, int length) => throw new InvalidDataException(
        $"The queue \"{_name}\" is corrupted: the message at {position} states a length of {length} bytes, and the longest has {_longest}. "
            + "Some process wrote where it should not have.");
}
