using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Marks of a <see cref="NativeScope"/> and the way back to them.</summary>
public sealed unsafe class NativeScopeMarkTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Name = "marks", Checks = BufferChecks.None });
    private readonly NativeHeap _checked = new(new NativeHeapOptions { Name = "checked marks", Checks = BufferChecks.Returns });

    public void Dispose()
    {
        _heap.Dispose();
        _checked.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_was_allocated_since_a_mark_goes_back_and_what_was_there_stays(bool isChecked)
    {
        NativeHeap heap = HeapFor(isChecked);
        using NativeScope scope = heap.CreateScope();
        Span<int> before = scope.Allocate<int>(12);
        before.Fill(7);
        NativeScopeMark mark = scope.Mark();
        long blocks = heap.GetStatistics().InUseBlocks;
        // A checked heap notes the stack of each allocation.
        int bytes = isChecked && !StressLength.IsLong ? 1 << 16 : 1 << 20;
        for (int round = 0; round < 3; round++)
        {
            Fill(scope, bytes);
            scope.Allocate(1 << 20);
            Assert.True(heap.GetStatistics().InUseBlocks > blocks);
            scope.Rewind(mark);
            Assert.Equal((48, 48), (scope.AllocatedBytes, mark.AllocatedBytes));
            Assert.Equal(blocks, heap.GetStatistics().InUseBlocks);
            Assert.Equal(-1, before.IndexOfAnyExcept(7));
        }
    }

    [Fact]
    public void The_next_allocation_after_a_rewind_has_the_address_of_the_first_one_after_the_mark()
    {
        using NativeScope scope = _heap.CreateScope();
        scope.Allocate(40);
        NativeScopeMark mark = scope.Mark();
        nint first = (nint)scope.Allocate(16);
        Fill(scope, 100_000);
        scope.Rewind(mark);
        Assert.Equal(first, (nint)scope.Allocate(16));
    }

    [Fact]
    public void A_mark_before_the_first_allocation_keeps_the_first_block_as_a_reset_does()
    {
        using NativeScope scope = _heap.CreateScope();
        NativeScopeMark mark = scope.Mark();
        scope.Allocate(100_000);
        nint first = (nint)scope.Allocate(16);
        Fill(scope, 100_000);
        scope.Rewind(mark);
        Assert.Equal((0, 1), (scope.AllocatedBytes, _heap.GetStatistics().InUseBlocks));
        Assert.Equal(first, (nint)scope.Allocate(16));
        scope.Rewind(mark);
        Assert.Equal(first, (nint)scope.Allocate(16));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Marks_nest_and_a_rewind_ends_the_later_ones(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        NativeScopeMark outer = scope.Mark();
        scope.Allocate(100);
        NativeScopeMark inner = scope.Mark();
        scope.Allocate(100);
        scope.Rewind(inner);
        scope.Rewind(inner);
        Assert.Equal(112, scope.AllocatedBytes);

        scope.Rewind(outer);
        Refused(scope, inner, "112");

        // The place is as it was, but it is another one.
        scope.Allocate(100);
        NativeScopeMark again = scope.Mark();
        Refused(scope, inner, "112");
        scope.Rewind(again);
        scope.Rewind(outer);
        Assert.Equal(0, scope.AllocatedBytes);
    }

    [Fact]
    public void Marks_without_an_allocation_in_between_are_one_place()
    {
        using NativeScope scope = _heap.CreateScope();
        NativeScopeMark first = scope.Mark();
        NativeScopeMark second = scope.Mark();
        Assert.Equal((first.Index, first.Number), (second.Index, second.Number));
        scope.Allocate(1);
        Assert.NotEqual(first.Number, scope.Mark().Number);
        scope.Rewind(first);
        scope.Rewind(second);
    }

    [Fact]
    public void A_mark_that_does_not_lead_anywhere_is_refused_and_nothing_changes()
    {
        using NativeScope scope = _heap.CreateScope();
        using NativeScope other = _heap.CreateScope();
        scope.Allocate(100);
        NativeScopeMark mark = scope.Mark();
        scope.Allocate(100);
        Refused(scope, other.Mark(), "not of this scope");
        Refused(other, mark, "not of this scope");
        Refused(scope, default, "not of this scope");
        Assert.Equal(224, scope.AllocatedBytes);

        scope.Reset();
        Refused(scope, mark, "has ended");
        scope.Allocate(100);
        Refused(scope, mark, "has ended");

        NativeScope disposed = _heap.CreateScope();
        NativeScopeMark gone = disposed.Mark();
        disposed.Dispose();
        Assert.Throws<ObjectDisposedException>(() => disposed.Rewind(gone));
        Assert.Throws<ObjectDisposedException>(() => disposed.Mark());
        Refused(scope, gone, "not of this scope");
    }

    [Fact]
    public void When_its_heap_went_first_a_rewind_touches_nothing()
    {
        using NativeHeap heap = new();
        NativeScope scope = heap.CreateScope();
        NativeScopeMark mark = scope.Mark();
        Fill(scope, 100_000);
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.Rewind(mark));
        scope.Dispose();
    }

    /// <summary>A check of the heap finds that a block was freed already, and the scope is whole all the same.</summary>
    [Fact]
    public void After_a_rewind_that_a_check_ended_the_scope_goes_on()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"rewound {Guid.NewGuid()}", Checks = BufferChecks.All });
        using IncidentLog incidents = new(heap.Name);
        using NativeScope scope = heap.CreateScope();
        scope.Allocate(16);
        NativeScopeMark mark = scope.Mark();
        for (int i = 0; i < 3; i++)
        {
            void* block = scope.Allocate(16);
            if (i == 1)
            {
                heap.Free(block);
            }
        }

        Assert.Throws<InvalidOperationException>(() => scope.Rewind(mark));
        Assert.Equal(16, scope.AllocatedBytes);
        Assert.Equal(BufferIncidentKind.DoubleReturn, incidents.WaitForOne().Kind);
        scope.Allocate(16);
        scope.Rewind(mark);
        Assert.Equal(1, heap.GetStatistics().InUseBlocks);
    }

    private NativeHeap HeapFor(bool isChecked) => isChecked ? _checked : _heap;

    private static void Refused(NativeScope scope, NativeScopeMark mark, string word) =>
        Assert.Contains(
            word, Assert.Throws<ArgumentException>(nameof(mark), () => scope.Rewind(mark)).Message, StringComparison.Ordinal);

    private static void Fill(NativeScope scope, int bytes)
    {
        for (int i = 0; i < bytes; i += 100)
        {
            scope.Allocate<byte>(100).Fill(7);
        }
    }
}
