using System.Numerics;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The beginning of a ring's bytes; the records follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>Equations, of any moment: 0 ≤ WritePosition − ReadPosition ≤ Capacity; both are multiples of 8 and only grow. From ReadPosition to
/// WritePosition lie complete records, each at its position modulo Capacity: 8 bytes of which the first 4 are the message's length, the
/// message, and what is missing to a multiple of 8.</para>
/// <para>A record is never split: one that begins near the end of the capacity runs on into the bytes behind it, of which there are as many
/// as the longest record has, and the next begins where it would have begun had it been split. So a position costs the same bytes wherever
/// its record lies, no record needs filling, and every message is one span.</para>
/// <para>Only the writer writes WritePosition, when a record is complete; only the reader writes ReadPosition, when it has done with one.
/// So whatever moment a process dies at, its successor finds complete records between the two. Each side keeps its own position to itself,
/// reads the other's once, and looks whether the equations hold before it uses it: so nothing that stands here makes a process reach
/// outside.</para>
/// <para>What one side writes often has lines of its own, by two, as processors fetch lines in pairs.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Length)]
internal unsafe struct RingHeader
{
    internal const int Length = 1024;

    /// <summary>Bytes of a record before its message; records are multiples of it, too.</summary>
    internal const int RecordAlignment = 8;

    internal const int LeastCapacity = 64;

    internal const int MostCapacity = 1 << 30;

    /// <summary>Where a side may begin: no ring comes so far, and no sum of a position and a size wraps beyond it.</summary>
    internal const ulong MostPosition = 1UL << 62;

    /// <summary>The writer's process, as a <see cref="RingRole"/>.</summary>
    [FieldOffset(0)]
    internal ulong Writer;

    /// <summary>The reader's.</summary>
    [FieldOffset(8)]
    internal ulong Reader;

    /// <summary>Where the ids of both are valid; <see cref="ManyNamespaces"/> when they are of several.</summary>
    [FieldOffset(16)]
    internal uint Namespace;

    /// <summary>How often a process became the writer; distinguishes two exits of the same process.</summary>
    [FieldOffset(20)]
    internal uint Writers;

    /// <summary>The same of the reader.</summary>
    [FieldOffset(24)]
    internal uint Readers;

    [FieldOffset(128)]
    internal long WritePosition;

    [FieldOffset(256)]
    internal long ReadPosition;

    /// <summary>What a reader sleeps on that finds the ring empty.</summary>
    [FieldOffset(384)]
    internal RingSleeper Data;

    /// <summary>What a writer sleeps on that finds it full.</summary>
    [FieldOffset(512)]
    internal RingSleeper Space;

    /// <summary>No namespace has this number.</summary>
    internal const uint ManyNamespaces = uint.MaxValue;

    /// <summary>The capacity a ring gets: a power of two.</summary>
    internal static int RoundUp(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(capacity, LeastCapacity));

    /// <summary>Bytes of a region that holds a ring.</summary>
    internal static long RegionSize(int capacity) => Length + capacity + RecordSize(LongestMessage(capacity));

    internal static int LongestMessage(int capacity) => capacity / 2;

    internal static int RecordSize(int messageLength) => RecordAlignment + ((messageLength + RecordAlignment - 1) & -RecordAlignment);

    /// <summary>Checks the equations, the records' too, while nobody writes or reads.</summary>
    /// <exception cref="InvalidOperationException">One does not hold; the message says which.</exception>
    internal static void Validate(RingHeader* header, int capacity)
    {
        (long read, long write) = (header->ReadPosition, header->WritePosition);
        Throw.UnlessHolds(read >= 0 && read % RecordAlignment == 0 && write % RecordAlignment == 0, "positions are multiples of 8");
        Throw.UnlessHolds(write - read >= 0 && write - read <= capacity, "the positions lie no further apart than the capacity");
        for (long position = read; position < write;)
        {
            int length = *(int*)((byte*)header + Length + (position & (capacity - 1)));
            Throw.UnlessHolds(length >= 0 && length <= LongestMessage(capacity), "a record has the length of a message");
            position += RecordSize(length);
            Throw.UnlessHolds(position <= write, "the last record ends at the write position");
        }
    }

    /// <summary>The capacity of the ring in a region of a size; null when no ring has that size.</summary>
    internal static int? CapacityOf(long regionSize)
    {
        for (int capacity = LeastCapacity; capacity is > 0 and <= MostCapacity; capacity *= 2)
        {
            if (RegionSize(capacity) == regionSize)
            {
                return capacity;
            }
        }

        return null;
    }
}
