using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The beginning of a topic's bytes; the slots follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>Message p is in slot p % slots, and there are more slots than the capacity by a step (<see cref="StepOf"/>). The writer announces
/// in <see cref="Limit"/>, a step at a time, how far it may write, and fences, before it writes anything there. So what a reader copied
/// from message p is whole if Limit is at most p + slots afterwards.</para>
/// <para>Equations that hold at any moment: every message before <see cref="Tail"/> is complete; Tail &lt;= Limit &lt;= Tail + step. So the
/// last messages are whole, as many as the capacity. Whenever a writer ends, its successor goes on at Tail.</para>
/// <para>A reader that holds the writer back has a bit in <see cref="Holders"/>, and its position. The writer looks at both between its
/// announcement and what it writes; a reader that comes looks at Limit after it set both. So one of them sees the other.</para>
/// <para>Words that change at different times have cache lines of their own, in pairs, because processors fetch lines in pairs.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Length)]
internal unsafe struct TopicHeader
{
    internal const int Length = PositionsOffset + (RegionHeader.MostMembers * LongsPerPosition * sizeof(long));

    /// <summary>The bytes of a slot before its message: the message's length, and four that keep the message aligned.</summary>
    internal const int SlotHead = 8;

    /// <summary>The largest position at which a writer may begin. No message is as far.</summary>
    internal const long MostPosition = 1L << 62;

    internal const int LongsPerPosition = 16;

    internal const int PositionsOffset = 1280;

    /// <summary>A step is so small a part of the capacity.</summary>
    private const int StepsPerCapacity = 16;

    private const int SlotAlignment = 8;

    /// <summary>The writer's process, as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(0)]
    internal ulong Writer;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(8)]
    internal uint Namespace;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(12)]
    internal uint HasManyKernels;

    /// <summary>The messages that were published.</summary>
    [FieldOffset(128)]
    internal long Tail;

    /// <summary>The writer writes no message at this position or a later one before it changes this.</summary>
    [FieldOffset(256)]
    internal long Limit;

    /// <summary>A bit for each member, by its number, that holds the writer back.</summary>
    [FieldOffset(384)]
    internal ulong Holders;

    /// <summary>The word that readers sleep on when there is no message.</summary>
    [FieldOffset(512)]
    internal Sleeper Data;

    /// <summary>The word that the writer sleeps on when a reader holds it back.</summary>
    [FieldOffset(640)]
    internal Sleeper Space;

    /// <summary>The processes of the members, each as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(768)]
    internal fixed ulong Members[RegionHeader.MostMembers];

    /// <summary>The positions of the members that hold the writer back: one in <see cref="LongsPerPosition"/>.</summary>
    [FieldOffset(PositionsOffset)]
    internal fixed long Positions[RegionHeader.MostMembers * LongsPerPosition];

    /// <summary>How far the writer announces at a time.</summary>
    internal static int StepOf(int capacity) => Math.Max(1, capacity / StepsPerCapacity);

    internal static int SlotSize(int longest) => (SlotHead + longest + SlotAlignment - 1) & -SlotAlignment;

    /// <summary>Returns the size of a region that holds a topic, in bytes.</summary>
    internal static long RegionSize(int capacity, int longest) => Length + ((long)(capacity + StepOf(capacity)) * SlotSize(longest));

    /// <summary>Returns the shape of the region of a topic.</summary>
    /// <inheritdoc cref="SlotLimits.ThrowUnlessInside" path="/exception"/>
    internal static RegionShape ShapeOf(int capacity, int longest)
    {
        SlotLimits.ThrowUnlessInside(capacity, longest);
        return new RegionShape(RegionSize(capacity, longest), longest);
    }

    /// <summary>Returns the capacity of a topic in a region of the given size; null when no topic has that size.</summary>
    internal static int? CapacityOf(long regionSize, int longest)
    {
        if (longest is <= 0 or > SlotLimits.MostLength)
        {
            return null;
        }

        // The sizes rise with the capacity, and the step is a part of the slots; the division may be off by one.
        long slots = (regionSize - Length) / SlotSize(longest);
        long near = slots - Math.Max(1, slots / (StepsPerCapacity + 1));
        for (long capacity = Math.Max(1, near - 1); capacity <= Math.Min(near + 1, SlotLimits.MostCapacity); capacity++)
        {
            if (RegionSize((int)capacity, longest) == regionSize)
            {
                return (int)capacity;
            }
        }

        return null;
    }
}
