using System.Runtime.Intrinsics.X86;

namespace Tarn;

/// <summary>The size of the largest cache, as an x86 processor reports it.</summary>
/// <remarks>
/// The instruction needs no operating system and works before anything else does. Its leaf for cache parameters is number 4 on Intel's
/// processors, and 0x8000001D with the same registers on AMD's (Intel, Software Developer's Manual, volume 2A, CPUID; AMD, Architecture
/// Programmer's Manual, volume 3, appendix E). A hypervisor may report another size than the processor has.
/// </remarks>
internal static class ProcessorCache
{
    private const int Leaf = 4;
    private const int AmdLeaf = unchecked((int)0x8000_001D);
    private const int LargestAmdLeaf = unchecked((int)0x8000_0000);

    /// <summary>More caches than any processor lists.</summary>
    private const int MaxCaches = 16;

    /// <summary>The bytes of the largest cache; 0 on processors that do not report it.</summary>
    internal static long LargestBytes { get; } = X86Base.IsSupported ? LargestOf(X86Base.CpuId) : 0;

    /// <summary>Returns the bytes of the largest cache that <paramref name="cpuId"/> reports; 0 when it reports none.</summary>
    /// <param name="cpuId">The instruction: takes a leaf and a sub-leaf, and returns the registers EAX, EBX, ECX and EDX.</param>
    internal static long LargestOf(Func<int, int, (int Eax, int Ebx, int Ecx, int Edx)> cpuId)
    {
        long largest = 0;
        if (cpuId(0, 0).Eax >= Leaf)
        {
            largest = LargestIn(Leaf, cpuId);
        }

        // Leaves from 0x80000000 on are negative numbers here, and count upwards.
        int last = cpuId(LargestAmdLeaf, 0).Eax;
        return last is < 0 and >= AmdLeaf ? Math.Max(largest, LargestIn(AmdLeaf, cpuId)) : largest;
    }

    private static long LargestIn(int leaf, Func<int, int, (int Eax, int Ebx, int Ecx, int Edx)> cpuId)
    {
        long largest = 0;
        for (int cache = 0; cache < MaxCaches; cache++)
        {
            (int type, int shape, int sets, _) = cpuId(leaf, cache);
            if ((type & 0x1F) == 0)
            {
                break;
            }

            long ways = (uint)shape >> 22;
            long partitions = (shape >> 12) & 0x3FF;
            long line = shape & 0xFFF;
            largest = Math.Max(largest, (ways + 1) * (partitions + 1) * (line + 1) * ((uint)sets + 1L));
        }

        return largest;
    }
}
