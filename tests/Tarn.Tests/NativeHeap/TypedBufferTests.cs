using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>What a <see cref="NativeBuffer{T}"/> promises, on heaps of every kind.</summary>
public sealed unsafe class TypedBufferTests
{
    private const int Page = 4096;
    private const int HugePage = 2 << 20;

    public static TheoryData<BufferChecks, bool> Kinds => new()
    {
        { BufferChecks.None, false }, { BufferChecks.None, true }, { BufferChecks.All, false },
        { BufferChecks.All | BufferChecks.GuardPages, false },
    };

    public static TheoryData<string> Uses => [.. s_uses.Keys];

    private static readonly Dictionary<string, Action<NativeBuffer<int>>> s_uses = new()
    {
        ["Length"] = static buffer => _ = buffer.Length,
        ["Pointer"] = static buffer => _ = buffer.Pointer,
        ["Memory"] = static buffer => _ = buffer.Memory,
        ["owner's Memory"] = static buffer => _ = ((IMemoryOwner<int>)buffer).Memory,
        ["Span"] = static buffer => _ = buffer.Span,
        ["GetSpan"] = static buffer => buffer.GetSpan(),
        ["GetSpan of a part"] = static buffer => buffer.GetSpan(0, 1),
        ["GetMemory"] = static buffer => buffer.GetMemory(0, 1),
        ["AsReadOnlySequence"] = static buffer => buffer.AsReadOnlySequence(),
        ["AsStream"] = static buffer => buffer.AsStream(),
        ["Pin"] = static buffer => buffer.Pin().Dispose(),
        ["TryResize"] = static buffer => buffer.TryResize(buffer.Length),
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_view_has_the_elements_asked_for_at_the_alignment_asked_for(BufferChecks checks, bool zeroes)
    {
        using NativeHeap heap = Create(checks, zeroes);
        foreach (int length in (int[])[0, 1, 3, 17, 5000, StressLength.Times(30_000, 300_000)])
        {
            Verify<byte>(heap, length);
            Verify<double>(heap, length);
            Verify<(int, byte)>(heap, length);
            Verify<Vector512<float>>(heap, length);
            Verify<OddVector>(heap, length);
        }

        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Rented_zeroed_it_is_zero_where_something_else_was_written_before(BufferChecks checks, bool zeroes)
    {
        using NativeHeap heap = Create(checks, zeroes);
        foreach (int alignment in (int[])[1, 64, Page])
        {
            NativeBufferOptions options = new() { Alignment = alignment, Zeroed = true };
            for (int round = 0; round < 3; round++)
            {
                foreach (int length in (int[])[0, 1, 1000, 100_000])
                {
                    using NativeBuffer<long> buffer = heap.AllocateBuffer<long>(length, options);
                    Assert.Equal(-1, buffer.Span.IndexOfAnyExcept(0));
                    buffer.Span.Fill(-1);
                    Assert.True(buffer.TryResize(length / 2));
                    Assert.True(buffer.TryResize(length + 10));
                    Assert.Equal(-1, buffer.Span[..(length / 2)].IndexOfAnyExcept(-1));
                    Assert.Equal(-1, buffer.Span[(length / 2)..].IndexOfAnyExcept(0));
                    buffer.Span.Fill(-1);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Resized_it_keeps_its_alignment_and_its_elements_up_to_the_smaller_length(BufferChecks checks, bool zeroes)
    {
        using NativeHeap heap = Create(checks, zeroes);
        int[] expected = [.. Enumerable.Range(1, 2_000_000)];
        foreach (int alignment in (int[])[4, 64, Page])
        {
            using NativeBuffer<int> buffer = heap.AllocateBuffer<int>(10, new() { Alignment = alignment });
            expected.AsSpan(0, 10).CopyTo(buffer.Span);
            int before = 10;
            foreach (int length in (int[])[11, 5000, 4, 0, 100_000, 2_000_000, 700_000, 1_900_000, 16])
            {
                Assert.True(buffer.TryResize(length));
                Assert.Equal(((long)length, 0u), (buffer.Length, (nuint)buffer.Pointer % (nuint)alignment));
                Assert.True(buffer.Span[..Math.Min(before, length)].SequenceEqual(expected.AsSpan(0, Math.Min(before, length))));
                expected.AsSpan(0, length).CopyTo(buffer.Span);
                before = length;
            }
        }

        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void A_memory_taken_before_a_resize_shows_the_elements_that_are_left()
    {
        using NativeHeap heap = Create(BufferChecks.None, zeroes: false);
        using NativeBuffer<int> buffer = heap.AllocateBuffer<int>(100);
        Memory<int> all = buffer.Memory;
        Memory<int> first = buffer.Memory[..10];
        buffer.Span[9] = 42;
        Assert.True(buffer.TryResize(100_000));
        Assert.Equal((100, 42), (all.Span.Length, all.Span[9]));
        Assert.True(buffer.TryResize(10));
        Assert.Equal(42, first.Span[9]);
        Assert.Throws<ArgumentOutOfRangeException>(() => all.Span.Length);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(Page)]
    [InlineData(600_000)]
    [InlineData(HugePage + 1)]
    public void With_huge_pages_it_has_whole_ones(int size)
    {
        using NativeHeap heap = Create(BufferChecks.None, zeroes: false);
        using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(size, new() { HugePages = true });
        Assert.Equal(size, buffer.Length);
        Assert.Equal(0u, (nuint)buffer.Pointer % HugePage);
        Assert.Equal(0u, heap.GetUsableSize(buffer.Pointer) % HugePage);
    }

    [Fact]
    public void What_cannot_be_is_refused_with_its_name_and_value_and_nothing_is_lost()
    {
        using NativeHeap heap = Create(BufferChecks.None, zeroes: false);
        Refused("length", "-1", () => heap.AllocateBuffer<int>(-1));
        Refused("length", "-5", () => heap.AllocateBuffer<int>(-5, new NativeBufferOptions()));
        foreach (int alignment in (int[])[0, -4, 3, 48, HugePage + 1, 2 * HugePage, int.MinValue, int.MaxValue])
        {
            Refused("options", $"{alignment}", () => heap.AllocateBuffer<int>(1, new() { Alignment = alignment }));
        }

        Assert.Throws<OutOfMemoryException>(() => heap.AllocateBuffer<Huge>(int.MaxValue));
        Assert.Throws<OutOfMemoryException>(() => heap.AllocateBuffer<long>(long.MaxValue / 8 + 1));
        Assert.Throws<OutOfMemoryException>(() => heap.AllocateBuffer<long>(long.MaxValue));
        NativeBufferOptions all = new() { Zeroed = true, HugePages = true };
        Assert.Throws<OutOfMemoryException>(() => heap.AllocateBuffer<Huge>(int.MaxValue, all));
        Assert.Equal((0, 0), (heap.GetStatistics().InUseBlocks, heap.GetStatistics().InUseBytes));

        using NativeBuffer<Huge> buffer = heap.AllocateBuffer<Huge>(1);
        Refused("length", "-1", () => buffer.TryResize(-1));
        Assert.False(buffer.TryResize(int.MaxValue));
        Assert.False(buffer.TryResize(long.MaxValue));
        Assert.Equal(1, buffer.Length);
        Refused("elementIndex", "2", () => buffer.Pin(2));
        Refused("elementIndex", "-1", () => buffer.Pin(-1));
        Assert.True(buffer.TryResize(2), "A refused pin is none.");
    }

    [Fact]
    public void At_its_budget_a_resize_changes_nothing()
    {
        BufferBudget budget = new(1 << 20, "typed");
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Budget = budget });
        using (NativeBuffer<int> buffer = heap.AllocateBuffer<int>(1000))
        {
            buffer.Span.Fill(7);
            long before = budget.InUse;
            Assert.False(buffer.TryResize(1 << 20));
            Assert.Equal((1000L, before), (buffer.Length, budget.InUse));
            Assert.Equal(-1, buffer.Span.IndexOfAnyExcept(7));
            Assert.True(buffer.TryResize(100_000));
        }

        Assert.Throws<BufferBudgetExceededException>(() => heap.AllocateBuffer<int>(1 << 20));
        Assert.Equal(0, budget.InUse);
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void After_dispose_every_member_throws(string use)
    {
        using NativeHeap heap = Create(BufferChecks.None, zeroes: false);
        NativeBuffer<int> buffer = heap.AllocateBuffer<int>(100);
        Memory<int> memory = buffer.Memory;
        s_uses[use](buffer);
        buffer.Dispose();
        buffer.Dispose();
        ((IDisposable)buffer).Dispose();
        Assert.Throws<ObjectDisposedException>(() => s_uses[use](buffer));
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void After_its_heap_was_disposed_every_member_throws_and_dispose_does_not(string use)
    {
        NativeHeap heap = new();
        NativeBuffer<int> buffer = heap.AllocateBuffer<int>(100);
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => s_uses[use](buffer));
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => heap.AllocateBuffer<int>(1));
        Assert.Throws<ObjectDisposedException>(() => heap.AllocateBuffer<int>(1, new() { Zeroed = true }));
    }

    [Fact]
    public void It_is_found_behind_its_memory()
    {
        using NativeHeap heap = Create(BufferChecks.None, zeroes: false);
        using NativeBuffer<int> buffer = heap.AllocateBuffer<int>(100);
        Assert.True(
            MemoryMarshal.TryGetMemoryManager<int, NativeBuffer<int>>(
                buffer.Memory[10..20], out NativeBuffer<int>? found, out int start, out int length));
        Assert.Equal((buffer, 10, 10), (found, start, length));
    }

    private static NativeHeap Create(BufferChecks checks, bool zeroes) =>
        new(new NativeHeapOptions { Name = "typed", Checks = checks, ClearOnFree = zeroes });

    private static void Refused(string name, string value, Func<object> call)
    {
        ArgumentOutOfRangeException refused = Assert.Throws<ArgumentOutOfRangeException>(call);
        Assert.Equal(name, refused.ParamName);
        Assert.Contains(value, refused.Message, StringComparison.Ordinal);
    }

    private static void Verify<T>(NativeHeap heap, int length)
        where T : unmanaged
    {
        byte[] expected = new byte[length * sizeof(T)];
        new Random(length).NextBytes(expected);
        foreach (int alignment in (int[])[1, 8, 64, Page, 1 << 16, HugePage])
        {
            using NativeBuffer<T> buffer = heap.AllocateBuffer<T>(length, new() { Alignment = alignment });
            Assert.Equal(length, buffer.Length);
            Assert.Equal(0u, (nuint)buffer.Pointer % (nuint)alignment);
            Assert.True(buffer.Pointer != null);
            expected.CopyTo(new Span<byte>(buffer.Pointer, expected.Length));
            Assert.True(expected.AsSpan().SequenceEqual(MemoryMarshal.AsBytes(buffer.Span)));
            Assert.True(expected.AsSpan().SequenceEqual(MemoryMarshal.AsBytes(buffer.GetSpan())));
            Assert.True(expected.AsSpan().SequenceEqual(MemoryMarshal.AsBytes(buffer.Memory.Span)));
            int half = length / 2;
            ReadOnlySpan<byte> ofHalf = expected.AsSpan(0, half * sizeof(T));
            Assert.True(ofHalf.SequenceEqual(MemoryMarshal.AsBytes(buffer.GetSpan(0, half))));
            Assert.True(ofHalf.SequenceEqual(MemoryMarshal.AsBytes(buffer.GetMemory(0, half).Span)));
            Assert.True(expected.AsSpan().SequenceEqual(MemoryMarshal.AsBytes<T>(buffer.AsReadOnlySequence().ToArray())));
            Assert.Equal((length - half, expected.Length), (buffer.GetSpan(half, length - half).Length, buffer.AsStream().Length));
            using MemoryHandle pin = buffer.Memory[half..].Pin();
            Assert.Equal((nint)(buffer.Pointer + half), (nint)pin.Pointer);
            buffer.Pin(length).Dispose();
        }

        using NativeBuffer<T> aligned = heap.AllocateBuffer<T>(length);
        Assert.Equal(0u, (nuint)aligned.Pointer % 64);
    }

    [StructLayout(LayoutKind.Sequential, Size = 65)]
    private struct OddVector
    {
        internal Vector512<byte> Vector;
    }
}
