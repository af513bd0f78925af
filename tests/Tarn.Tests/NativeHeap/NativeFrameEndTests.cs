using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>What a scope is like after a <see cref="NativeFrame"/> of it ended, on heaps with checks and without.</summary>
public sealed unsafe class NativeFrameEndTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Name = "ended frames", Checks = BufferChecks.None });
    private readonly NativeHeap _checked = new(new NativeHeapOptions { Name = "checked frames", Checks = BufferChecks.Returns });

    public void Dispose()
    {
        _heap.Dispose();
        _checked.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_the_scope_allocated_since_goes_back_and_what_was_there_stays(bool isChecked)
    {
        NativeHeap heap = HeapFor(isChecked);
        using NativeScope scope = heap.CreateScope();
        Span<int> before = scope.Allocate<int>(12);
        before.Fill(7);
        long blocks = heap.GetStatistics().InUseBlocks;

        // A checked heap notes the stack of each allocation.
        int bytes = isChecked && !StressLength.IsLong ? 1 << 16 : 1 << 20;
        for (int round = 0; round < 3; round++)
        {
            using (scope.CreateFrame())
            {
                Fill(scope, bytes);
                scope.Allocate(1 << 20);
                Assert.True(heap.GetStatistics().InUseBlocks > blocks);
            }

            Assert.Equal((48, blocks), (scope.AllocatedBytes, heap.GetStatistics().InUseBlocks));
            Assert.Equal(-1, before.IndexOfAnyExcept(7));
        }
    }

    [Fact]
    public void The_next_allocation_has_the_address_of_the_first_one_in_the_frame()
    {
        using NativeScope scope = _heap.CreateScope();
        scope.Allocate(40);
        nint first;
        using (scope.CreateFrame())
        {
            first = (nint)scope.Allocate(16);
            Fill(scope, 100_000);
        }

        Assert.Equal(first, (nint)scope.Allocate(16));
    }

    [Fact]
    public void A_frame_before_the_first_allocation_keeps_the_first_block_as_a_reset_does()
    {
        using NativeScope scope = _heap.CreateScope();
        nint first;
        using (scope.CreateFrame())
        {
            scope.Allocate(100_000);
            first = (nint)scope.Allocate(16);
            Fill(scope, 100_000);
        }

        Assert.Equal((0, 1), (scope.AllocatedBytes, _heap.GetStatistics().InUseBlocks));
        for (int round = 0; round < 2; round++)
        {
            using NativeFrame frame = scope.CreateFrame();
            Assert.Equal(first, (nint)scope.Allocate(16));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_end_of_an_older_frame_ends_the_newer_ones_whose_own_end_then_frees_nothing(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        NativeFrame outer = scope.CreateFrame();
        scope.Allocate(100);
        NativeFrame inner = scope.CreateFrame();
        scope.Allocate(100);
        outer.Dispose();
        Assert.Equal(0, scope.AllocatedBytes);

        // The place is as it was, but it is another one.
        NativeFrame again = scope.CreateFrame();
        scope.Allocate(100);
        using NativeFrame above = scope.CreateFrame();
        scope.Allocate(100);
        inner.Dispose();
        outer.Dispose();
        Assert.Equal(224, scope.AllocatedBytes);
        again.Dispose();
        Assert.Equal(0, scope.AllocatedBytes);
    }

    [Fact]
    public void Frames_of_other_scopes_and_of_a_scope_that_was_reset_free_nothing()
    {
        using NativeScope scope = _heap.CreateScope();
        using NativeScope other = _heap.CreateScope();
        FramePlace foreign = other.OpenFrame();
        FramePlace gone = scope.OpenFrame();
        scope.Reset();
        scope.Allocate(100);
        FramePlace own = scope.OpenFrame();
        scope.Allocate(100);
        scope.Close(gone);
        foreign.Scope!.Close(foreign);
        Assert.Equal(224, scope.AllocatedBytes);
        scope.Close(own);
        Assert.Equal(112, scope.AllocatedBytes);
    }

    [Fact]
    public void When_its_heap_went_first_the_end_of_a_frame_touches_nothing()
    {
        using NativeHeap heap = new();
        NativeScope scope = heap.CreateScope();
        NativeFrame frame = scope.CreateFrame();
        Fill(scope, 100_000);
        heap.Dispose();
        frame.Dispose();
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.OpenFrame());
    }

    /// <summary>A check of the heap finds that a block was freed already, and the scope is whole all the same.</summary>
    [Fact]
    public void After_the_end_of_a_frame_in_which_a_check_threw_the_scope_goes_on()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"ended {Guid.NewGuid()}", Checks = BufferChecks.All });
        using IncidentLog incidents = new(heap.Name);
        using NativeScope scope = heap.CreateScope();
        scope.Allocate(16);
        FramePlace frame = scope.OpenFrame();
        for (int i = 0; i < 3; i++)
        {
            void* block = scope.Allocate(16);
            if (i == 1)
            {
                heap.Free(block);
            }
        }

        Assert.Throws<InvalidOperationException>(() => scope.Close(frame));
        Assert.Equal(16, scope.AllocatedBytes);
        Assert.Equal(BufferIncidentKind.DoubleReturn, incidents.WaitForOne().Kind);
        using (scope.CreateFrame())
        {
            scope.Allocate(16);
        }

        Assert.Equal(1, heap.GetStatistics().InUseBlocks);
    }

    private NativeHeap HeapFor(bool isChecked) => isChecked ? _checked : _heap;

    private static void Fill(NativeScope scope, int bytes)
    {
        for (int i = 0; i < bytes; i += 100)
        {
            scope.Allocate<byte>(100).Fill(7);
        }
    }
}
