namespace Tarn;

/// <summary>
/// Which idle large buffers may serve another size: those at most a doubling away, the nearest first, that were at rest for a while.
/// </summary>
/// <remarks>
/// <para>A program that uses many sizes would otherwise keep buffers of each of them, several times the memory in use. A buffer of a near
/// size also needs fewer fresh OS pages than a new one.</para>
/// <para>Rest is counted in large allocations, not in time, because a program that repeats its work needs the same sizes again after about
/// as many allocations, however fast it runs. Both figures are compromises between memory and the cost of fresh OS pages.</para>
/// </remarks>
internal static class NearSizes
{
    /// <summary>
    /// A thread's slot is at rest after this many large allocations of the thread. Up to so many sizes, used in turn, keep their buffers.
    /// </summary>
    internal const int SlotRest = 32;

    /// <summary>A kept buffer is at rest after this many allocations of the heap that no slot served.</summary>
    internal const int KeptRest = 8;

    /// <summary>
    /// The smallest class with huge pages. A smaller size never takes a buffer from it: a touch of one byte may make a whole huge page
    /// resident, beyond the part that is in use.
    /// </summary>
    private static readonly int s_hugeClass = (int)BlockSizes.IndexOf(LargeBuffers.HugeFrom);

    /// <summary>The classes to look in, as distances from the one that is wanted. A larger buffer needs no fresh memory.</summary>
    internal static ReadOnlySpan<int> Distances => [1, -1, 2, -2, 3, -3, 4, -4];

    /// <summary>Whether a buffer of the class <paramref name="from"/>, if there is such a class, may serve another class.</summary>
    internal static bool MayServe(int from, int to) =>
        from is >= BlockSizes.SlabClassCount and < BlockSizes.ClassCount && (from < s_hugeClass || to >= s_hugeClass);
}
