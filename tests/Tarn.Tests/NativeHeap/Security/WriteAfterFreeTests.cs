using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>write_after_free, _reuse.</summary>
public unsafe class WriteAfterFreeTests : SecurityTest
{
    private readonly ManualTime _time = new();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_freed_block_is_written_to(int length)
    {
        byte* block = AllocateHere((nuint)length);
        FreeHere(block);
        block[length - 1] ^= 1;
        Heap.Trim();

        AssertFound(BufferIncidentKind.UseAfterReturn, (nuint)length, $"offset {length - 1}");
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_freed_block_is_written_to_and_no_later_owner_sees_it(int length)
    {
        byte* stale = AllocateHere((nuint)length);
        FreeHere(stale);
        byte* next = Heap.AllocateZeroed((nuint)length);
        Assert.True(next != stale);
        *stale = 1;

        Assert.Equal(0, *next);
        Heap.Free(next);
        Heap.Trim();
        AssertFound(BufferIncidentKind.UseAfterReturn, (nuint)length, "offset 0");
    }

    [Fact]
    public void A_late_write_is_found_when_the_block_makes_room_for_others()
    {
        byte* block = AllocateHere(1000);
        FreeHere(block);
        block[500] = 0;
        for (int i = 0; i < 100; i++)
        {
            Heap.Free(Heap.Allocate(1 << 20));
        }

        AssertFound(BufferIncidentKind.UseAfterReturn, 1000, "offset 500");
    }

    [Fact]
    public void A_late_write_through_a_pointer_from_before_a_reallocation_is_found()
    {
        byte* stale = AllocateHere(100);
        byte* moved = Heap.Reallocate(stale, 100, 50);
        stale[70] = 1;
        Heap.Trim();

        Assert.Equal(BufferIncidentKind.UseAfterReturn, Incidents.WaitForOne().Kind);
        Heap.Free(moved);
    }

    [Fact]
    public void A_late_write_is_found_when_the_heap_is_disposed()
    {
        CheckedHeapUnderTest heap = new(BufferChecks.UseAfterReturn);
        using IncidentLog incidents = new(heap.Name);
        byte* block = heap.Allocate(100);
        heap.Free(block);
        block[10] = 1;
        heap.Dispose();

        Assert.Equal(BufferIncidentKind.UseAfterReturn, incidents.WaitForOne().Kind);
    }

    [Fact]
    public void A_late_write_is_found_by_the_clock_when_the_block_has_lain_idle()
    {
        TrimClock clock = new(_time, static () => false);
        using CheckedHeapUnderTest heap = new(
            BufferChecks.UseAfterReturn, new NativeHeapOptions { Clock = clock, IdleTimeout = TimeSpan.FromSeconds(10) });
        using IncidentLog incidents = new(heap.Name);
        byte* block = heap.Allocate(100);
        heap.Free(block);
        block[10] = 1;
        _time.Skip(TimeSpan.FromSeconds(9));
        clock.Tick();
        incidents.AssertNone();
        Assert.True(heap.RetainedBytes > 0 && clock.IsRunning);

        _time.Skip(TimeSpan.FromSeconds(2));
        clock.Tick();

        Assert.Equal(BufferIncidentKind.UseAfterReturn, incidents.WaitForOne().Kind);
        Assert.Equal(0, heap.RetainedBytes);

        // The block's memory now lies idle in the engine behind.
        for (int tick = 0; tick < 4; tick++)
        {
            _time.Skip(TimeSpan.FromSeconds(10));
            clock.Tick();
        }

        Assert.False(clock.IsRunning);
    }

    [Fact]
    public void While_memory_is_scarce_a_block_stays_only_until_the_next_tick_or_two()
    {
        bool isScarce = true;
        TrimClock clock = new(_time, () => isScarce);
        using CheckedHeapUnderTest heap = new(
            BufferChecks.UseAfterReturn, new NativeHeapOptions { Clock = clock, IdleTimeout = TimeSpan.FromHours(4) });
        heap.Free(heap.Allocate(100));
        _time.Skip(TimeSpan.FromHours(1));
        clock.Tick();

        Assert.Equal(0, heap.RetainedBytes);
    }

    [Fact]
    public void Freed_blocks_come_back_in_the_order_they_were_freed_and_not_soon()
    {
        // Room for one slab of such blocks, which is kept whole for them.
        using CheckedHeapUnderTest heap = new(BufferChecks.UseAfterReturn, new NativeHeapOptions { MaxRetainedBytes = 200_000 });
        List<nuint> freed = [];
        HashSet<nuint> seen = [];
        nuint reused = 0;
        for (int i = 0; i < 1000 && reused == 0; i++)
        {
            nuint block = (nuint)heap.Allocate(1000);
            reused = seen.Add(block) ? 0 : block;
            heap.Free((void*)block);
            freed.Add(block);
        }

        Assert.True(reused != 0 && freed.IndexOf(reused) < 10, "The block freed first is reused first.");
        Assert.InRange(freed.Count, 30, 1000);
    }

    [Fact]
    public void The_quarantine_stays_under_the_cap()
    {
        using CheckedHeapUnderTest heap = new(BufferChecks.All, new NativeHeapOptions { MaxRetainedBytes = 1 << 20 });
        for (int i = 0; i < 400; i++)
        {
            heap.Free(heap.Allocate((nuint)(i * 97)));
            Assert.InRange(heap.RetainedBytes, 0, 1 << 20);
        }

        heap.Validate();
        Assert.True(heap.Trim() > 0);
        Assert.Equal((0, 0), (heap.RetainedBytes, heap.Trim()));
    }

    [Fact]
    public void A_heap_that_may_keep_nothing_works_and_finds_double_frees()
    {
        using CheckedHeapUnderTest heap = new(BufferChecks.All, new NativeHeapOptions { MaxRetainedBytes = 0 });
        byte* block = heap.Allocate(100);
        heap.Free(block, 100);

        Assert.Equal(0, heap.RetainedBytes);
        Assert.Throws<InvalidOperationException>(() => heap.Free(block, 100));
    }
}
