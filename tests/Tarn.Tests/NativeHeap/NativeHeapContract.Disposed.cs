using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <content>The end of a heap.</content>
public abstract unsafe partial class NativeHeapContract
{
    [Fact]
    public void After_its_end_every_member_throws_and_a_second_end_is_harmless()
    {
        if (!IsOwn)
        {
            Assert.Throws<InvalidOperationException>(Heap.Dispose);
            Heap.Free(Heap.Allocate(10), 10);
            return;
        }

        void* block = Heap.Allocate(64);
        void* large = Heap.Allocate(1 << 20);
        Heap.Free(Heap.Allocate<long>());
        Heap.Dispose();
        Heap.Dispose();
        foreach (Action action in (Action[])
            [
                () => { Heap.Allocate(0); },
                () => { Heap.Allocate(64); },
                () => { Heap.Allocate(8); },
                () => { Heap.Allocate(1 << 20); },
                () => { Heap.Allocate(nuint.MaxValue); },
                () => { Heap.AllocateZeroed(64); },
                () => { Heap.AllocateAligned(64, 64); },
                () => { Heap.Allocate<long>(); },
                () => Heap.Free((long*)block),
                () => Heap.Free(block, 64),
                () => Heap.Free(block),
                () => Heap.Free(large, 1 << 20),
                () => Heap.Free(large),
                () => Heap.FreeAligned(block, 64, 64),
                () => { Heap.Reallocate(block, 64, 100); },
                () => { Heap.Reallocate(block, 64, 60); },
                () => { Heap.Reallocate(null, 0, 100); },
                () => Heap.GetUsableSize(block),
                () => Heap.Trim(),
                () => Heap.GetStatistics(),
                () => Heap.CountByClass(),
            ])
        {
            Assert.Throws<ObjectDisposedException>(action);
        }

        Assert.Throws<ObjectDisposedException>(() => Worker.RunOnce(() => Heap.Free(block, 64)));
        Assert.Throws<ObjectDisposedException>(() => Worker.RunOnce(() => { Heap.Allocate(64); }));
        Assert.False(string.IsNullOrEmpty(Heap.Name));
    }

    [Fact]
    public void The_end_of_a_heap_frees_its_blocks_and_leaves_other_heaps_theirs()
    {
        if (!IsOwn)
        {
            return;
        }

        using NativeHeap other = Create();
        List<(nint Address, ulong Stamp)> theirs = [];
        using Worker worker = new();
        for (int i = 0; i < 500; i++)
        {
            nuint size = (nuint)(i * 31 % 5000);
            Heap.Allocate(size);
            worker.Run(() => { Heap.Allocate(size); });
            void* block = other.Allocate(size);
            BlockContents.Write(block, other.GetUsableSize(block), (ulong)i);
            theirs.Add(((nint)block, (ulong)i));
        }

        Heap.Allocate(10 << 20);
        Heap.Dispose();
        foreach ((nint address, ulong stamp) in theirs)
        {
            BlockContents.Verify((void*)address, other.GetUsableSize((void*)address), stamp);
            other.Free((void*)address);
        }

        Assert.Equal(0, other.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void Heaps_may_be_made_and_ended_in_any_number_one_after_another()
    {
        if (!IsOwn)
        {
            return;
        }

        using Worker worker = new();
        for (int i = 0; i < StressLength.Times(60, 300); i++)
        {
            using NativeHeap heap = Create();
            byte* block = (byte*)heap.Allocate(100);
            *block = 7;
            worker.Run(() => { heap.Free(heap.Allocate(100), 100); });
            worker.Run(() => heap.Free(block, 100));
            Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        }
    }
}
