using System.Numerics;

namespace Tarn.Lab.Workloads.Native;

/// <summary>Sizes in bytes, drawn from the distributions of the originals.</summary>
internal static class SizeDraws
{
    /// <summary>larson: 8 to 999, nearly uniform.</summary>
    public static int Larson(Lran2 random) => 8 + (random.Next() % 992);

    /// <summary>
    /// alloc-test: a half of the sizes is 5 to 8, a quarter 9 to 16, and so on up to 513 to 1024, uniform within each. The seven lowest
    /// bits choose the group, the others the size in it.
    /// </summary>
    public static int Halving(uint random)
    {
        const int ChoiceBits = 7;
        int group = BitOperations.TrailingZeroCount((random & ((1 << ChoiceBits) - 1)) + 1) + 2;
        return (1 << group) + 1 + (int)((random >> ChoiceBits) & ((1u << group) - 1));
    }

    /// <summary>glibc-thread: a size's probability falls with its square, from 4 to 32,768.</summary>
    /// <param name="uniform">From 0 to 1.</param>
    public static int InverseSquare(double uniform)
    {
        const double Smallest = 4;
        const double Largest = 32_768;
        return (int)(1 / ((1 / Smallest) + (uniform * ((1 / Largest) - (1 / Smallest)))));
    }

    /// <summary>
    /// The window's: seven of eight sizes are 8 to 31, seven of eight of the others 32 to 127, and so on up to 131,071, uniform within each
    /// group. So every group has half as many bytes as the one before it, and each size class of an allocator gets something to do.
    /// </summary>
    public static int FallingEighths(uint random)
    {
        const int ChoiceBits = 18;
        const int BitsPerGroup = 3;
        int group = Math.Min(BitOperations.TrailingZeroCount(random | (1u << ChoiceBits)) / BitsPerGroup, 6);
        int smallest = 8 << (2 * group);
        // The remaining 14 bits are spread over three times the smallest size.
        return smallest + (int)(((random >> ChoiceBits) * 3L * smallest) >> (32 - ChoiceBits));
    }
}
