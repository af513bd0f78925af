using System.Numerics;
using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Counted;

/// <summary>
/// Counts the locks that <c>ArrayPool.Shared</c> takes at least, by its design: a thread keeps one array of each power of two. A
/// rent without one, and a return beside one, visit the stack of a processor under its lock. A rent that finds it empty visits others too.
/// </summary>
/// <remarks>The arrays are as long as the logarithm of the length they stand for.</remarks>
internal readonly struct SharedModel : IBytePool
{
    private const int ShortestLength = 16;
    private const int Powers = 31;

    private static readonly byte[][] s_arrays = [.. Enumerable.Range(0, Powers).Select(power => new byte[power])];
    private static long s_locks;

    [ThreadStatic]
    private static bool[]? t_isKept;

    public static long Locks => Volatile.Read(ref s_locks);

    public byte[] Rent(int length)
    {
        int power = BitOperations.Log2((uint)Math.Max(length, ShortestLength) - 1) + 1;
        ref bool isKept = ref (t_isKept ??= new bool[Powers])[power];
        if (!isKept)
        {
            Interlocked.Increment(ref s_locks);
        }

        isKept = false;
        return s_arrays[power];
    }

    public void Return(byte[] array)
    {
        ref bool isKept = ref (t_isKept ??= new bool[Powers])[array.Length];
        if (isKept)
        {
            Interlocked.Increment(ref s_locks);
        }

        isKept = true;
    }
}
