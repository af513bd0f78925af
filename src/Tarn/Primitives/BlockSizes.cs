using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The size classes of native blocks: pure maths, no table.</summary>
/// <remarks>
/// <para>The sizes are those of KMalloc: 4, 8, 12 … 32, 40, 48, 56, 64, 80 …, four to a doubling from 16 up, so that slack is at most a
/// fifth. With <c>x = size - 1</c> and <c>s</c> two less than the place of the highest bit of <c>x</c> (2 at least), the index is
/// <c>(x >> s) + 4 s - 8</c>: in the order of sizes, from 0.</para>
/// <para>Size 0 and sizes above <see cref="LargestClassSize"/> have an index below <see cref="IndexCount"/> too, one at or above
/// <see cref="ClassCount"/>: the fast path needs no test for them.</para>
/// <para>A block is aligned to the largest power of two that divides its size, up to <see cref="LargestAlignment"/>; every multiple of a
/// power of two has a class whose size is a multiple of it as well.</para>
/// </remarks>
internal static class BlockSizes
{
    /// <summary>Every index is less than this.</summary>
    internal const int IndexCount = 256;

    /// <summary>Classes up to <see cref="LargestSlabSize"/>; their blocks lie in slabs.</summary>
    internal const int SlabClassCount = 60;

    /// <summary>The largest block that lies in a slab with others, in bytes.</summary>
    internal const nuint LargestSlabSize = 256 << 10;

    /// <summary>All classes. Those from <see cref="SlabClassCount"/> on are large buffers, one mapping each.</summary>
    internal const int ClassCount = 108;

    /// <summary>The largest size that has a class, in bytes; beyond it, sizes are multiples of <see cref="LargestAlignment"/>.</summary>
    internal const nuint LargestClassSize = 1 << 30;

    /// <summary>No block is aligned to more, in bytes: the huge page of most processors.</summary>
    internal const nuint LargestAlignment = 2 << 20;

    private const int SizeBits = 64;

    /// <summary>The class of <paramref name="size"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint IndexOf(nuint size)
    {
        ulong x = (ulong)size - 1;
        int s = SizeBits - 3 - BitOperations.LeadingZeroCount(x | 16);
        return (nuint)((x >> s) + (ulong)(uint)(4 * s) - 8);
    }

    /// <summary>The size of the blocks of a class, in bytes.</summary>
    internal static nuint SizeOf(int index)
    {
        // With x = size - 1 written as (4 + quarter) << s, the class ends where the next quarter begins.
        int s = index < 4 ? 2 : (index / 4) + 1;
        int quarters = index - (4 * s) + 8;
        return (nuint)(quarters + 1) << s;
    }

    /// <summary>
    /// What a request of <paramref name="size"/> is rounded up to; 0 when that cannot be said in a <see langword="nuint"/>.
    /// </summary>
    internal static nuint RoundUp(nuint size)
    {
        if (size <= LargestClassSize)
        {
            return SizeOf((int)IndexOf(Math.Max(size, 1)));
        }

        return unchecked(size + (LargestAlignment - 1)) & ~(LargestAlignment - 1);
    }

    /// <summary>The largest power of two that divides <paramref name="blockSize"/>, at most <see cref="LargestAlignment"/>.</summary>
    internal static nuint AlignmentOf(nuint blockSize) => Math.Min(blockSize & (~blockSize + 1), LargestAlignment);
}
