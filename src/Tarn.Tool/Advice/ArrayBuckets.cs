using System.Numerics;

namespace Tarn.Tool.Advice;

/// <summary>The lengths that the BCL's pools keep: the powers of two from 16.</summary>
internal static class ArrayBuckets
{
    public const int Shortest = 16;

    /// <summary>The bucket whose buffers are at least as long.</summary>
    public static int Of(int length) => BitOperations.Log2((uint)(length - 1) | (Shortest - 1)) - 3;

    /// <summary>The length of a bucket's buffers.</summary>
    public static int LengthOf(int bucket) => Shortest << bucket;
}
