using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The size classes of lengths, computed without a table: four to a doubling, so that slack is at most a fifth.</summary>
/// <remarks>
/// <para>With <c>x = length - 1</c> and <c>z</c> its leading zeros, the two bits below the highest of <c>x</c> give the quarter of the
/// doubling. The index is <c>4 z + quarter</c>. It is not in the order of lengths, but unique for each class. It takes seven instructions;
/// an index in the order of lengths would take ten.</para>
/// <para>The lengths are 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40 … 2^30. A pool with two or one classes to a
/// doubling masks the quarter with 2 or 0, so that quarters share an index.</para>
/// <para>Zero and negative lengths, and lengths over 2^30, also have an index below <see cref="IndexCount"/>. No pool ever fills it, so the
/// fast path needs no test for them.</para>
/// </remarks>
internal static class SizeClass
{
    /// <summary>Every index is less than this.</summary>
    internal const int IndexCount = 132;

    /// <summary>The longest length that has a class.</summary>
    internal const int MaxLength = 1 << 30;

    /// <summary>Returns the mask that <see cref="IndexOf"/> applies to quarters, for 4, 2 or 1 classes to a doubling.</summary>
    internal static uint QuarterMaskFor(int classesPerDoubling) => (uint)(4 - (4 / classesPerDoubling));

    /// <summary>Returns the index of the class of <paramref name="length"/>; for the length of a class, that class.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint IndexOf(int length, uint quarterMask)
    {
        uint x = (uint)(length - 1);
        int zeros = BitOperations.LeadingZeroCount(x);
        return (((x << zeros) >> 29) & quarterMask) + (uint)(zeros << 2);
    }

    /// <summary>Returns the length of the arrays of a class whose index came from a length between 1 and <see cref="MaxLength"/>.</summary>
    internal static int LengthOf(uint index, uint quarterMask)
    {
        // The length is the end of the last quarter that shares the index.
        index |= 3 & ~quarterMask;
        int zeros = (int)(index >> 2);
        if (zeros >= 32)
        {
            return 1;
        }

        int quarter = (int)(index & 3) | 4;
        int shift = 29 - zeros;
        return shift >= 0 ? (quarter + 1) << shift : (quarter >> -shift) + 1;
    }
}
