using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Copies and clears memory, on one core or on several.</summary>
/// <remarks>
/// <para>Up to half of the processor's largest cache, it uses the runtime's copy or, on some processors and for lengths that the caches of
/// one core hold, a faster loop of its own. Decision 20 has the processors and the figures. From there on, source and destination do not
/// fit in the cache together, and on x86 processors it writes past the caches instead, which spares reading the destination first. A
/// caller that reads the destination right afterwards then reads it from memory. After <see cref="Span{T}.CopyTo"/>, the last part of a
/// buffer of that size would still be in the cache, so a caller that reads the end first, and wants that read to be fast rather than copy
/// and read together, uses that method. Decision 19 has the figures.</para>
/// <para>On several cores, it divides the copy into slices, which the caller and parked threads take in turn.</para>
/// <para>All members are safe to call from any thread. While one thread copies on several cores, parallel copies of other threads use one
/// core.</para>
/// </remarks>
public static unsafe class BufferCopy
{
    /// <summary>
    /// The fewest bytes copied on several cores. A sleeping helper must be woken, and the bytes it copies are in the caller's cache; only
    /// from this size on does helping always save more than that costs. With half of it, a rested copy took 0.7 to 1.4 of the time on one
    /// core. Threads that copy without pause would gain from an eighth on.
    /// </summary>
    internal const int LeastParallel = 4 << 20;

    /// <summary>Copies of fewer bytes go to the runtime's copy at once.</summary>
    private static readonly nuint s_least = nuint.Min(CachedCopy.LeastBytes, StreamingStores.LeastBytes);

    /// <summary>Copies all of <paramref name="source"/> to the beginning of <paramref name="destination"/>; they may overlap.</summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="destination">The destination, at least as long as <paramref name="source"/>.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="destination"/> is shorter than <paramref name="source"/>; nothing was copied.
    /// </exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        if ((nuint)source.Length < s_least)
        {
            if (!source.TryCopyTo(destination))
            {
                ThrowTooShort(source.Length, destination.Length);
            }

            return;
        }

        CopyLong(source, destination);
    }

    /// <summary>Copies bytes; the ranges may overlap.</summary>
    /// <param name="source">The first byte to read.</param>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="byteCount">The number of bytes. The source must be readable and the destination writable over this length.</param>
    /// <exception cref="ArgumentNullException">An address is null, and <paramref name="byteCount"/> is not 0.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(void* source, void* destination, nuint byteCount)
    {
        if (source != null && destination != null && byteCount < s_least)
        {
            Buffer.MemoryCopy(source, destination, byteCount, byteCount);
            return;
        }

        CopyLong(source, destination, byteCount);
    }

    /// <summary>Writes zeros to all of <paramref name="destination"/>.</summary>
    /// <param name="destination">The bytes to clear.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Clear(Span<byte> destination)
    {
        if ((nuint)destination.Length < StreamingStores.LeastBytes)
        {
            destination.Clear();
            return;
        }

        ClearLong(destination);
    }

    /// <summary>Writes zeros.</summary>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="byteCount">The number of bytes, which must be writable.</param>
    /// <exception cref="ArgumentNullException">
    /// <paramref name="destination"/> is null, and <paramref name="byteCount"/> is not 0.
    /// </exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Clear(void* destination, nuint byteCount)
    {
        if (destination != null && byteCount < StreamingStores.LeastBytes)
        {
            NativeMemory.Clear(destination, byteCount);
            return;
        }

        ClearLong(destination, byteCount);
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
        if (Overlap(source, destination, byteCount))
        {
            throw new ArgumentException(
                "The ranges overlap, which a copy on several cores cannot handle: use Copy.", nameof(destination));
        }

        int cores = maxDegreeOfParallelism == 0 ? Environment.ProcessorCount : Math.Min(maxDegreeOfParallelism, Environment.ProcessorCount);
        CopyPart((byte*)source, (byte*)destination, byteCount, whole: byteCount, cores);
    }

    /// <summary>Copies a part of a larger copy, in the way that suits the whole. The ranges may overlap.</summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="destination">The destination, as long as <paramref name="source"/>.</param>
    /// <param name="whole">The bytes of all parts.</param>
    /// <param name="isParallel">Whether to use several cores.</param>
    internal static void CopyPart(ReadOnlySpan<byte> source, Span<byte> destination, long whole, bool isParallel)
    {
        bool isPlain = !isParallel && (nuint)whole < StreamingStores.LeastBytes;
        if (isPlain || source.Overlaps(destination))
        {
            CachedCopy.Copy(source, destination);
            return;
        }

        fixed (byte* from = source, to = destination)
        {
            CopyPart(from, to, (nuint)source.Length, (nuint)whole, isParallel ? Environment.ProcessorCount : 1);
        }
    }

    /// <summary>Copies a part of a larger copy on one core, in the way that suits the whole. The ranges must not overlap.</summary>
    /// <param name="source">The first byte to read.</param>
    /// <param name="destination">The first byte to write.</param>
    /// <param name="count">The bytes of the part.</param>
    /// <param name="whole">The bytes of all parts.</param>
    internal static void CopyPart(byte* source, byte* destination, nuint count, nuint whole)
    {
        if (whole >= StreamingStores.LeastBytes)
        {
            StreamingStores.Copy(source, destination, count);
        }
        else if (CachedCopy.IsFasterFor(count))
        {
            CachedCopy.CopyLoop(ref *source, ref *destination, count, isBackward: false);
        }
        else
        {
            Buffer.MemoryCopy(source, destination, count, count);
        }
    }

    /// <summary>Copies a part of a larger copy, on several cores if it is long and they are free. The ranges must not overlap.</summary>
    private static void CopyPart(byte* source, byte* destination, nuint count, nuint whole, int cores)
    {
        if (count < LeastParallel || cores == 1 || !CopyCrew.TryCopy(source, destination, count, whole, cores))
        {
            CopyPart(source, destination, count, whole);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyLong(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        if (source.Length > destination.Length)
        {
            ThrowTooShort(source.Length, destination.Length);
        }

        if (CachedCopy.IsFasterFor((nuint)source.Length))
        {
            CachedCopy.CopyLoop(
                ref MemoryMarshal.GetReference(source),
                ref MemoryMarshal.GetReference(destination),
                (nuint)source.Length,
                isBackward: false);
        }
        else
        {
            CopyPinned(source, destination);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyPinned(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        fixed (byte* from = source, to = destination)
        {
            CopyLong(from, to, (nuint)source.Length);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyLong(void* source, void* destination, nuint byteCount)
    {
        ThrowIfNull(source, destination, byteCount);
        if (Overlap(source, destination, byteCount))
        {
            Buffer.MemoryCopy(source, destination, byteCount, byteCount);
        }
        else
        {
            CopyPart((byte*)source, (byte*)destination, byteCount, whole: byteCount);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ClearLong(Span<byte> destination)
    {
        fixed (byte* to = destination)
        {
            StreamingStores.Clear(to, (nuint)destination.Length);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ClearLong(void* destination, nuint byteCount)
    {
        if (byteCount > 0)
        {
            ArgumentNullException.ThrowIfNull(destination);
            StreamingStores.Clear((byte*)destination, byteCount);
        }
    }

    private static bool Overlap(void* source, void* destination, nuint byteCount) =>
        (nuint)destination - (nuint)source < byteCount || (nuint)source - (nuint)destination < byteCount;

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
