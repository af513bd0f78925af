using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Tarn;

/// <summary>Copies some hundred bytes to some hundred kibibytes, which the caches of one core hold.</summary>
/// <remarks>
/// <para>The runtime's copy of more than 2 KiB is the C library's. On processors with AMD's Zen 3 and Zen 4, its speed depends on how
/// source and target lie to each other. A loop of 32-byte loads and stores is as fast as that copy at its best, wherever they lie. So these
/// copies use the loop; on Zen 4 also shorter ones, where the runtime's own loop is slower. Other processors, and longer copies, use the
/// runtime's copy: on Zen 5 the loop loses, and others were not measured.</para>
/// <para>A load waits for a store shortly before it whose address has the same last twelve bits. A loop in the other direction does not, so
/// the distance of source and target can decide the direction.</para>
/// </remarks>
internal static unsafe class CachedCopy
{
    /// <summary>The fewest bytes for which the call of the loop pays on Zen 4.</summary>
    private const int Least = 256;

    /// <summary>The most bytes that the runtime copies itself. The C library copies more.</summary>
    private const int RuntimesOwn = 2 << 10;

    /// <summary>
    /// The fewest bytes for which stores begin where a cache line can hold them whole. Fewer are often read at once, and a load waits
    /// for stores that it is not aligned with.
    /// </summary>
    private const int LeastAligned = 1 << 10;

    /// <summary>The fewest bytes for which the direction matters: half of a first-level cache.</summary>
    private const int LeastDirected = 16 << 10;

    /// <summary>The bytes that one turn of the loop copies.</summary>
    private const int Turn = 4 * 32;

    /// <summary>The bits of an address that loads and stores are compared by.</summary>
    private const nuint AliasMask = 4095;

    /// <summary>Loads wait for stores that lie fewer bytes ahead.</summary>
    private const nuint AliasReach = 1024;

    /// <summary>AMD's family of Zen 3 and Zen 4. Of the two, only Zen 4 has AVX-512.</summary>
    private const int Zen3And4 = 25;

    private static readonly (int Least, int Most) s_lengths = Avx2.IsSupported
        ? LengthsOn(X86Base.CpuId(0, 0), X86Base.CpuId(1, 0).Eax, Avx512F.IsSupported)
        : default;

    private static readonly nuint s_least = (nuint)s_lengths.Least;
    private static readonly nuint s_reach = (nuint)(s_lengths.Most - s_lengths.Least);

    /// <summary>
    /// The fewest bytes for which the loop beats the runtime's copy on this processor, wherever it is called; the greatest number if it
    /// never does. Shorter copies gain from it only where callers have its check inlined, and lose by the call where they have not.
    /// </summary>
    internal static readonly nuint LeastBytes = s_reach != 0 ? RuntimesOwn + 1 : nuint.MaxValue;

    /// <summary>Returns whether the loop beats the runtime's copy of so many bytes on this processor.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsFasterFor(nuint length) => s_reach != 0 && length - s_least <= s_reach;

    /// <summary>Copies bytes that are then read from any place on; the ranges may overlap.</summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="target">The destination, at least as long as <paramref name="source"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Copy(ReadOnlySpan<byte> source, Span<byte> target) => CopyEitherWay(source, target, isBackward: false);

    /// <summary>
    /// Copies bytes that were written forward, and are then read from the first on; the ranges may overlap. A long copy begins at the end:
    /// the source's last bytes are still in the nearest cache, and the target's first ones are there afterwards.
    /// </summary>
    /// <inheritdoc cref="Copy"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void CopyOut(ReadOnlySpan<byte> source, Span<byte> target) => CopyEitherWay(source, target, isBackward: true);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyEitherWay(ReadOnlySpan<byte> source, Span<byte> target, bool isBackward)
    {
        if (IsFasterFor((nuint)source.Length) && source.Length <= target.Length)
        {
            CopyLoop(ref MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target), (nuint)source.Length, isBackward);
        }
        else
        {
            BufferCopy.Copy(source, target);
        }
    }

    /// <summary>Copies at least 256 bytes, backward only if they are many and nothing speaks for the other direction.</summary>
    /// <remarks>Optimized from the first call on: a stream's first copies may be its longest.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    internal static void CopyLoop(ref byte source, ref byte target, nuint count, bool isBackward)
    {
        nuint ahead = (nuint)Unsafe.ByteOffset(ref source, ref target);
        if (ahead < count || 0 - ahead < count)
        {
            MemoryMarshal.CreateReadOnlySpan(ref source, (int)count).CopyTo(MemoryMarshal.CreateSpan(ref target, (int)count));
            return;
        }

        if (count >= LeastDirected && (isBackward ? (0 - ahead & AliasMask) - 1 >= AliasReach : (ahead & AliasMask) - 1 < AliasReach))
        {
            CopyBackward(ref source, ref target, count);
        }
        else
        {
            CopyForward(ref source, ref target, count);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyForward(ref byte source, ref byte target, nuint count)
    {
        nuint done = 0;
        if (count >= LeastAligned)
        {
            Vector256.LoadUnsafe(ref source).StoreUnsafe(ref target);
            done = 32 - ((nuint)Unsafe.AsPointer(ref target) & 31);
        }

        nuint last = count - Turn;
        do
        {
            CopyTurn(ref source, ref target, done);
            done += Turn;
        }
        while (done < last);

        CopyTurn(ref source, ref target, last);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyBackward(ref byte source, ref byte target, nuint count)
    {
        Vector256.LoadUnsafe(ref source, count - 32).StoreUnsafe(ref target, count - 32);
        nuint left = count - (((nuint)Unsafe.AsPointer(ref target) + count) & 31);
        do
        {
            left -= Turn;
            CopyTurn(ref source, ref target, left);
        }
        while (left >= Turn);

        CopyTurn(ref source, ref target, 0);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyTurn(ref byte source, ref byte target, nuint offset)
    {
        Vector256<byte> first = Vector256.LoadUnsafe(ref source, offset);
        Vector256<byte> second = Vector256.LoadUnsafe(ref source, offset + 32);
        Vector256<byte> third = Vector256.LoadUnsafe(ref source, offset + 64);
        Vector256<byte> fourth = Vector256.LoadUnsafe(ref source, offset + 96);
        first.StoreUnsafe(ref target, offset);
        second.StoreUnsafe(ref target, offset + 32);
        third.StoreUnsafe(ref target, offset + 64);
        fourth.StoreUnsafe(ref target, offset + 96);
    }

    /// <summary>Returns the lengths from which and to which the loop beats the runtime's copy, or zeros if it never does.</summary>
    /// <param name="vendor">Leaf 0 of CPUID: three of its words are the vendor's name.</param>
    /// <param name="signature">The first word of leaf 1: the family is the sum of two of its fields.</param>
    /// <param name="hasAvx512">Whether programs may use AVX-512.</param>
    /// <remarks>The greatest length is that of the second-level cache of a core.</remarks>
    internal static (int Least, int Most) LengthsOn((int Eax, int Ebx, int Ecx, int Edx) vendor, int signature, bool hasAvx512)
    {
        bool isAmd = vendor is (_, 0x68747541, 0x444D4163, 0x69746E65);
        if (!isAmd || ((signature >> 8) & 15) + ((signature >> 20) & 255) != Zen3And4)
        {
            return default;
        }

        return hasAvx512 ? (Least, 1 << 20) : (RuntimesOwn + 1, 512 << 10);
    }
}
