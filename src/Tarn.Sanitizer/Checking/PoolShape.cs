using System.Buffers;
using System.Numerics;
using System.Reflection;

namespace Tarn.Sanitizing.Checking;

/// <summary>The lengths that a pool of the framework hands out.</summary>
/// <param name="IsShared">Whether it is <see cref="ArrayPool{T}.Shared"/>.</param>
/// <param name="Longest">The longest length of a bucket; longer buffers have the length asked for and are not pooled.</param>
internal readonly record struct PoolShape(bool IsShared, int Longest)
{
    private const int Shortest = 16;
    private const int LongestShared = 1 << 30;

    /// <summary>The longest of a pool made without arguments.</summary>
    private const int LongestByDefault = 1 << 20;

    internal static PoolShape Of(object pool)
    {
        Type type = pool.GetType();
        if (type.Name == "SharedArrayPool`1")
        {
            return new PoolShape(true, LongestShared);
        }

        object? buckets = type.GetField("_buckets", BindingFlags.Instance | BindingFlags.NonPublic)?.GetValue(pool);
        return new PoolShape(false, buckets is Array { Length: > 0 and < 28 } known ? Shortest << (known.Length - 1) : LongestByDefault);
    }

    /// <summary>The length for one asked for.</summary>
    internal int LengthFor(int asked) =>
        asked > Longest ? asked : (int)Math.Max(Shortest, BitOperations.RoundUpToPowerOf2((uint)asked));

    /// <summary>Whether the pool takes an array of this length; else it throws.</summary>
    internal bool Takes(int length) => LengthFor(length) == length;
}
