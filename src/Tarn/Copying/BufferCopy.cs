namespace Tarn;

/// <summary>Copies memory: on one core, or on several.</summary>
/// <remarks>
/// <para>One core: the runtime's own copy, which runs at the speed of the machine's memory; own loops with non-temporal stores were
/// measured and are no faster. Several cores: the copy is cut into slices that the caller and parked threads take in turn.</para>
/// <para>All members are safe to call from any thread; while one thread copies on several cores, others that want to copy alone.</para>
/// </remarks>
public static unsafe class BufferCopy
{
    /// <summary>
    /// Fewer bytes are copied on one core. A helper that sleeps has to be woken, and what it copies lies in the caller's cache: only from
    /// here on is that less than it saves. Threads that copy without pause would gain from a quarter of it.
    /// </summary>
    internal const int LeastParallel = 2 << 20;

    /// <summary>Copies all of <paramref name="source"/> to the beginning of <paramref name="destination"/>; they may overlap.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="destination">Where to; at least as long.</param>
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
    /// <param name="byteCount">How many bytes; what lies at both must be readable, and writable.</param>
    /// <exception cref="ArgumentNullException">An address is null, and <paramref name="byteCount"/> is not 0.</exception>
    public static void Copy(void* source, void* destination, nuint byteCount)
    {
        ThrowIfNull(source, destination, byteCount);
        Buffer.MemoryCopy(source, destination, byteCount, byteCount);
    }

    /// <summary>
    /// Copies all of <paramref name="source"/> to the beginning of <paramref name="destination"/>, on several cores if it is long.
    /// </summary>
    /// <param name="source">The bytes.</param>
    /// <param name="destination">Where to; at least as long.</param>
    /// <param name="maxDegreeOfParallelism">The most cores, the caller's included; 0 for all the process may use.</param>
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

    /// <summary>Copies bytes, on several cores if they are many.</summary>
    /// <param name="source">The first byte to read.</param>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="byteCount">How many bytes; what lies at both must be readable, and writable.</param>
    /// <param name="maxDegreeOfParallelism">The most cores, the caller's included; 0 for all the process may use.</param>
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
                "The ranges overlap; several cores would copy what others have overwritten already.", nameof(destination));
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
        throw new ArgumentException($"{source} bytes do not fit into a destination of {destination}.", nameof(destination));
}
