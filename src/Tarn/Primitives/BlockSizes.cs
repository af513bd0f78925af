using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The size classes of native blocks, computed without a table.</summary>
/// <remarks>
/// <para>The sizes are those of KMalloc: 4, 8, 12 … 32, 40, 48, 56, 64, 80 …, four to a doubling from 16 up, so that slack is at most a
/// fifth. With <c>x = size - 1</c> and <c>s</c> two less than the position of the highest bit of <c>x</c> (at least 2), the index is <c>(x
/// >> s) + 4 s - 8</c>: in the order of sizes, from 0.</para>
/// <para>Size 0 and sizes above <see cref="LargestClassSize"/> have an index from <see cref="ClassCount"/> to below
/// <see cref="IndexCount"/>, so the fast path needs no test for them.</para>
/// <para>A block is aligned to the largest power of two that divides its size, up to <see cref="LargestAlignment"/>. Every multiple of a
/// power of two has a class whose size is also a multiple of it.</para>
/// </remarks>
internal static class BlockSizes
{
    /// <summary>Every index is less than this.</summary>
    internal const int IndexCount = 256;

    /// <summary>The smallest <see cref="EntryOf"/>.</summary>
    internal const int FirstEntry = -12;

    /// <summary>Sizes up to this may have several entries for one class, whose sizes differ by <see cref="SmallestStep"/>.</summary>
    internal const nuint LargestSplitSize = 16;

    /// <summary>The difference between the smallest sizes, in bytes.</summary>
    internal const nuint SmallestStep = 4;

    /// <summary>The number of classes up to <see cref="LargestSlabSize"/>, whose blocks are in slabs.</summary>
    internal const int SlabClassCount = 60;

    /// <summary>The largest block in a slab, in bytes.</summary>
    internal const nuint LargestSlabSize = 256 << 10;

    /// <summary>The number of all classes. Those from <see cref="SlabClassCount"/> on are large buffers, one mapping each.</summary>
    internal const int ClassCount = 108;

    /// <summary>The largest size that has a class, in bytes; beyond it, sizes are multiples of <see cref="LargestAlignment"/>.</summary>
    internal const nuint LargestClassSize = 1 << 30;

    /// <summary>The largest alignment of a block, in bytes: the huge page of most processors.</summary>
    internal const nuint LargestAlignment = 2 << 20;

    private const int SizeBits = 64;

    /// <summary>Returns the index of the class of <paramref name="size"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint IndexOf(nuint size)
    {
        ulong x = (ulong)size - 1;
        int s = SizeBits - 3 - BitOperations.LeadingZeroCount(x | 16);
        return (nuint)((x >> s) + (ulong)(uint)(4 * s) - 8);
    }

    /// <summary>
    /// Returns the place of the class of <paramref name="size"/> in a table for fast paths, from <see cref="FirstEntry"/> to below
    /// <see cref="IndexCount"/>. It takes fewer instructions than the index. Sizes up to 16 of one class may have different places, sizes
    /// of two classes never have the same.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nint EntryOf(nuint size)
    {
        nuint x = size - 1;
        int s = SizeBits - 3 - BitOperations.LeadingZeroCount((ulong)x);
        return (nint)(x >> s) + (4 * s);
    }

    /// <summary>Returns the size of the blocks of a class, in bytes.</summary>
    internal static nuint SizeOf(int index)
    {
        // With x = size - 1 written as (4 + quarter) << s, the class ends where the next quarter begins.
        int s = index < 4 ? 2 : (index / 4) + 1;
        int quarters = index - (4 * s) + 8;
        return (nuint)(quarters + 1) << s;
    }

    /// <summary>Rounds <paramref name="size"/> up to a block size; 0 when the result does not fit in a <see langword="nuint"/>.</summary>
    internal static nuint RoundUp(nuint size)
    {
        if (size <= LargestClassSize)
        {
            return SizeOf((int)IndexOf(Math.Max(size, 1)));
        }

        return unchecked(size + (LargestAlignment - 1)) & ~(LargestAlignment - 1);
    }

    /// <summary>
    /// Returns the largest power of two that divides <paramref name="blockSize"/>, at most <see cref="LargestAlignment"/>.
    /// </summary>
    internal static nuint AlignmentOf(nuint blockSize) => Math.Min(blockSize & (~blockSize + 1), LargestAlignment);
}
