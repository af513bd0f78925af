using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

public sealed unsafe class NativeScopeTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Name = "scope", Checks = BufferChecks.None });
    private readonly NativeHeap _checked = new(new NativeHeapOptions { Name = "checked scope", Checks = BufferChecks.Returns });

    public void Dispose()
    {
        _heap.Dispose();
        _checked.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_address_is_a_multiple_of_16_and_all_of_it_can_be_written(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        List<(nuint Address, int Size)> given = [];
        for (int size = 0; size < 700; size++)
        {
            Add(size);
            Add(size * 40);
        }

        (nuint Address, int Size)[] sorted = [.. given.OrderBy(one => one.Address)];
        for (int i = 1; i < sorted.Length; i++)
        {
            Assert.True(sorted[i - 1].Address + (nuint)Math.Max(sorted[i - 1].Size, 1) <= sorted[i].Address, "Two allocations overlap.");
        }

        void Add(int size)
        {
            void* address = scope.Allocate((nuint)size);
            Assert.Equal(0u, (nuint)address % 16);
            Assert.True(address != null);
            new Span<byte>(address, size).Fill((byte)size);
            given.Add(((nuint)address, size));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Elements_are_aligned_as_their_type_requires(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        for (int length = 0; length < 30; length++)
        {
            AssertAligned<byte>(scope, length, 16);
            AssertAligned<Vector256<int>>(scope, length, 32);
            AssertAligned<decimal>(scope, length, 16);
            AssertAligned<Vector512<int>>(scope, length, 64);
            AssertAligned<(byte Tag, Vector512<int> Vector)>(scope, length, 64);
            AssertAligned<OddVector>(scope, length, 64);
        }
    }

    /// <summary>Which the program freed by other means, as the heap says.</summary>
    [Fact]
    public unsafe void A_block_that_the_heap_refuses_keeps_no_other_one()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"refused {Guid.NewGuid()}", Checks = BufferChecks.Returns });
        NativeScope scope = heap.CreateScope();
        scope.Allocate(100);
        void* wronged = scope.Allocate(100);
        scope.Allocate(100);
        heap.FreeAligned(wronged, 100, 16);

        Assert.Throws<InvalidOperationException>(scope.Dispose);
        Assert.Equal(0, heap.GetStatistics().InUseBytes);
        scope.Dispose();
    }

    /// <summary>A size that is no multiple of the alignment hides how much that is.</summary>
    [Fact]
    public void Elements_of_an_odd_size_end_before_the_next_allocation()
    {
        using NativeScope scope = _heap.CreateScope();
        for (int i = 0; i < 20; i++)
        {
            Span<OddVector> elements = scope.Allocate<OddVector>(1 + (i % 3));
            byte* end = (byte*)Unsafe.AsPointer(ref elements[0]) + (elements.Length * sizeof(OddVector));
            byte* next = (byte*)scope.Allocate(1);
            Assert.True(next >= end || next < (byte*)Unsafe.AsPointer(ref elements[0]), "Two allocations overlap.");
        }
    }

    [Fact]
    public void Small_allocations_follow_each_other_in_few_blocks_that_grow()
    {
        using NativeScope scope = _heap.CreateScope();
        byte* first = (byte*)scope.Allocate(16);
        for (int i = 1; i < 63; i++)
        {
            Assert.Equal((nint)(first + (16 * i)), (nint)scope.Allocate(16));
        }

        Assert.Equal(1, BlocksInUse);
        scope.Allocate(16);
        Assert.Equal(2, BlocksInUse);

        // 1 KiB and its doublings to 256 KiB hold half a MiB; ten MiB need forty more of the largest, each less a rest and its beginning.
        for (int i = 0; i < 10 << 20; i += 1 << 10)
        {
            scope.Allocate(1 << 10);
        }

        Assert.InRange(BlocksInUse, 9 + 38, 9 + 41);
    }

    [Fact]
    public void A_request_larger_than_a_quarter_of_the_next_block_has_its_own_and_the_current_one_continues()
    {
        using NativeScope scope = _heap.CreateScope();
        byte* small = (byte*)scope.Allocate(16);
        scope.Allocate(100_000);
        Assert.Equal((nint)(small + 16), (nint)scope.Allocate(16));
        scope.Allocate(10_000_000);
        Assert.Equal((nint)(small + 32), (nint)scope.Allocate(16));
        Assert.Equal(3, BlocksInUse);
    }

    [Theory]
    [InlineData(300)]
    [InlineData(1000)]
    [InlineData(60_000)]
    public void Many_of_one_size_come_to_share_blocks_whatever_the_first_ones_did(int size)
    {
        using NativeScope scope = _heap.CreateScope();
        for (int i = 0; i < 1000; i++)
        {
            scope.Allocate((nuint)size);
        }

        Assert.InRange(BlocksInUse, 1, 9 + 1 + (1000 / ((256 << 10) / size)));
    }

    [Fact]
    public void On_a_checked_heap_each_allocation_is_a_block()
    {
        using (NativeScope scope = _checked.CreateScope())
        {
            for (int i = 1; i <= 100; i++)
            {
                scope.Allocate((nuint)i);
                scope.AllocateZeroed<Vector512<int>>(i);
                Assert.Equal(2 * i, _checked.GetStatistics().InUseBlocks);
            }
        }

        Assert.Equal(0, _checked.GetStatistics().InUseBlocks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Bytes_allocated_are_counted_rounded_up_to_16(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        Assert.Equal(0, scope.AllocatedBytes);
        long expected = 0;
        foreach (int size in (int[])[1, 16, 17, 0, 300, 5000, 1_000_000, 200, 255, 257, 3])
        {
            scope.Allocate((nuint)size);
            expected += (Math.Max(size, 1) + 15) / 16 * 16;
            Assert.Equal(expected, scope.AllocatedBytes);
        }

        scope.Allocate<long>(3);
        Assert.Equal(expected + 32, scope.AllocatedBytes);
        scope.Reset();
        Assert.Equal(0, scope.AllocatedBytes);
    }

    [Fact]
    public void A_reset_frees_all_but_the_first_block_and_begins_there_again()
    {
        NativeScope scope = _heap.CreateScope();
        scope.Reset();
        scope.Allocate(100_000);
        byte* first = (byte*)scope.Allocate(50);
        Fill(scope, 2 << 20);
        Assert.True(BlocksInUse > 10);

        scope.Reset();
        Assert.Equal(1, BlocksInUse);
        Assert.Equal((nint)first, (nint)scope.Allocate(1));

        Fill(scope, 2 << 20);
        scope.Reset();
        Assert.Equal(1, BlocksInUse);
        Assert.Equal((nint)first, (nint)scope.Allocate(1));

        scope.Dispose();
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void A_reset_on_a_checked_heap_frees_all()
    {
        using NativeScope scope = _checked.CreateScope();
        Fill(scope, 10_000);
        scope.Reset();
        Assert.Equal(0, _checked.GetStatistics().InUseBlocks);
        Fill(scope, 10_000);
        Assert.Equal(100, _checked.GetStatistics().InUseBlocks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Zeroed_elements_are_zero_where_something_else_was_written_before(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        for (int round = 0; round < 3; round++)
        {
            foreach (int length in (int[])[0, 1, 100, 30_000])
            {
                Span<long> elements = scope.AllocateZeroed<long>(length);
                Assert.Equal(length, elements.Length);
                Assert.Equal(-1, elements.IndexOfAnyExcept(0));
                elements.Fill(-1);
            }

            scope.Reset();
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Disposed_it_has_freed_all_and_refuses_everything(bool isChecked)
    {
        NativeHeap heap = HeapFor(isChecked);
        NativeScope scope = heap.CreateScope();
        Fill(scope, 1 << 20);
        Assert.True(heap.GetStatistics().InUseBlocks > 0);

        scope.Dispose();
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        scope.Dispose();
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);

        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate(0); });
        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate(1); });
        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate(1_000_000); });
        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate<int>(0); });
        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate<int>(1); });
        Assert.Throws<ObjectDisposedException>(() => { scope.Allocate<Vector512<int>>(1); });
        Assert.Throws<ObjectDisposedException>(() => { scope.AllocateZeroed<int>(1); });
        Assert.Throws<ObjectDisposedException>(() => scope.AllocatedBytes);
        Assert.Throws<ObjectDisposedException>(scope.Reset);
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Lengths_that_cannot_be_are_refused_and_the_scope_goes_on(bool isChecked)
    {
        using NativeScope scope = HeapFor(isChecked).CreateScope();
        scope.Allocate(40);
        long blocks = HeapFor(isChecked).GetStatistics().InUseBlocks;

        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => { scope.Allocate<int>(-1); }).ParamName);
        Assert.Equal(
            "length", Assert.Throws<ArgumentOutOfRangeException>(() => { scope.Allocate<Vector512<int>>(int.MinValue); }).ParamName);
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => { scope.AllocateZeroed<int>(-1); }).ParamName);
        Assert.Throws<OutOfMemoryException>(() => { scope.Allocate<Huge>(int.MaxValue); });
        for (nuint less = 0; less < 40; less++)
        {
            Assert.Throws<OutOfMemoryException>(() => { scope.Allocate(nuint.MaxValue - less); });
        }

        Assert.Throws<OutOfMemoryException>(() => { scope.Allocate(nuint.MaxValue / 2); });

        Assert.Equal((48, blocks), (scope.AllocatedBytes, HeapFor(isChecked).GetStatistics().InUseBlocks));
        scope.Allocate<byte>(100).Fill(1);
        scope.Allocate<byte>(100_000).Fill(1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void When_its_heap_went_first_it_touches_nothing_more(bool isChecked)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = isChecked ? BufferChecks.Returns : BufferChecks.None });
        NativeScope scope = heap.CreateScope();
        NativeScope untouched = heap.CreateScope();
        Fill(scope, 1 << 20);

        heap.Dispose();

        Assert.Throws<ObjectDisposedException>(scope.Reset);
        Assert.Throws<ObjectDisposedException>(() => { untouched.Allocate(1); });
        Assert.Throws<ObjectDisposedException>(() => heap.CreateScope());
        scope.Dispose();
        untouched.Dispose();
    }

    [Fact]
    public void A_scope_without_an_allocation_takes_nothing()
    {
        using NativeScope scope = _heap.CreateScope();
        scope.Reset();
        Assert.Equal((0, 0), (BlocksInUse, scope.AllocatedBytes));
    }

    [StructLayout(LayoutKind.Sequential, Size = 65)]
    private struct OddVector
    {
        internal Vector512<byte> Vector;
    }

    private long BlocksInUse => _heap.GetStatistics().InUseBlocks;

    private NativeHeap HeapFor(bool isChecked) => isChecked ? _checked : _heap;

    private static void Fill(NativeScope scope, int bytes)
    {
        for (int i = 0; i < bytes; i += 100)
        {
            scope.Allocate<byte>(100).Fill(7);
        }
    }

    private static void AssertAligned<T>(NativeScope scope, int length, nuint alignment)
        where T : unmanaged
    {
        Span<T> elements = scope.Allocate<T>(length);
        elements.Clear();
        Assert.Equal(length, elements.Length);
        Assert.Equal(0u, (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetReference(elements)) % alignment);
    }
}
