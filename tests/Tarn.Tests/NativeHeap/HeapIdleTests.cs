using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Memory that goes back, by a clock that the test moves.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class HeapIdleTests : HeapWithManualClock
{
    [Theory]
    [InlineData(24, 1)]
    [InlineData(24, 100)]
    [InlineData(24, 100_000)]
    [InlineData(1000, 5000)]
    [InlineData(20_000, 300)]
    [InlineData(262_144, 20)]
    [InlineData(1 << 20, 5)]
    public void Idle_memory_goes_within_twice_the_timeout_though_its_thread_lives_and_is_blocked(int blockSize, int count)
    {
        nuint size = (nuint)blockSize;
        NativeHeap heap = Create();
        using Worker worker = new();
        worker.Run(() => AllocateAndFree(heap, size, count));
        AllocateAndFree(heap, size, count);
        long retained = heap.GetStatistics().RetainedBytes;
        Assert.True(retained >= count * (long)blockSize);
        _clock.Advance(s_idle / 2);
        Assert.True(heap.GetStatistics().RetainedBytes >= count * (long)blockSize, "It went too early.");

        _clock.Advance(s_idle * 1.5);
        AssertNothingKept(heap, sizesOfLivingThreads: 2);
        AllocateAndFree(heap, size, count);
        worker.Run(() => AllocateAndFree(heap, size, count));
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Theory]
    [InlineData(24, 10_000)]
    [InlineData(1000, 1000)]
    [InlineData(1 << 20, 3)]
    public void Memory_of_a_dead_thread_goes_within_twice_the_timeout(int blockSize, int count)
    {
        NativeHeap heap = Create();
        Worker.RunOnce(() => AllocateAndFree(heap, (nuint)blockSize, count));
        _clock.Advance(s_idle * 2);
        AssertNothingKept(heap);
    }

    [Fact]
    public void Blocks_in_use_keep_their_contents_while_their_free_neighbours_go()
    {
        NativeHeap heap = Create();
        List<(nint Address, nuint Size)> kept = [];
        foreach (nuint size in (nuint[])[8, 100, 5000, 100_000, 1 << 20])
        {
            nint[] blocks = Allocate(heap, size, (int)Math.Clamp((8 << 20) / size, 8, 20_000));
            for (int i = 0; i < blocks.Length; i++)
            {
                // One of many stays, so that most slabs are empty and some are not.
                if (i % 997 == 3)
                {
                    BlockContents.Write((void*)blocks[i], NativeHeap.GetBlockSize(size), (ulong)blocks[i]);
                    kept.Add((blocks[i], size));
                }
                else
                {
                    heap.Free((void*)blocks[i], size);
                }
            }
        }

        long before = heap.GetStatistics().CommittedBytes;
        _clock.Advance(s_idle * 2);
        Assert.InRange(heap.GetStatistics().CommittedBytes, 0, before * 2 / 3);
        foreach ((nint address, nuint size) in kept)
        {
            BlockContents.Verify((void*)address, NativeHeap.GetBlockSize(size), (ulong)address);
            heap.Free((void*)address, size);
        }

        _clock.Advance(s_idle * 2);
        AssertNothingKept(heap, sizesOfLivingThreads: 4);
        heap.Trim();
        AssertNothingKept(heap);
    }

    [Theory]
    [InlineData(24, 1)]
    [InlineData(1000, 300)]
    [InlineData(20_000, 50)]
    [InlineData(262_144, 4)]
    [InlineData(1 << 20, 3)]
    public void Memory_in_steady_use_is_never_given_up(int blockSize, int count)
    {
        NativeHeap heap = Create();
        Work(20);
        int commits = _memory.CallsOf(MemoryCall.Commit);
        int reserves = _memory.CallsOf(MemoryCall.Reserve);
        int discards = _memory.Discards.Count;
        Work(200);
        Assert.Equal(discards, _memory.Discards.Count);
        Assert.Equal((commits, reserves), (_memory.CallsOf(MemoryCall.Commit), _memory.CallsOf(MemoryCall.Reserve)));

        void Work(int rounds)
        {
            for (int i = 0; i < rounds; i++)
            {
                AllocateAndFree(heap, (nuint)blockSize, count);
                _clock.Advance(s_idle / 20);
            }
        }
    }

    [Theory]
    [InlineData(1000, 20_000)]
    [InlineData(20_000, 1000)]
    public void The_rest_of_a_burst_goes_while_its_thread_keeps_using_a_few(int blockSize, int burst)
    {
        NativeHeap heap = Create();
        AllocateAndFree(heap, (nuint)blockSize, burst);
        for (int i = 0; i < 60; i++)
        {
            AllocateAndFree(heap, (nuint)blockSize, 3);
            _clock.Advance(s_idle / 20);
        }

        Assert.InRange(heap.GetStatistics().RetainedBytes, 1, 1 << 20);
    }

    [Fact]
    public void A_large_buffer_is_kept_for_the_next_caller_and_not_for_ever()
    {
        NativeHeap heap = Create();
        void* first = heap.Allocate(3 << 20);
        heap.Free(first, 3 << 20);
        int calls = _memory.Calls;
        void* second = heap.Allocate(3 << 20);
        Assert.True(first == second);
        Assert.Equal(calls, _memory.Calls);
        heap.Free(second, 3 << 20);
        _clock.Advance(s_idle * 2);
        AssertNothingKept(heap);
    }

    [Fact]
    public void An_infinite_timeout_keeps_idle_memory_until_a_trim_is_asked_for_or_memory_is_scarce()
    {
        NativeHeap heap = Create(idle: Timeout.InfiniteTimeSpan);
        AllocateAndFree(heap, 1000, 5000);
        AllocateAndFree(heap, 1 << 20, 2);
        _clock.Advance(TimeSpan.FromMinutes(10));
        Assert.True(heap.GetStatistics().RetainedBytes >= 7_000_000);
        heap.Trim();
        AssertNothingKept(heap);

        AllocateAndFree(heap, 1000, 5000);
        _clock.MemoryIsScarce = true;
        _clock.Advance(TimeSpan.FromMinutes(10));
        AssertNothingKept(heap, sizesOfLivingThreads: 1);
    }

    [Fact]
    public void Scarce_memory_takes_idle_buffers_at_once_and_leaves_those_in_use()
    {
        NativeHeap heap = Create();
        using Worker worker = new();
        worker.Run(() => AllocateAndFree(heap, 1000, 20_000));
        void* kept = heap.Allocate(3000);
        BlockContents.Write(kept, 3072, 7);
        _clock.MemoryIsScarce = true;
        for (int i = 0; i < 20; i++)
        {
            AllocateAndFree(heap, 3000, 2);
            _clock.Advance(s_idle / 20);
        }

        // One timeout, not two, has passed.
        Assert.InRange(heap.GetStatistics().RetainedBytes, 0, 1 << 20);
        BlockContents.Verify(kept, 3072, 7);
        heap.Free(kept, 3000);
    }

    [Fact]
    public void Counters_read_while_the_clock_takes_idle_memory_are_consistent()
    {
        NativeHeap heap = Create();
        for (int i = 0; i < 20; i++)
        {
            AllocateAndFree(heap, 1000, 20_000);
            AllocateAndFree(heap, 4 << 20, 30);
            Thread idle = new(() => _clock.Advance(s_idle * 2));
            idle.Start();
            while (idle.IsAlive)
            {
                NativeHeapStatistics now = heap.GetStatistics();
                Assert.True(
                    now.InUseBytes == 0 && now.RetainedBytes <= now.CommittedBytes && now.CommittedBytes <= now.ReservedBytes,
                    $"Inconsistent: {now}.");
            }

            idle.Join();
        }
    }

    [Fact]
    public void The_timer_runs_only_while_something_is_kept()
    {
        NativeHeap heap = Create();
        Assert.False(_clock.Trim.IsRunning);
        heap.Free(heap.Allocate(100), 100);
        Assert.True(_clock.Trim.IsRunning);
        _clock.Advance(s_idle * 3);
        Assert.False(_clock.Trim.IsRunning);
        heap.Free(heap.Allocate(1 << 20), 1 << 20);
        Assert.True(_clock.Trim.IsRunning);
        _clock.Advance(s_idle * 3);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void The_clock_has_nothing_to_do_with_a_heap_that_ended()
    {
        string name = $"ended {Guid.NewGuid()}";
        using IncidentLog incidents = new(name);
        NativeHeap heap = Create(new NativeHeapOptions(Options()) { Name = name });
        foreach (nuint size in (nuint[])[8, 1000, 262_144, 1 << 20])
        {
            AllocateAndFree(heap, size, 2000 / (int)Math.Clamp(size / 1000, 1, 200));
        }

        Assert.True(_clock.Trim.IsRunning);
        heap.Dispose();
        _clock.Advance(s_idle * 3);
        Assert.False(_clock.Trim.IsRunning);
        incidents.AssertNone();
    }

    [Fact]
    public void An_unreachable_heap_without_blocks_in_use_is_collected_and_releases_its_memory()
    {
        // The clock and the thread caches of living threads do not hold it.
        using Worker worker = new();
        WeakReference dropped = UseAndDrop(worker);
        Eventually.TrueAfterCollections(() => !dropped.IsAlive, "the heap is collected");
        Eventually.TrueAfterCollections(
            () =>
            {
                _clock.Tick();
                return _memory.Reservations.Count == 0;
            },
            "its address space is released");
        Eventually.True(
            () =>
            {
                _clock.Tick();
                return !_clock.Trim.IsRunning;
            },
            "the clock forgets it");
    }

    /// <summary>A buffer finds that it was forgotten later than its heap does.</summary>
    [Fact]
    public void A_heap_that_was_forgotten_with_its_buffers_releases_its_memory_after_they_were_freed()
    {
        RentAndDrop();
        Eventually.TrueAfterCollections(() => _memory.Reservations.Count == 0, "its address space is released");
    }

    /// <summary>Another heap's tick gives the block back that a thread still held when its heap went to sleep.</summary>
    [Fact]
    public void Memory_of_a_thread_that_ended_after_its_heap_went_to_sleep_goes_when_it_is_found()
    {
        NativeHeap sleeping = Create();
        NativeHeap other = Create();
        using (Worker worker = new())
        {
            worker.Run(() => AllocateAndFree(sleeping, 1000, 3));
            _clock.Advance(s_idle * 3);
            Assert.False(sleeping.Core.Schedule.IsAwake);
            Assert.NotEqual(0, sleeping.GetStatistics().CommittedBytes);
        }

        AllocateAndFree(other, 100, 1);
        _clock.Advance(s_idle * 3);
        Assert.Equal(0, sleeping.GetStatistics().CommittedBytes);
        AssertNothingKept(sleeping);
    }

    /// <summary>A tick that found the heap before the collector did may still be at work after the heap's finalizer.</summary>
    [Fact]
    public void A_finalized_heap_can_release_memory_it_took_over()
    {
        HeapCore? finalized = null;
        while (finalized is null)
        {
            WeakReference<HeapCore> forgotten = CreateAndDrop();
            GC.Collect();
            GC.WaitForPendingFinalizers();

            // Null when other collections came between.
            forgotten.TryGetTarget(out finalized);
        }

        Eventually.TrueAfterCollections(() => finalized.IsRetired, "the heap is finalized");
        finalized.Trimmer.ReleaseInherited();
    }

    [Fact]
    public void Blocks_in_use_outlive_the_last_reference_to_their_heap()
    {
        FailingMemory memory = new();
        nint[] blocks = AllocateAndDrop(memory);
        Eventually.Collect();
        Array.ForEach(blocks, static block => BlockContents.Verify((void*)block, 112, (ulong)block));
        Assert.NotEmpty(memory.Reservations);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference<HeapCore> CreateAndDrop() => new(new NativeHeap(Options()).Core, trackResurrection: true);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private nint[] AllocateAndDrop(FailingMemory memory)
    {
        nint[] blocks = Allocate(new NativeHeap(new NativeHeapOptions(Options()) { Memory = memory }), 100, 500);
        Array.ForEach(blocks, static block => BlockContents.Write((void*)block, 112, (ulong)block));
        return blocks;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RentAndDrop()
    {
        NativeHeap heap = new(Options());
        heap.AllocateBuffer<byte>(100_000).GetSpan().Clear();
        Assert.NotEmpty(_memory.Reservations);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference UseAndDrop(Worker worker)
    {
        NativeHeap heap = new(Options());
        nint[] blocks = Allocate(heap, 100, 500);
        AllocateAndFree(heap, 1 << 20, 2);
        AllocateAndFree(heap, 200, 500);
        worker.Run(() => AllocateAndFree(heap, 300, 500));
        worker.Run(() => Free(heap, 100, blocks));
        Assert.NotEmpty(_memory.Reservations);
        return new WeakReference(heap);
    }
}
