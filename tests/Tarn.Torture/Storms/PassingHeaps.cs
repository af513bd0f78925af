using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Heaps that come and go while threads use another: the entries they leave in the threads' directories must not harm it.
/// </summary>
internal static unsafe class PassingHeaps
{
    private const int Blocks = 500;

    /// <summary>A heap is made, used beside <paramref name="heap"/>, and disposed with half of its blocks still out.</summary>
    internal static void ComeAndGo(NativeHeap heap, TrimClock clock)
    {
        using NativeHeap passing = new(new NativeHeapOptions { Checks = BufferChecks.None, Clock = clock });
        List<StampedBlock> held = [];
        for (int i = 0; i < Blocks; i++)
        {
            nuint size = (nuint)(4 + (i * 37 % 3000));
            held.Add(StampedBlock.Mark(passing.Allocate(size), size));
            StampedBlock shared = StampedBlock.Mark(heap.Allocate(size), size);
            shared.Verify();
            heap.Free((void*)shared.Address, size);
        }

        for (int i = 0; i < held.Count; i += 2)
        {
            held[i].Verify();
            passing.Free((void*)held[i].Address, held[i].Size);
        }

        Require.Equal(held.Count / 2, passing.GetStatistics().InUseBlocks, "Blocks in use of a heap of one thread");
    }
}
