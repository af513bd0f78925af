// SixLabors/ImageSharp 1381def5: a histogram that is corrupt left its counts undisposed. A debugging call precedes each exit, which release
// builds leave out. The fix disposes the counts.
using System;
using System.Buffers;
using System.Diagnostics;

internal static class Histograms
{
    // Returns null if the bits are corrupt.
    internal static IMemoryOwner<uint>? Read(MemoryPool<uint> memory, ReadOnlySpan<byte> bits)
    {
        int length = bits[0] + 1;
        IMemoryOwner<uint> counts = memory.Rent(length); // expect TARN011
        Span<uint> span = counts.Memory.Span[..length];
        uint total = 0;
        for (int i = 1; i < length; i++)
        {
            span[i] = bits[i];
            total += span[i];
        }

        if (total > 4096)
        {
            Debug.Fail("The histogram is corrupt.");
            return null;
        }

        span[0] = 4096 - total;
        return counts;
    }
}
