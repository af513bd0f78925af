using System.Numerics;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The beginning of a ring's bytes; the records follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>Equations that hold at any moment: 0 ≤ WritePosition − ReadPosition ≤ Capacity; both positions are multiples of 8 and only grow.
/// Between ReadPosition and WritePosition lie complete records, each at its position modulo Capacity: 8 bytes whose first 4 are the
/// message's length, the message, and padding to a multiple of 8.</para>
/// <para>A record is never split. One that begins near the end of the capacity runs on into the bytes after it, which hold the longest
/// record; the next record begins where it would have begun after a split. So a record takes the same bytes at any position, none needs
/// filling, and every message is one span.</para>
/// <para>Only the writer writes WritePosition, after completing a record; only the reader writes ReadPosition, after finishing with one. So
/// whenever a process dies, its successor finds complete records between the two. Each side keeps a private copy of its own position, reads
/// the other's once, and verifies the equations before using it. So no header contents make a process access memory outside the
/// ring.</para>
/// <para>Words that one side writes often have cache lines of their own, in pairs, because processors fetch lines in pairs.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Length)]
internal unsafe struct RingHeader
{
    internal const int Length = 1024;

    /// <summary>The bytes of a record before its message. The size of a record is a multiple of it.</summary>
    internal const int RecordAlignment = 8;

    internal const int WritePositionOffset = 128;

    internal const int ReadPositionOffset = 256;

    internal const int LeastCapacity = 64;

    internal const int MostCapacity = 1 << 30;

    /// <summary>
    /// The largest position at which a side may begin. No ring gets that far, and adding a size to such a position does not overflow.
    /// </summary>
    internal const ulong MostPosition = 1UL << 62;

    /// <summary>The writer's process, as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(0)]
    internal ulong Writer;

    /// <summary>The reader's process, as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(8)]
    internal ulong Reader;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(16)]
    internal uint Namespace;

    /// <summary>The number of times a process became the writer. Distinguishes two exits of the same process.</summary>
    [FieldOffset(20)]
    internal uint Writers;

    /// <summary>The number of times a process became the reader.</summary>
    [FieldOffset(24)]
    internal uint Readers;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(28)]
    internal uint HasManyKernels;

    [FieldOffset(WritePositionOffset)]
    internal long WritePosition;

    [FieldOffset(ReadPositionOffset)]
    internal long ReadPosition;

    /// <summary>The word that a reader sleeps on when the ring is empty.</summary>
    [FieldOffset(384)]
    internal Sleeper Data;

    /// <summary>The word that a writer sleeps on when the ring is full.</summary>
    [FieldOffset(512)]
    internal Sleeper Space;

    /// <summary>Returns the capacity of a ring: the requested one, rounded up to a power of two.</summary>
    internal static int RoundUp(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(capacity, LeastCapacity));

    /// <summary>Returns the size of a region that holds a ring, in bytes.</summary>
    internal static long RegionSize(int capacity) => Length + capacity + RecordSize(LongestMessage(capacity));

    /// <summary>Returns the shape of the region of a ring.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No ring has that capacity.</exception>
    internal static RegionShape ShapeOf(int capacity) => capacity is > 0 and <= MostCapacity
        ? new RegionShape(RegionSize(RoundUp(capacity)))
        : throw new ArgumentOutOfRangeException(
            nameof(capacity), capacity, $"The capacity must lie between 1 and {MostCapacity} bytes.");

    internal static int LongestMessage(int capacity) => capacity / 2;

    internal static int RecordSize(int messageLength) => RecordAlignment + ((messageLength + RecordAlignment - 1) & -RecordAlignment);

    /// <summary>Checks the equations, including those of the records, while no side writes or reads.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
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

    /// <summary>Returns the capacity of a ring in a region of the given size; null when no ring has that size.</summary>
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
