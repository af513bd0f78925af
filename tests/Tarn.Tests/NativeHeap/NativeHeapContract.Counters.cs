using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <content>The counters of a heap that no other thread uses, and the results of a trim.</content>
public abstract unsafe partial class NativeHeapContract
{
    [Fact]
    public void Blocks_in_use_are_counted_exactly_with_their_block_sizes()
    {
        if (!IsOwn)
        {
            return;
        }

        Assert.Equal((0, 0), (Heap.GetStatistics().InUseBytes, Heap.GetStatistics().InUseBlocks));
        Stack<(nint Address, nuint Size)> live = [];
        long bytes = 0;
        for (int i = 0; i < 2000; i++)
        {
            nuint size = (nuint)((i * 37 % 3000) + (i % 400 == 0 ? 300_000 : 1));
            live.Push(((nint)Heap.Allocate(size), size));
            bytes += (long)NativeHeap.GetBlockSize(size);
            if (i % 50 == 0)
            {
                VerifyCounters(live.Count, bytes);
            }
        }

        using Worker worker = new();
        while (live.TryPop(out (nint Address, nuint Size) block))
        {
            Free(block.Address, block.Size);
            bytes -= (long)NativeHeap.GetBlockSize(block.Size);
            if (live.Count % 50 == 0)
            {
                VerifyCounters(live.Count, bytes);
            }
        }

        VerifyNothingInUse();

        void Free(nint block, nuint size)
        {
            if (live.Count % 3 == 0)
            {
                worker.Run(() => Heap.Free((void*)block, size));
            }
            else
            {
                Heap.Free((void*)block, size);
            }
        }
    }

    [Fact]
    public void Each_size_class_is_counted_by_itself()
    {
        if (!IsOwn || !CountsInUse)
        {
            return;
        }

        nuint[] sizes = [4, 64, 1024, 262_144, 1 << 20];
        List<(nint Address, nuint Size)> live = [];
        for (int i = 0; i < sizes.Length; i++)
        {
            for (int count = 0; count <= i; count++)
            {
                live.Add(((nint)Heap.Allocate(sizes[i]), sizes[i]));
            }
        }

        Assert.Equal([1, 2, 3, 4, 5], Array.ConvertAll(sizes, size => Counted(size).InUseBlocks));
        Assert.Equal(15, Heap.CountByClass().Sum(static counted => counted.InUseBlocks));
        live.ForEach(block => Heap.Free((void*)block.Address, block.Size));
        Assert.All(Heap.CountByClass(), static counted => Assert.Equal(0, counted.InUseBlocks));
        Assert.All(Heap.CountByClass(), static counted => Assert.True(counted.RetainedBlocks >= 0));

        SizeClassCount Counted(nuint size) => Heap.CountByClass().Single(counted => counted.BlockSize == size);
    }

    [Fact]
    public void A_trim_gives_everything_back_that_is_not_in_use_and_says_how_much()
    {
        if (!IsOwn)
        {
            return;
        }

        void* kept = Heap.Allocate(1000);
        ulong stamp = Stamp(kept);
        AllocateAndFreeMany();
        Worker.RunOnce(AllocateAndFreeMany);
        NativeHeapStatistics before = Heap.GetStatistics();
        long trimmed = Heap.Trim();
        NativeHeapStatistics after = Heap.GetStatistics();
        Assert.Equal(before.CommittedBytes - after.CommittedBytes, trimmed);
        Assert.Equal(before.InUseBytes, after.InUseBytes);
        Assert.InRange(after.CommittedBytes, 1000, 1 << 20);
        Verify(kept, stamp);
        Heap.Free(kept, 1000);
        Heap.Trim();
        Assert.Equal(0, Heap.GetStatistics().RetainedBytes);
        Assert.Equal(0, Heap.Trim());
        AllocateAndFreeMany();
        VerifyNothingInUse();

        void AllocateAndFreeMany()
        {
            foreach (nuint size in (nuint[])[24, 1000, 20_000, 262_144, 1 << 20])
            {
                nint[] blocks = [.. Enumerable.Range(0, (int)Math.Max(1, TrimmedBytes / size)).Select(_ => (nint)Heap.Allocate(size))];
                Array.ForEach(blocks, block => Stamp((void*)block));
                Array.ForEach(blocks, block => Heap.Free((void*)block, size));
            }
        }
    }

    private void VerifyCounters(int blocks, long bytes)
    {
        NativeHeapStatistics now = Heap.GetStatistics();
        Assert.Equal(CountsInUse ? blocks : 0, now.InUseBlocks);
        if (CountsInUse && IsChecked)
        {
            Assert.True(now.InUseBytes >= bytes, $"{now.InUseBytes} bytes are said to be in use, the blocks have {bytes}.");
        }
        else
        {
            Assert.Equal(CountsInUse ? bytes : 0, now.InUseBytes);
        }

        Assert.True(now.RetainedBytes >= 0, $"{now.RetainedBytes} bytes are retained.");
        Assert.True(now.RetainedBytes + now.InUseBytes <= now.CommittedBytes, $"Inconsistent: {now}.");
        Assert.True(now.CommittedBytes <= now.ReservedBytes, $"More is committed than reserved: {now}.");
        Assert.True(bytes <= now.CommittedBytes, $"{bytes} are in use, {now} says less is committed.");
    }
}
