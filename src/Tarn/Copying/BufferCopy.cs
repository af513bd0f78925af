namespace Tarn;

/// <summary>Copies memory on one core or on several.</summary>
/// <remarks>
/// <para>On one core, it uses the runtime's copy, which runs at the speed of the machine's memory; loops with non-temporal stores were
/// measured and are no faster. On several cores, it divides the copy into slices, which the caller and parked threads take in turn.</para>
/// <para>All members are safe to call from any thread. While one thread copies on several cores, parallel copies of other threads use one
/// core.</para>
/// </remarks>
public static unsafe class BufferCopy
{
    /// <summary>
    /// The fewest bytes copied on several cores. A sleeping helper must be woken, and the bytes it copies are in the caller's cache; only
    /// from this size on does helping save more than that costs. Threads that copy without pause would gain from a quarter of this size on.
    /// </summary>
    internal const int LeastParallel = 2 << 20;

    /// <summary>Copies all of <paramref name="source"/> to the beginning of <paramref name="destination"/>; they may overlap.</summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="destination">The destination, at least as long as <paramref name="source"/>.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="destination"/> is shorter than <paramref name="source"/>; nothing was copied.
    /// </exception>
    public static void Copy(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        if (!source.TryCopyTo(destination))
        {
            ThrowTooShort(source.Length, destination.Length);
        }
    }

    /// <summary>Copies bytes; the ranges may overlap.</summary>
    /// <param name="source">The first byte to read.</param>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="byteCount">The number of bytes. The source must be readable and the destination writable over this length.</param>
    /// <exception cref="ArgumentNullException">An address is null, and <paramref name="byteCount"/> is not 0.</exception>
    public static void Copy(void* source, void* destination, nuint byteCount)
    {
        ThrowIfNull(source, destination, byteCount);
        Buffer.MemoryCopy(source, destination, byteCount, byteCount);
    }

    /// <summary>
    /// Copies all of <paramref name="source"/> to the beginning of <paramref name="destination"/>, on several cores if it is long.
    /// </summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="destination">The destination, at least as long as <paramref name="source"/>.</param>
    /// <param name="maxDegreeOfParallelism">The most cores to use, including the caller's; 0 uses all that the process may use.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="destination"/> is shorter than <paramref name="source"/>, or they overlap; nothing was copied.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is negative.</exception>
    public static void CopyParallel(ReadOnlySpan<byte> source, Span<byte> destination, int maxDegreeOfParallelism = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxDegreeOfParallelism);
        if (source.Length > destination.Length)
        {
            ThrowTooShort(source.Length, destination.Length);
        }

        fixed (byte* from = source, to = destination)
        {
            CopyParallel(from, to, (nuint)source.Length, maxDegreeOfParallelism);
        }
    }

    /// <summary>Copies bytes, on several cores if there are many.</summary>
    /// <param name="source">The first byte to read.</param>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="byteCount">The number of bytes. The source must be readable and the destination writable over this length.</param>
    /// <param name="maxDegreeOfParallelism">The most cores to use, including the caller's; 0 uses all that the process may use.</param>
    /// <exception cref="ArgumentNullException">An address is null, and <paramref name="byteCount"/> is not 0.</exception>
    /// <exception cref="ArgumentException">The ranges overlap; nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is negative.</exception>
    public static void CopyParallel(void* source, void* destination, nuint byteCount, int maxDegreeOfParallelism = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxDegreeOfParallelism);
        ThrowIfNull(source, destination, byteCount);
        if ((nuint)destination - (nuint)source < byteCount || (nuint)source - (nuint)destination < byteCount)
        {
            throw new ArgumentException(
                "The ranges overlap, which a copy on several cores cannot handle: use Copy.", nameof(destination));
        }

        int cores = maxDegreeOfParallelism == 0 ? Environment.ProcessorCount : Math.Min(maxDegreeOfParallelism, Environment.ProcessorCount);
        if (byteCount < LeastParallel || cores == 1 || !CopyCrew.TryCopy((byte*)source, (byte*)destination, byteCount, cores))
        {
            Buffer.MemoryCopy(source, destination, byteCount, byteCount);
        }
    }

    private static void ThrowIfNull(void* source, void* destination, nuint byteCount)
    {
        if (byteCount > 0)
        {
            ArgumentNullException.ThrowIfNull(source);
            ArgumentNullException.ThrowIfNull(destination);
        }
    }

    private static void ThrowTooShort(int source, int destination) =>
        throw new ArgumentException($"{source} bytes do not fit in {destination}: pass a longer destination.", nameof(destination));
}
