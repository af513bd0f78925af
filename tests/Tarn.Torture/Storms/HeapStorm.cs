using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A storm over a native heap.</summary>
internal sealed unsafe class HeapStorm(NativeHeap heap, int threads, TimeSpan duration) : OwnershipStorm<StampedBlock>(threads, duration)
{
    private static readonly nuint[] s_sizes =
        [4, 5, 8, 17, 24, 64, 64, 64, 100, 100, 112, 500, 1000, 4096, 5000, 30_000, 70_000, 262_144, 300_000];

    /// <inheritdoc/>
    protected override int MostAtOnce => 120;

    /// <summary>While threads run the counters are close, not exact: they must make sense, and reading them must not fail.</summary>
    internal static void ReadCounters(NativeHeap heap)
    {
        for (int i = 0; i < 20; i++)
        {
            NativeHeapStatistics now = heap.GetStatistics();
            Require.That(now.CommittedBytes >= 0 && now.CommittedBytes <= now.ReservedBytes, $"Inconsistent: {now}.");
            Require.That(
                heap.CountByClass().All(static counted => counted.BlockSize != 0), "A size class has blocks of 0 bytes.");
        }
    }

    /// <inheritdoc/>
    protected override StampedBlock Take(Random random)
    {
        nuint size = s_sizes[random.Next(random.Next(8) == 0 ? s_sizes.Length : s_sizes.Length - 5)];
        switch (random.Next(8))
        {
            case 0:
                void* cleared = heap.AllocateZeroed(size);
                Require.That(
                    BlockContents.IsAll(cleared, size, 0), $"A block of {size} bytes at {(nint)cleared:x} was not cleared.");
                return StampedBlock.Mark(cleared, size);
            case 1:
                // Of a power of two, aligned to itself, so that it may be freed as any other of its size.
                nuint alignment = (nuint)4 << random.Next(12);
                return StampedBlock.Mark(heap.AllocateAligned(alignment, alignment), alignment);
            case 2 when size <= BlockSizes.LargestSlabSize:
                size = NativeHeap.GetBlockSize(size);
                return StampedBlock.Mark(heap.Allocate(size), size);
            default:
                return StampedBlock.Mark(heap.Allocate(size), size);
        }
    }

    /// <inheritdoc/>
    protected override void GiveBack(StampedBlock owned, Random random)
    {
        owned.Verify();
        switch (random.Next(8))
        {
            case 0:
                heap.Free((void*)owned.Address);
                break;
            case 1 when owned.Size == (nuint)sizeof(Guid):
                heap.Free<Guid>((void*)owned.Address);
                break;
            default:
                heap.Free((void*)owned.Address, owned.Size);
                break;
        }
    }

    /// <inheritdoc/>
    protected override StampedBlock Change(StampedBlock owned, Random random)
    {
        owned.VerifyMarks();
        nuint size = s_sizes[random.Next(s_sizes.Length)];
        uint* moved = (uint*)heap.Reallocate((void*)owned.Address, owned.Size, size);
        Require.That(*moved == owned.Stamp, $"A block stamped {owned.Stamp} holds {*moved} after its reallocation.");
        return StampedBlock.Mark(moved, size);
    }

    /// <inheritdoc/>
    protected override void VerifyWaiting(int waiting)
    {
        Require.That(Operations > 0, "The storm allocated nothing.");
        Require.Equal(waiting, heap.GetStatistics().InUseBlocks, "Blocks in use when all threads have ended");
    }

    /// <inheritdoc/>
    protected override void VerifyEnd()
    {
        NativeHeapStatistics end = heap.GetStatistics();
        Require.Equal((0, 0), (end.InUseBytes, end.InUseBlocks), "Bytes and blocks in use at the end");
        heap.Validate();
        heap.Trim();
        heap.Validate();
        Require.Equal(0, heap.GetStatistics().RetainedBytes, "Bytes retained after a trim");
    }
}
