using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>Where the messages of a topic are, as its writer and its readers in this process see it.</summary>
/// <remarks>
/// Any process may write anything to the shared words. Places are computed modulo the slots, which are this object's own, and lengths are
/// examined. All members are safe to call from any thread while the memory is mapped.
/// </remarks>
internal sealed unsafe class TopicSlots : IMemberWork
{
    private readonly byte* _slots;
    private readonly int _slotSize;
    private readonly SharedSignal _space;

    /// <param name="name">The topic's name, for messages.</param>
    /// <param name="header">Its header, mapped while this object is in use.</param>
    /// <param name="capacity">Its capacity.</param>
    /// <param name="longest">The length of its longest message.</param>
    /// <param name="space">What the writer sleeps on.</param>
    internal TopicSlots(string name, TopicHeader* header, int capacity, int longest, SharedSignal space)
    {
        Name = name;
        Header = header;
        Capacity = capacity;
        Step = TopicHeader.StepOf(capacity);
        Longest = longest;
        _slots = (byte*)header + TopicHeader.Length;
        _slotSize = TopicHeader.SlotSize(longest);
        _space = space;
    }

    internal string Name { get; }

    internal TopicHeader* Header { get; }

    internal int Capacity { get; }

    internal int Step { get; }

    internal int Longest { get; }

    private uint Slots => (uint)(Capacity + Step);

    /// <summary>The room for the message of a position.</summary>
    internal Span<byte> RoomAt(long position) => new(SlotAt(position) + TopicHeader.SlotHead, Longest);

    internal ref int LengthAt(long position) => ref *(int*)SlotAt(position);

    internal ReadOnlySpan<byte> MessageAt(long position, int length) => new(SlotAt(position) + TopicHeader.SlotHead, length);

    /// <summary>Whether what was read from a message before this call was not overwritten before it was read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsWhole(long position)
    {
        Volatile.ReadBarrier();
        return Volatile.Read(ref Header->Limit) - position <= Slots;
    }

    /// <summary>The position of a member that holds the writer back.</summary>
    internal ref long PositionOf(int member) => ref Header->Positions[member * TopicHeader.LongsPerPosition];

    /// <summary>A member holds the writer back from now on, at this position or as soon after it as it still can.</summary>
    /// <returns>Its position.</returns>
    internal long Hold(int member, long position)
    {
        Interlocked.Exchange(ref PositionOf(member), position);
        Interlocked.Or(ref Header->Holders, 1ul << member);

        // The writer does not go beyond what it has announced before it has seen this member.
        long first = Volatile.Read(ref Header->Limit) - Capacity;
        if (first > position)
        {
            position = first;
            Interlocked.Exchange(ref PositionOf(member), position);
        }

        return position;
    }

    /// <summary>A member passes the messages before a position.</summary>
    internal void Pass(int member, long position)
    {
        Interlocked.Exchange(ref PositionOf(member), position);
        WaitingSide.WakeIfAsleep(&Header->Space, _space);
    }

    /// <summary>A member holds the writer back no more.</summary>
    public void EndAllOf(int member)
    {
        Interlocked.And(ref Header->Holders, ~(1ul << member));
        WaitingSide.WakeIfAsleep(&Header->Space, _space);
    }

    /// <summary>The position of the reader that is farthest behind of those that hold the writer back.</summary>
    /// <param name="tail">The writer's position, beyond which no reader is.</param>
    /// <param name="slowest">Who that is; null if nobody holds the writer back.</param>
    /// <exception cref="InvalidDataException">A position is beyond the writer's.</exception>
    internal long LastOfHolders(long tail, out int? slowest)
    {
        (long last, slowest) = (tail, null);
        for (ulong holders = Volatile.Read(ref Header->Holders); holders != 0; holders &= holders - 1)
        {
            int member = System.Numerics.BitOperations.TrailingZeroCount(holders);
            if (member >= RegionHeader.MostMembers)
            {
                ThrowCorrupted($"member {member} holds the writer back, and the last member is {RegionHeader.MostMembers - 1}");
            }

            long position = Volatile.Read(ref PositionOf(member));
            if (position > tail)
            {
                ThrowCorrupted($"a reader is at {position}, and the writer at {tail}");
            }

            if (position < last || slowest is null)
            {
                (last, slowest) = (position, member);
            }
        }

        return last;
    }

    /// <summary>Checks the equations of <see cref="TopicHeader"/> while nobody writes or comes; for tests.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate()
    {
        (long tail, long limit) = (Header->Tail, Header->Limit);
        Throw.UnlessHolds(tail >= 0, "positions are not negative");
        Throw.UnlessHolds(limit >= tail && limit <= tail + Step, "the writer announces a step at a time");
        long last = LastOfHolders(tail, out _);
        Throw.UnlessHolds(last >= tail - Capacity, "no reader that holds the writer back is farther behind than the capacity");
        for (long position = Math.Max(last, tail - Capacity); position < tail; position++)
        {
            Throw.UnlessHolds((uint)LengthAt(position) <= (uint)Longest, "a message has the length of a message");
        }
    }

    [DoesNotReturn]
    internal void ThrowCorrupted(string what) => throw new InvalidDataException(
        $"The topic \"{Name}\" is corrupted: {what}. Some process wrote where it should not have.");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* SlotAt(long position) => _slots + ((long)((ulong)position % Slots) * _slotSize);
}
