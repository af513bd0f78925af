using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Writers whose bytes are taken from a budget of their own: what was taken returns, however a writer ends.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetedWriterTests : IDisposable
{
    private const int Limit = 10_000;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
    private readonly BufferPool<byte> _lost = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.Returns });
    private readonly BufferBudget _all = new(100_000, "all");
    private readonly BufferBudget _budget;

    public BudgetedWriterTests() => _budget = _all.CreateChild(Limit, "client");

    public static TheoryData<bool> IsNative => [false, true];

    public void Dispose()
    {
        Assert.Equal((0, 0, 0, 0), (_budget.InUse, _all.InUse, _pool.GetStatistics().InUseBytes, _heap.GetStatistics().InUseBytes));
        _heap.Dispose();
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void The_buffer_counts_while_the_writer_or_the_owner_it_detached_has_it(bool isNative)
    {
        PooledWriter<byte> writer = Create(isNative, capacity: 300);
        Assert.Equal((SizeOf(writer), SizeOf(writer)), (_budget.InUse, _all.InUse));
        writer.Write(new byte[1_000]);
        Assert.InRange(_budget.InUse, 1_000, 1_250);
        Assert.Equal(SizeOf(writer), _budget.InUse);
        writer.Clear();
        Assert.Equal(SizeOf(writer), _budget.InUse);
        writer.Write([1, 2, 3]);
        long first = _budget.InUse;
        IMemoryOwner<byte> owner = writer.Detach();
        Assert.Equal(first, _budget.InUse);
        writer.Write(new byte[400]);
        Assert.Equal(first + SizeOf(writer), _budget.InUse);
        writer.Dispose();
        writer.Dispose();
        Assert.Equal((first, 3), (_budget.InUse, owner.Memory.Length));
        MemoryHandle pin = owner.Memory.Pin();
        owner.Dispose();
        owner.Dispose();
        Assert.Equal(first, _budget.InUse);
        pin.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_writer_without_contents_detaches_nothing(bool isNative)
    {
        using PooledWriter<byte> writer = Create(isNative);
        writer.Detach().Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_refused_growth_leaves_the_writer_as_it_was(bool isNative)
    {
        byte[] contents = [.. Enumerable.Range(0, 3_000).Select(static i => (byte)i)];
        using PooledWriter<byte> writer = Create(isNative);
        writer.Write(contents);
        long inUse = _budget.InUse;
        foreach (Action call in (Action[])
            [() => writer.Write(new byte[Limit]), () => writer.GetSpan(Limit), () => writer.GetMemory(Limit), () => writer.Reserve(Limit)])
        {
            BufferBudgetExceededException e = Assert.Throws<BufferBudgetExceededException>(call);
            Assert.Equal(("client", Limit, inUse, true), (e.BudgetName, e.Limit, e.InUse, e.ExceedsLimit));
            Assert.Equal(inUse, _budget.InUse);
        }

        writer.Write([7, 8]);
        Assert.Equal([.. contents, 7, 8], writer.WrittenSpan.ToArray());
        Assert.Equal(4, _budget.Refused);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_parent_without_room_refuses_too(bool isNative)
    {
        _all.Take(98_000);
        using (PooledWriter<byte> writer = Create(isNative))
        {
            writer.Write(new byte[500]);
            BufferBudgetExceededException e = Assert.Throws<BufferBudgetExceededException>(() => writer.Write(new byte[3_000]));
            Assert.Equal(("all", false), (e.BudgetName, e.ExceedsLimit));
            Assert.Equal((500, SizeOf(writer), 98_000 + SizeOf(writer)), (writer.WrittenCount, _budget.InUse, _all.InUse));
        }

        Assert.Equal((0, 98_000), (_budget.InUse, _all.InUse));
        _all.Return(98_000);
    }

    /// <summary>A writer doubles, where there is room for that. Near the limit it takes what it needs, and so gets further.</summary>
    [Theory]
    [MemberData(nameof(IsNative))]
    public void Near_the_limit_a_writer_takes_no_more_than_it_needs(bool isNative)
    {
        using PooledWriter<byte> writer = Create(isNative);
        int written = 0;
        Assert.Throws<BufferBudgetExceededException>(() =>
        {
            for (; written <= Limit; written++)
            {
                writer.Write((byte)written);
            }
        });
        Assert.Equal(written, writer.WrittenCount);

        // A copy has both buffers for a while; a resize in place has one.
        Assert.InRange(written, isNative ? Limit * 9 / 10 : Limit * 2 / 5, Limit);
        Assert.True(writer.WrittenSpan[..100].SequenceEqual(Enumerable.Range(0, 100).Select(static i => (byte)i).ToArray()));
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_limit_below_the_usual_length_suffices_for_what_fits(bool isNative)
    {
        BufferBudget small = new(64);
        using PooledWriter<byte> writer = isNative ? new(_heap, budget: small) : new(_pool, budget: small);
        writer.Write([1, 2, 3]);
        Assert.InRange(small.InUse, 3, 64);
        Assert.Equal(0, small.Refused);
        Assert.Throws<BufferBudgetExceededException>(() => writer.Write(new byte[100]));
        Assert.Equal([1, 2, 3], writer.WrittenSpan.ToArray());
        writer.Dispose();
        Assert.Equal(0, small.InUse);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_capacity_that_is_refused_takes_nothing(bool isNative)
    {
        Assert.Throws<BufferBudgetExceededException>(() => Create(isNative, capacity: Limit + 1));
        Assert.Equal(0, _budget.InUse);
    }

    /// <summary>The writer's own budget has granted the bytes when that of the pool or heap refuses them.</summary>
    [Theory]
    [MemberData(nameof(IsNative))]
    public void What_the_source_refuses_the_budget_gets_back(bool isNative)
    {
        BufferBudget sources = new(4_000, "sources");
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = sources, Checks = BufferChecks.Returns });
        using NativeHeap heap = new(new NativeHeapOptions { Budget = sources, Checks = BufferChecks.Returns });
        PooledWriter<byte> writer = isNative ? new(heap, budget: _budget) : new(pool, budget: _budget);
        writer.Write([1, 2, 3]);
        (long own, long source) = (_budget.InUse, sources.InUse);
        Assert.Equal("sources", Assert.Throws<BufferBudgetExceededException>(() => writer.GetSpan(5_000)).BudgetName);
        Assert.Equal((own, source), (_budget.InUse, sources.InUse));
        Assert.Equal([1, 2, 3], writer.WrittenSpan.ToArray());
        writer.Dispose();
        Assert.Equal((0, 0), (_budget.InUse, sources.InUse));
    }

    [Fact]
    public void What_the_system_refuses_the_budget_gets_back()
    {
        BufferBudget budget = new(long.MaxValue);
        using PooledWriter<Huge> writer = new(BufferPool<Huge>.Shared, budget: budget);
        writer.Write(new Huge { First = 7 });
        long inUse = budget.InUse;
        Assert.Throws<OutOfMemoryException>(() => writer.GetSpan(1 << 30));
        Assert.Equal((inUse, 7), (budget.InUse, writer.WrittenSpan[0].First));
        writer.Dispose();
        Assert.Equal(0, budget.InUse);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_writer_and_its_source_may_have_the_same_budget_which_then_counts_twice(bool isNative)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = _budget, Checks = BufferChecks.Returns });
        using NativeHeap heap = new(new NativeHeapOptions { Budget = _budget, Checks = BufferChecks.Returns });
        PooledWriter<byte> writer = isNative ? new(heap, budget: _budget) : new(pool, budget: _budget);
        writer.Write(new byte[1_000]);
        Assert.InRange(_budget.InUse, 2 * SizeOf(writer), (2 * SizeOf(writer)) + 64);
        Assert.Throws<BufferBudgetExceededException>(() => writer.Write(new byte[5_000]));
        Assert.InRange(_budget.InUse, 2 * SizeOf(writer), (2 * SizeOf(writer)) + 64);
        writer.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    /// <summary>Pinned, native contents move to another buffer when they grow. The old one counts until its last unpin.</summary>
    [Fact]
    public void A_pinned_native_buffer_counts_until_it_is_unpinned()
    {
        using PooledWriter<byte> writer = Create(isNative: true, capacity: 500);
        writer.Write(new byte[500]);
        MemoryHandle pin = writer.WrittenMemory.Pin();
        writer.Write([1]);
        Assert.Equal(500 + SizeOf(writer), _budget.InUse);
        pin.Dispose();
        Assert.Equal(SizeOf(writer), _budget.InUse);
        pin = writer.WrittenMemory.Pin();
        writer.Dispose();
        Assert.NotEqual(0, _budget.InUse);
        pin.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void The_bytes_of_lost_contents_that_were_detached_return_when_they_are_collected(bool isNative)
    {
        BufferBudget budget = new(Limit);
        Lose(isNative, budget);
        Eventually.TrueAfterCollections(() => budget.InUse == 0, "the lost bytes return");
        if (!isNative)
        {
            // The pool counts the array for ever, as that of each lost lease.
            Assert.NotEqual(0, _lost.GetStatistics().InUseBytes);
        }
    }

    [Theory]
    [MemberData(nameof(IsNative))]
    public void A_writer_that_is_disposed_on_another_thread_returns_its_bytes_once(bool isNative)
    {
        for (int round = 0; round < 200; round++)
        {
            PooledWriter<byte> writer = Create(isNative, capacity: 1 + (round % 50));
            Thread disposer = new(writer.Dispose);
            disposer.Start();
            try
            {
                while (true)
                {
                    writer.Write(new byte[100]);
                    writer.Detach().Dispose();
                }
            }
            catch (ObjectDisposedException)
            {
                disposer.Join();
            }

            Assert.Equal(0, _budget.InUse);
        }
    }

    [Fact]
    public void Elements_count_by_their_size()
    {
        BufferPool<decimal> pool = BufferPool<decimal>.Create();
        using (PooledWriter<decimal> writer = new(pool, capacity: 100, budget: _budget))
        {
            Assert.Equal(16L * writer.Capacity, _budget.InUse);
        }

        using PooledWriter<decimal> native = new(_heap, capacity: 100, budget: _budget);
        Assert.Equal(1_600, _budget.InUse);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Lose(bool isNative, BufferBudget budget)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        PooledWriter<byte> writer = isNative ? new(heap, budget: budget) : new(_lost, budget: budget);
        writer.Write([1, 2, 3]);
        _ = writer.Detach();
        Assert.NotEqual(0, budget.InUse);
    }

    private PooledWriter<byte> Create(bool isNative, int capacity = 0) =>
        isNative ? new(_heap, capacity, budget: _budget) : new(_pool, capacity, budget: _budget);

    /// <summary>The bytes of the writer's buffer.</summary>
    private static long SizeOf(PooledWriter<byte> writer) =>
        MemoryMarshal.TryGetMemoryManager(writer.WrittenMemory, out HeapElements<byte>? elements) ? elements.Size
        : MemoryMarshal.TryGetArray(writer.WrittenMemory, out ArraySegment<byte> array) ? array.Array!.Length : 0;
}
