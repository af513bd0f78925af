using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Tarn;

/// <summary>Copies and clears memory with non-temporal stores, which write past the caches.</summary>
/// <remarks>
/// <para>An ordinary store first reads the line that it writes to into the cache, and later writes it back: a copy moves each byte three
/// times over the memory bus. A non-temporal store collects a line and writes it, so a copy moves each byte twice. That wins if the
/// destination does not stay in the cache anyway, and loses if it does.</para>
/// <para>The stores are not ordered with later ones. Each member ends with a fence, so whoever sees a later store of the caller sees the
/// bytes.</para>
/// </remarks>
internal static unsafe class StreamingStores
{
    /// <summary>Where the size of the caches is unknown.</summary>
    private const long UsualCache = 32 << 20;

    private const nuint Line = 64;
    private const nuint Step = 128;

    /// <summary>
    /// The fewest bytes to copy or clear this way: from here on, source and destination do not fit in the largest cache together. The
    /// largest possible number where the processor lacks the stores.
    /// </summary>
    internal static nuint LeastBytes { get; } = LeastBytesFor(Avx.IsSupported, ProcessorCache.LargestBytes);

    /// <summary>Returns <see cref="LeastBytes"/> for a processor with a largest cache of <paramref name="cache"/> bytes.</summary>
    /// <remarks>
    /// Many cores share a cache of hundreds of MiB, so a copy by one of them gets a part; a cache of a few MiB is backed by a larger one
    /// that the processor does not report, or by nothing.
    /// </remarks>
    internal static nuint LeastBytesFor(bool isSupported, long cache) =>
        !isSupported ? nuint.MaxValue : (nuint)Math.Clamp((cache > 0 ? cache : UsualCache) / 2, 8 << 20, 16 << 20);

    /// <summary>Copies bytes between ranges that do not overlap.</summary>
    internal static void Copy(byte* source, byte* destination, nuint count)
    {
        nuint head = Math.Min(HeadOf(destination), count);
        Buffer.MemoryCopy(source, destination, head, head);
        nuint end = head + ((count - head) & ~(Step - 1));
        CopySteps(source, destination, head, end);
        Buffer.MemoryCopy(source + end, destination + end, count - end, count - end);
    }

    /// <summary>Writes zeros.</summary>
    internal static void Clear(byte* destination, nuint count)
    {
        nuint head = Math.Min(HeadOf(destination), count);
        Unsafe.InitBlockUnaligned(destination, 0, (uint)head);
        nuint end = head + ((count - head) & ~(Step - 1));
        ClearSteps(destination, head, end);
        Unsafe.InitBlockUnaligned(destination + end, 0, (uint)(count - end));
    }

    /// <summary>The bytes before the first whole cache line.</summary>
    private static nuint HeadOf(byte* address) => (nuint)(-(nint)address) & (Line - 1);

    /// <summary>Optimized from the first call on: the first copy may be the only one, and of a gigabyte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void CopySteps(byte* source, byte* destination, nuint from, nuint end)
    {
        for (nuint i = from; i < end; i += Step)
        {
            Vector256<byte> first = Vector256.Load(source + i);
            Vector256<byte> second = Vector256.Load(source + i + 32);
            Vector256<byte> third = Vector256.Load(source + i + 64);
            Vector256<byte> fourth = Vector256.Load(source + i + 96);
            first.StoreAlignedNonTemporal(destination + i);
            second.StoreAlignedNonTemporal(destination + i + 32);
            third.StoreAlignedNonTemporal(destination + i + 64);
            fourth.StoreAlignedNonTemporal(destination + i + 96);
        }

        Sse.StoreFence();
    }

    /// <inheritdoc cref="CopySteps"/>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void ClearSteps(byte* destination, nuint from, nuint end)
    {
        Vector256<byte> zero = Vector256<byte>.Zero;
        for (nuint i = from; i < end; i += Step)
        {
            zero.StoreAlignedNonTemporal(destination + i);
            zero.StoreAlignedNonTemporal(destination + i + 32);
            zero.StoreAlignedNonTemporal(destination + i + 64);
            zero.StoreAlignedNonTemporal(destination + i + 96);
        }

        Sse.StoreFence();
    }
}
