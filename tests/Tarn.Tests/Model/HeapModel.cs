using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>A heap, its blocks in use, and the counters it must report.</summary>
internal sealed unsafe class HeapModel(NativeHeapOptions options)
{
    private static ulong s_stamp;

    internal NativeHeap Heap { get; } = new(options);

    internal List<LiveBlock> Live { get; } = [];

    internal NativeHeapOptions Options => options;

    internal bool IsChecked => options.Checks != BufferChecks.None;

    /// <summary>Notes a block just handed out, verifies its shape and stamps all of it.</summary>
    internal LiveBlock Add(void* address, nuint requested, nuint alignment)
    {
        nuint usable = Heap.GetUsableSize(address);
        nuint rounded = NativeHeap.GetBlockSize(requested);
        nuint due = alignment == 0 ? BlockSizes.AlignmentOf(rounded) : alignment;
        if (address == null || (nuint)address % due != 0)
        {
            throw new InvalidOperationException($"{requested} bytes aligned to {due} lie at {(nint)address:x}.");
        }

        if (usable < requested || (alignment == 0 && !IsChecked && usable != rounded))
        {
            throw new InvalidOperationException($"A block for {requested} bytes has {usable}, {rounded} are due.");
        }

        LiveBlock block = new((nint)address, requested, usable, alignment, Interlocked.Increment(ref s_stamp));
        BlockContents.Write(address, usable, block.Stamp);
        Live.Add(block);
        return block;
    }

    internal void VerifyContents(LiveBlock block) => BlockContents.Verify((void*)block.Address, block.Usable, block.Stamp);

    /// <summary>The exact counters, as no thread uses the heap at the same time.</summary>
    internal void VerifyCounters()
    {
        NativeHeapStatistics now = Heap.GetStatistics();
        long bytes = Live.Sum(static block => (long)block.Usable);
        if (options.Statistics)
        {
            Assert.Equal(Live.Count, now.InUseBlocks);
            Assert.True(
                IsChecked ? now.InUseBytes >= bytes : now.InUseBytes == bytes,
                $"{bytes} bytes are in use, the heap says {now.InUseBytes}.");
        }
        else
        {
            Assert.Equal((0, 0), (now.InUseBytes, now.InUseBlocks));
        }

        Assert.True(now.RetainedBytes >= 0 && now.RetainedBytes + now.InUseBytes <= now.CommittedBytes, $"Inconsistent: {now}.");
        Assert.True(bytes <= now.CommittedBytes && now.CommittedBytes <= now.ReservedBytes, $"{bytes} bytes are in use: {now}.");
    }

    /// <summary>The counters of each size class, and that no two blocks share memory.</summary>
    internal void VerifyBlocks()
    {
        Live.ForEach(VerifyContents);
        nint end = 0;
        foreach (LiveBlock block in Live.OrderBy(static block => block.Address))
        {
            Assert.True(block.Address >= end, $"The block at {block.Address:x} begins before the one below it ends at {end:x}.");
            end = block.Address + (nint)block.Usable;
        }

        if (options.Statistics && !IsChecked)
        {
            Dictionary<nuint, long> counted = Heap.CountByClass()
                .Where(static counted => counted.InUseBlocks != 0).ToDictionary(
                    static counted => counted.BlockSize, static counted => counted.InUseBlocks);
            foreach (IGrouping<nuint, LiveBlock> ofSize in Live.Where(static block => block.Usable <= BlockSizes.LargestClassSize)
                .GroupBy(static block => block.Usable))
            {
                Assert.True(
                    counted.GetValueOrDefault(ofSize.Key) == ofSize.Count(),
                    $"{ofSize.Count()} blocks of {ofSize.Key} bytes are in use, the heap says {counted.GetValueOrDefault(ofSize.Key)}.");
            }

            Assert.Equal(Live.Count, counted.Values.Sum());
        }
    }
}
