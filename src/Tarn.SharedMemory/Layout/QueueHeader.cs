using System.Numerics;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The beginning of a queue's bytes; the slots follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>A slot is a <see cref="SlotWord"/>, the message's length, and room for the longest message. Position p is the turn p / capacity of
/// slot p % capacity. The word of a slot says everything about it; each change of it is one compare-and-swap, so no process can end in the
/// middle of one.</para>
/// <para><see cref="Tail"/> and <see cref="Head"/> only say where to look. Equations that hold at any moment: every position before Tail
/// was claimed; no message waits at a position before Head, except one that was returned; neither ever falls. So a slot whose position in
/// this turn is Tail has at most begun the next turn, and is free then. One whose position is Head has at most begun the next turn, and no
/// reader has taken that message.</para>
/// <para>Words that many write have cache lines of their own, in pairs, because processors fetch lines in pairs.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Length)]
internal unsafe struct QueueHeader
{
    internal const int Length = 1536;

    /// <summary>The bytes of a slot before its message: its word and the message's length.</summary>
    internal const int SlotHead = 16;

    internal const int LeastCapacity = 2;

    /// <summary>The size of a slot is a multiple of a cache line.</summary>
    private const int SlotAlignment = 64;

    internal const int MembersOffset = 640;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(0)]
    internal uint Namespace;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(4)]
    internal uint HasManyKernels;

    /// <summary>Changes after messages were returned, so that readers look for them.</summary>
    [FieldOffset(8)]
    internal uint Returns;

    /// <summary>The claims that were skipped because their process is gone.</summary>
    [FieldOffset(16)]
    internal long Skipped;

    /// <summary>The messages that were returned because the reader that took them is gone or did not end its read.</summary>
    [FieldOffset(24)]
    internal long Returned;

    /// <summary>Where a writer looks for a free slot.</summary>
    [FieldOffset(128)]
    internal long Tail;

    /// <summary>Where a reader looks for a message.</summary>
    [FieldOffset(256)]
    internal long Head;

    /// <summary>The word that readers sleep on when there is no message.</summary>
    [FieldOffset(384)]
    internal Sleeper Data;

    /// <summary>The word that writers sleep on when the queue is full.</summary>
    [FieldOffset(512)]
    internal Sleeper Space;

    /// <summary>The processes of the members, each as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(MembersOffset)]
    internal fixed ulong Members[RegionHeader.MostMembers];

    /// <summary>Returns the capacity of a queue: the requested one, rounded up to a power of two.</summary>
    internal static int RoundUp(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(capacity, LeastCapacity));

    internal static int SlotSize(int longest) => (SlotHead + longest + SlotAlignment - 1) & -SlotAlignment;

    /// <summary>Returns the size of a region that holds a queue, in bytes.</summary>
    internal static long RegionSize(int capacity, int longest) => Length + ((long)capacity * SlotSize(longest));

    /// <summary>Returns the shape of the region of a queue.</summary>
    /// <inheritdoc cref="SlotLimits.ThrowUnlessInside" path="/exception"/>
    internal static RegionShape ShapeOf(int capacity, int longest)
    {
        SlotLimits.ThrowUnlessInside(capacity, longest);
        return new RegionShape(RegionSize(RoundUp(capacity), longest), longest);
    }

    /// <summary>Returns the capacity of a queue in a region of the given size; null when no such queue has that size.</summary>
    internal static int? CapacityOf(long regionSize, int longest)
    {
        if (longest is <= 0 or > SlotLimits.MostLength)
        {
            return null;
        }

        (long capacity, long rest) = Math.DivRem(regionSize - Length, SlotSize(longest));
        return rest == 0 && capacity is >= LeastCapacity and <= SlotLimits.MostCapacity && BitOperations.IsPow2(capacity)
            ? (int)capacity
            : null;
    }
}
