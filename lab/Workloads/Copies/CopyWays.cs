using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Tarn.Lab.Workloads.Copies;

/// <summary>Ways to copy or clear large memory, of which the library could have taken another than it has.</summary>
/// <remarks>Each is optimized from its first call on. Addresses are aligned to 64 bytes, and sizes are multiples of a megabyte.</remarks>
internal static unsafe class CopyWays
{
    public const string Plain = "Buffer.MemoryCopy";
    public const string Ours = "BufferCopy.Copy";
    public const string PlainClear = "Span.Clear";
    public const string OurClear = "BufferCopy.Clear";

    private const int Line = 64;

    public delegate void Way(byte* source, byte* destination, nuint size);

    /// <summary>Copies, the runtime's and ours first.</summary>
    public static IReadOnlyList<(string Name, Way Copy)> Copies { get; } =
    [
        (Plain, static (source, destination, size) => Buffer.MemoryCopy(source, destination, size, size)),
        (Ours, static (source, destination, size) => BufferCopy.Copy(source, destination, size)),
        ("pieces of 128 KiB", static (source, destination, size) => InPieces(source, destination, size, 128 << 10)),
        ("pieces of 512 KiB", static (source, destination, size) => InPieces(source, destination, size, 512 << 10)),
        .. Vector256.IsHardwareAccelerated ? ((string, Way)[])[("32-byte stores", Ordinary32)] : [],
        .. Sse2.IsSupported ? ((string, Way)[])[("16-byte non-temporal", NonTemporal16)] : [],
        .. Avx.IsSupported
            ? ((string, Way)[])
            [
                ("32-byte non-temporal", NonTemporal32),
                ("the same, source prefetched", Prefetched32),
                ("four pages at a time", FourPages32),
                ("through the first cache", TwoPasses32),
            ]
            : [],
        .. Avx512F.IsSupported ? ((string, Way)[])[("64-byte non-temporal", NonTemporal64)] : [],
    ];

    /// <summary>Clears, the runtime's and ours first. They do not read the source.</summary>
    public static IReadOnlyList<(string Name, Way Clear)> Clears { get; } =
    [
        (PlainClear, static (_, destination, size) => new Span<byte>(destination, (int)size).Clear()),
        (OurClear, static (_, destination, size) => BufferCopy.Clear(destination, size)),
        .. Avx512F.IsSupported ? ((string, Way)[])[("64-byte non-temporal", ClearNonTemporal64)] : [],
    ];

    /// <summary>Reads every cache line once, as a caller does who uses the bytes next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static long Sum(byte* bytes, nuint size)
    {
        Vector256<long> first = default;
        Vector256<long> second = default;
        for (nuint i = 0; i < size; i += Line)
        {
            first += Vector256.Load((long*)(bytes + i));
            second += Vector256.Load((long*)(bytes + i + 32));
        }

        return Vector256.Sum(first + second);
    }

    private static void InPieces(byte* source, byte* destination, nuint size, nuint piece)
    {
        for (nuint i = 0; i < size; i += piece)
        {
            Buffer.MemoryCopy(source + i, destination + i, piece, piece);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Ordinary32(byte* source, byte* destination, nuint size)
    {
        for (nuint i = 0; i < size; i += Line)
        {
            Vector256<byte> first = Vector256.LoadAligned(source + i);
            Vector256<byte> second = Vector256.LoadAligned(source + i + 32);
            first.StoreAligned(destination + i);
            second.StoreAligned(destination + i + 32);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void NonTemporal16(byte* source, byte* destination, nuint size)
    {
        for (nuint i = 0; i < size; i += Line)
        {
            Vector128<byte> first = Vector128.LoadAligned(source + i);
            Vector128<byte> second = Vector128.LoadAligned(source + i + 16);
            Vector128<byte> third = Vector128.LoadAligned(source + i + 32);
            Vector128<byte> fourth = Vector128.LoadAligned(source + i + 48);
            first.StoreAlignedNonTemporal(destination + i);
            second.StoreAlignedNonTemporal(destination + i + 16);
            third.StoreAlignedNonTemporal(destination + i + 32);
            fourth.StoreAlignedNonTemporal(destination + i + 48);
        }

        Sse.StoreFence();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void NonTemporal32(byte* source, byte* destination, nuint size)
    {
        for (nuint i = 0; i < size; i += Line)
        {
            Vector256<byte> first = Vector256.LoadAligned(source + i);
            Vector256<byte> second = Vector256.LoadAligned(source + i + 32);
            first.StoreAlignedNonTemporal(destination + i);
            second.StoreAlignedNonTemporal(destination + i + 32);
        }

        Sse.StoreFence();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Prefetched32(byte* source, byte* destination, nuint size)
    {
        for (nuint i = 0; i < size; i += Line)
        {
            Sse.PrefetchNonTemporal(source + i + 512);
            Vector256<byte> first = Vector256.LoadAligned(source + i);
            Vector256<byte> second = Vector256.LoadAligned(source + i + 32);
            first.StoreAlignedNonTemporal(destination + i);
            second.StoreAlignedNonTemporal(destination + i + 32);
        }

        Sse.StoreFence();
    }

    /// <summary>Lines of four pages in turn, so that four pages' prefetchers run at once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void FourPages32(byte* source, byte* destination, nuint size)
    {
        const nuint Page = 4096;
        for (nuint i = 0; i < size; i += 4 * Page)
        {
            for (nuint line = 0; line < Page; line += Line)
            {
                for (nuint at = i + line; at < i + (4 * Page); at += Page)
                {
                    Vector256<byte> first = Vector256.LoadAligned(source + at);
                    Vector256<byte> second = Vector256.LoadAligned(source + at + 32);
                    first.StoreAlignedNonTemporal(destination + at);
                    second.StoreAlignedNonTemporal(destination + at + 32);
                }
            }
        }

        Sse.StoreFence();
    }

    /// <summary>A page is first fetched whole, then copied, so that reads and writes of memory come in runs.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void TwoPasses32(byte* source, byte* destination, nuint size)
    {
        const nuint Piece = 4096;
        for (nuint i = 0; i < size; i += Piece)
        {
            for (nuint at = i; at < i + Piece; at += Line)
            {
                Sse.Prefetch0(source + at);
            }

            for (nuint at = i; at < i + Piece; at += Line)
            {
                Vector256<byte> first = Vector256.LoadAligned(source + at);
                Vector256<byte> second = Vector256.LoadAligned(source + at + 32);
                first.StoreAlignedNonTemporal(destination + at);
                second.StoreAlignedNonTemporal(destination + at + 32);
            }
        }

        Sse.StoreFence();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void NonTemporal64(byte* source, byte* destination, nuint size)
    {
        for (nuint i = 0; i < size; i += Line)
        {
            Vector512.LoadAligned(source + i).StoreAlignedNonTemporal(destination + i);
        }

        Sse.StoreFence();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void ClearNonTemporal64(byte* source, byte* destination, nuint size)
    {
        Vector512<byte> zero = Vector512<byte>.Zero;
        for (nuint i = 0; i < size; i += Line)
        {
            zero.StoreAlignedNonTemporal(destination + i);
        }

        Sse.StoreFence();
    }
}
