using Tarn.TestChild;

namespace Tarn.Tests.Trimming;

/// <summary>What a pool or heap gets that is refused memory while others keep it idle.</summary>
public sealed unsafe class ReliefTests
{
    private const long Limit = 64 << 20;

    private readonly ManualTime _time = new();
    private readonly TrimClock _clock;

    public ReliefTests() => _clock = new TrimClock(_time, static () => false, followsCollections: false, new ProcessBudget(Limit));

    [Theory]
    [InlineData(1 << 16)]
    [InlineData(1000)]
    public void A_new_pool_works_while_others_hoard(int length)
    {
        List<object> hoards = [];
        for (int i = 0; i < 4; i++)
        {
            BufferPool<byte> hoard = Create<byte>();
            RentAndReturn(hoard, length, 300);
            RentAndReturn(hoard, 4 * length, 80);
            hoards.Add(hoard);
        }

        NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None, MaxRetainedBytes = null });
        Hoard(heap);
        BufferPool<int> pool = Create<int>();
        RentAndReturn(pool, length / 4, 50);
        for (int i = 0; i < 100; i++)
        {
            RentAndReturn(pool, length / 4, 50);
        }

        long before = pool.GetStatistics().Allocated;
        RentAndReturn(pool, length / 4, 50);
        Assert.InRange(pool.GetStatistics().Allocated - before, 0, 2);
        Assert.InRange(_clock.Budget.Drawn, 1, Limit / 4);
        GC.KeepAlive(hoards);
        heap.Dispose();
    }

    [Fact]
    public void A_new_heap_works_while_pools_hoard()
    {
        BufferPool<byte>[] hoards = [.. Enumerable.Range(0, 4).Select(_ => Create<byte>())];
        Array.ForEach(hoards, static hoard => RentAndReturn(hoard, 1 << 16, 300));
        using NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None });
        for (int i = 0; i < 20; i++)
        {
            heap.Free(heap.Allocate(1 << 20), 1 << 20);
            Hoard(heap);
        }

        Assert.InRange(heap.GetStatistics().RetainedBytes, 1 << 20, Limit / 8);
        GC.KeepAlive(hoards);
    }

    /// <summary>
    /// Heaps take their slabs without asking, so that each new one makes the others give up as much, however many slabs it takes in a row.
    /// </summary>
    [Fact]
    public void Heaps_that_come_after_pools_hoard_stay_within_what_all_may_keep()
    {
        BufferPool<byte>[] hoards = [.. Enumerable.Range(0, 4).Select(_ => Create<byte>())];
        Array.ForEach(hoards, static hoard => RentAndReturn(hoard, 1 << 16, 300));
        List<NativeHeap> heaps = [];
        for (int i = 0; i < 6; i++)
        {
            NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None });
            heaps.Add(heap);
            _time.Advance(TimeSpan.FromMilliseconds(20));
            Hoard(heap);
            Assert.InRange(_clock.Budget.Drawn, Limit / 8, (Limit / 4) + (1 << 20));
        }

        GC.KeepAlive(hoards);
        heaps.ForEach(static heap => heap.Dispose());
    }

    /// <summary>No other source is there to give way, and each class of a thread alone may keep half a mebibyte or more.</summary>
    [Fact]
    public void A_heap_alone_stays_within_what_all_may_keep()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None, MaxRetainedBytes = null });
        long most = 0;
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            nuint size = BlockSizes.SizeOf(index);
            nint[] blocks = [.. Enumerable.Range(0, (int)Math.Clamp((8 << 20) / size, 40, 600)).Select(_ => (nint)heap.Allocate(size))];
            Array.ForEach(blocks, block => heap.Free((void*)block, size));
            most = Math.Max(most, _clock.Budget.Drawn);
        }

        Assert.InRange(most, Limit / 8, Limit / 4);
        heap.Validate();
    }

    [Fact]
    public void A_heap_that_the_system_refuses_gets_what_another_keeps()
    {
        LimitedMemory memory = new(limit: 48 << 20);
        using NativeHeap hoard = CreateHeap(memory);
        using NativeHeap heap = CreateHeap(memory);
        nint[] blocks = new nint[8];
        Use(hoard);
        Use(heap);

        void Use(NativeHeap used)
        {
            for (int i = 0; i < blocks.Length; i++)
            {
                blocks[i] = (nint)used.Allocate(4 << 20);
            }

            foreach (nint block in blocks)
            {
                used.Free((void*)block, 4 << 20);
            }
        }
    }

    [Fact]
    public void Nothing_is_given_up_for_more_than_the_process_may_have_or_the_runtime_knows()
    {
        BufferPool<byte> pool = Create<byte>();
        RentAndReturn(pool, 1000, 10);
        long kept = pool.Core.Trimmer.KeptBytes;
        Assert.Throws<OutOfMemoryException>(() => pool.Rent(int.MaxValue));
        BufferPool<Guid> longs = Create<Guid>();
        if (MemoryPressure.AvailableBytes < int.MaxValue * 8L)
        {
            Assert.Throws<OutOfMemoryException>(() => longs.RentExact(int.MaxValue / 2));
        }

        Assert.Equal(kept, pool.Core.Trimmer.KeptBytes);
        Assert.False(_clock.Relief.TryGiveUpAll(long.MaxValue));
    }

    [Fact]
    public void The_last_resort_takes_everything_and_says_when_there_is_nothing()
    {
        Assert.False(_clock.Relief.TryGiveUpAll(1));
        BufferPool<byte> pool = Create<byte>();
        RentAndReturn(pool, 1000, 100);
        pool.Return(pool.RentExact(1001));
        BufferPool<byte> guarded = BufferPool<byte>.Create(new BufferPoolOptions { Clock = _clock, Checks = BufferChecks.UseAfterReturn });
        RentAndReturn(guarded, 1000, 3);
        using NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None });
        Hoard(heap);
        using NativeHeap checkedHeap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.UseAfterReturn });
        checkedHeap.Free(checkedHeap.Allocate(1000), 1000);

        Assert.True(_clock.Relief.TryGiveUpAll(1));
        Assert.Equal((0, 0), (pool.GetStatistics().RetainedBytes, guarded.GetStatistics().RetainedBytes));
        Assert.Equal((0, 0), (heap.GetStatistics().CommittedBytes, checkedHeap.QuarantinedBytes));
        Assert.Equal(0, _clock.Budget.Drawn);
        Assert.False(_clock.Relief.TryGiveUpAll(1));
    }

    [Fact]
    public void The_refused_buffers_of_a_pool_are_not_what_its_own_searches_pay_for()
    {
        BufferPool<byte> small = Create<byte>();
        BufferPool<byte> alike = Create<byte>();
        RentAndReturn(small, 1 << 16, 127);
        RentAndReturn(alike, 1 << 16, 127);
        long before = alike.Core.Trimmer.KeptBytes;
        RentAndReturn(small, 1 << 16, 127);
        Assert.InRange(alike.Core.Trimmer.KeptBytes, before / 2, before);
    }

    /// <summary>Of those that keep the most, some have it all in their thread's cache, and give nothing of that.</summary>
    [Fact]
    public void A_new_pool_works_while_the_largest_have_nothing_to_give()
    {
        const int Length = 1 << 16;
        BufferPool<byte>[] hoards = [.. Enumerable.Range(0, 8).Select(_ => Create<byte>())];
        foreach (BufferPool<byte> hoard in hoards)
        {
            for (int i = 0; i < 20; i++)
            {
                RentAndReturn(hoard, Length, 32);
            }
        }

        BufferPool<int> pool = Create<int>();
        int share = (int)(Limit / 4 / (hoards.Length + 1) / Length);
        for (int i = 0; i < 100; i++)
        {
            RentAndReturn(pool, Length / 4, share);
        }

        long before = pool.GetStatistics().Allocated;
        RentAndReturn(pool, Length / 4, share);
        Assert.InRange(pool.GetStatistics().Allocated - before, 0, 2);
        GC.KeepAlive(hoards);
    }

    [Fact]
    public void A_trim_gives_the_budget_to_others_at_once()
    {
        BufferPool<byte> pool = Create<byte>();
        RentAndReturn(pool, 1000, 100);
        using NativeHeap heap = new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None });
        Hoard(heap);
        Assert.NotEqual(0, _clock.Budget.Drawn);
        pool.Trim();
        heap.Trim();
        Assert.Equal(heap.Core.Budget.Granted, _clock.Budget.Drawn);
    }

    private static void Hoard(NativeHeap heap)
    {
        nint[] blocks = [.. Enumerable.Range(0, 64).Select(_ => (nint)heap.Allocate(1 << 16))];
        Array.ForEach(blocks, block => heap.Free((void*)block, 1 << 16));
    }

    private static void RentAndReturn<T>(BufferPool<T> pool, int length, int count)
    {
        T[][] rented = [.. Enumerable.Range(0, count).Select(_ => pool.Rent(length))];
        Array.ForEach(rented, array => pool.Return(array));
    }

    private NativeHeap CreateHeap(VirtualMemory memory) =>
        new(new NativeHeapOptions { Clock = _clock, Checks = BufferChecks.None, Memory = memory, MaxRetainedBytes = 1 << 30 });

    private BufferPool<T> Create<T>() => BufferPool<T>.Create(new BufferPoolOptions
    {
        Clock = _clock,
        Checks = BufferChecks.None,
        MaxRetainedBytes = null,
    });
}
