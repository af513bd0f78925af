using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The options of a memory pool, and what its owners do when they are misused.</summary>
public sealed class MemoryPoolTests
{
    private readonly BufferPool<byte> _pool =
        BufferPool<byte>.Create(new BufferPoolOptions { Name = "memory", Checks = BufferChecks.None });

    [Theory]
    [InlineData(-1, 4096, 4096)]
    [InlineData(0, 0, 0)]
    [InlineData(1, 1, 20)]
    [InlineData(5000, 5000, 6250)]
    public void Without_options_a_block_is_about_as_long_as_requested(int requested, int least, int most)
    {
        using IMemoryOwner<byte> owner = _pool.AsMemoryPool(minLength: 0).Rent(requested);
        Assert.InRange(owner.Memory.Length, least, most);
    }

    [Theory]
    [InlineData(-1, 2000, 2500)]
    [InlineData(0, 2000, 2500)]
    [InlineData(1999, 2000, 2500)]
    [InlineData(4999, 4999, 5000)]
    [InlineData(5000, 5000, 5000)]
    public void Blocks_are_at_least_the_smallest_and_at_most_the_largest(int requested, int least, int most)
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool(minLength: 2000, maxLength: 5000);
        Assert.Equal(5000, memory.MaxBufferSize);
        using IMemoryOwner<byte> owner = memory.Rent(requested);
        Assert.InRange(owner.Memory.Length, least, most);
    }

    [Fact]
    public void Callers_that_request_no_length_get_at_most_the_largest_block()
    {
        using IMemoryOwner<byte> owner = _pool.AsMemoryPool(minLength: 0, maxLength: 100).Rent();
        Assert.Equal(100, owner.Memory.Length);
    }

    [Fact]
    public void A_request_above_the_largest_block_is_refused_and_nothing_is_rented()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool(minLength: 0, maxLength: 5000);
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => memory.Rent(5001));
        Assert.Equal(("minBufferSize", 5001), (e.ParamName, e.ActualValue));
        Assert.Contains("5000", e.Message, StringComparison.Ordinal);
        Assert.Equal(0, _pool.GetStatistics().Rented);
    }

    [Fact]
    public void Each_block_doubles_the_memory_in_use_up_to_the_largest_and_disposals_shrink_it_again()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool(minLength: 4096, maxLength: 64 << 10, doubling: true);
        List<IMemoryOwner<byte>> owners = [.. Enumerable.Range(0, 8).Select(_ => memory.Rent(1000))];
        Assert.Equal(
            [4096, 4096, 8192, 16 << 10, 32 << 10, 64 << 10, 64 << 10, 64 << 10],
            owners.Select(static owner => owner.Memory.Length));
        owners.ForEach(static owner => owner.Dispose());
        using IMemoryOwner<byte> again = memory.Rent(1000);
        Assert.Equal(4096, again.Memory.Length);
    }

    [Fact]
    public void Growth_of_one_memory_pool_leaves_others_alone_and_ends_at_32_kibibytes()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool(minLength: 0, doubling: true);
        List<IMemoryOwner<byte>> owners = [.. Enumerable.Range(0, 12).Select(_ => memory.Rent())];
        Assert.Equal(32 << 10, owners[^1].Memory.Length);
        Assert.Equal(32 << 10, owners[^2].Memory.Length);
        using IMemoryOwner<byte> other = _pool.AsMemoryPool(minLength: 0, doubling: true).Rent();
        Assert.Equal(4096, other.Memory.Length);
        owners.ForEach(static owner => owner.Dispose());
    }

    /// <summary>Each pipe's code writes, flushes and then reads: a flush that waited for the reader would wait for ever.</summary>
    [Fact]
    public async Task Pipes_that_share_a_growing_memory_pool_never_wait_for_their_own_reader()
    {
        MemoryPool<byte> shared = _pool.AsMemoryPool(minLength: 0, doubling: true);
        Pipe[] pipes = [.. Enumerable.Range(0, 100).Select(_ => new Pipe(new PipeOptions(shared)))];
        for (int round = 0; round < 3; round++)
        {
            foreach (Pipe pipe in pipes)
            {
                int filled = pipe.Writer.GetMemory().Length;
                pipe.Writer.Advance(filled);
                ValueTask<FlushResult> flush = pipe.Writer.FlushAsync();
                Assert.True(flush.IsCompleted, $"A block of {filled} bytes paused the writer.");
                await flush;
            }

            foreach (Pipe pipe in pipes)
            {
                ReadResult read = await pipe.Reader.ReadAsync();
                pipe.Reader.AdvanceTo(read.Buffer.End);
            }
        }

        Array.ForEach(pipes, static pipe => { pipe.Writer.Complete(); pipe.Reader.Complete(); });
    }

    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.Returns)]
    public void Blocks_are_cleared_on_return_where_the_pool_clears(BufferChecks checks)
    {
        foreach (BufferClearing clearing in (BufferClearing[])[BufferClearing.OnRequest, BufferClearing.OnReturn])
        {
            BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks, Clearing = clearing });
            IMemoryOwner<byte> owner = pool.AsMemoryPool(minLength: 200).Rent(100);
            byte[] array = ArrayOf(owner);
            owner.Memory.Span.Fill(7);
            owner.Dispose();
            Assert.Equal(clearing == BufferClearing.OnReturn ? 0 : 7, array[99]);
        }
    }

    [Fact]
    public void Blocks_of_a_pinned_pool_need_no_pin()
    {
        BufferPool<byte> pinned = BufferPool<byte>.Create(new BufferPoolOptions { Pinned = true, Checks = BufferChecks.None });
        using IMemoryOwner<byte> owner = pinned.AsMemoryPool(minLength: 100).Rent(100);
        using MemoryHandle handle = owner.Memory.Pin();
        Assert.True(GC.GetGeneration(ArrayOf(owner)) >= 2);
        unsafe
        {
            owner.Memory.Span[0] = 9;
            Assert.Equal(9, *(byte*)handle.Pointer);
        }
    }

    [Theory]
    [InlineData(-1, 10, "minLength", -1)]
    [InlineData(int.MaxValue, int.MaxValue, "minLength", int.MaxValue)]
    [InlineData(0, 0, "maxLength", 0)]
    [InlineData(0, -5, "maxLength", -5)]
    [InlineData(100, 99, "maxLength", 99)]
    public void Bad_lengths_are_refused_and_named(int minLength, int maxLength, string argument, int value)
    {
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => _pool.AsMemoryPool(minLength, maxLength));
        Assert.Equal((argument, value), (e.ParamName, e.ActualValue));
        Assert.StartsWith(argument, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_dispose_does_nothing_however_late_it_comes()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool();
        IMemoryOwner<byte> first = memory.Rent(100);
        first.Dispose();
        for (int i = 0; i < 2_000; i++)
        {
            using IMemoryOwner<byte> other = memory.Rent(100);
            Assert.NotSame(first, other);
            long inUse = _pool.GetStatistics().InUseBytes;
            first.Dispose();
            Assert.Throws<ObjectDisposedException>(() => first.Memory);
            Assert.Equal(inUse, _pool.GetStatistics().InUseBytes);
        }
    }

    [Fact]
    public void Of_many_disposals_at_once_one_returns_the_block()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool();
        for (int i = 0; i < 200; i++)
        {
            IMemoryOwner<byte> owner = memory.Rent(100);
            Parallel.For(0, 8, _ => owner.Dispose());
        }

        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((200, 200, 0), (statistics.Rented, statistics.Returned, statistics.InUseBytes));
    }

    [Fact]
    public async Task Threads_that_hand_blocks_over_never_share_one()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool();
        ConcurrentQueue<(IMemoryOwner<byte> Owner, byte Stamp)> handed = new();
        await Eventually.AllEnd(Enumerable.Range(0, 4).Select(thread => Task.Run(() => Work(new Random(thread)))), "all threads end");
        foreach ((IMemoryOwner<byte> owner, byte stamp) in handed)
        {
            End(owner, stamp);
        }

        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((0, statistics.Rented), (statistics.InUseBytes, statistics.Returned));

        void Work(Random random)
        {
            for (int i = 0; i < 20_000; i++)
            {
                byte stamp = (byte)random.Next();
                IMemoryOwner<byte> owner = memory.Rent(random.Next(1, 300));
                owner.Memory.Span.Fill(stamp);
                handed.Enqueue((owner, stamp));
                if (random.Next(100) > 0 && handed.TryDequeue(out (IMemoryOwner<byte> Owner, byte Stamp) other))
                {
                    End(other.Owner, other.Stamp);
                }
            }
        }

        // Once: a thread may sleep so long before a second disposal that the owner is reused meanwhile.
        static void End(IMemoryOwner<byte> owner, byte stamp)
        {
            Assert.Equal(-1, owner.Memory.Span.IndexOfAnyExcept(stamp));
            owner.Dispose();
        }
    }

    [Theory]
    [InlineData(BufferChecks.Returns, true)]
    [InlineData(BufferChecks.UseAfterReturn, true)]
    [InlineData(BufferChecks.Leaks, false)]
    public void Checks_report_a_second_dispose_and_never_reuse_an_owner(BufferChecks checks, bool reports)
    {
        using CheckedPool<byte> tested = new(checks);
        MemoryPool<byte> memory = tested.Pool.AsMemoryPool();
        IMemoryOwner<byte> owner = memory.Rent(100);
        Memory<byte> stale = owner.Memory;
        owner.Dispose();
        HashSet<IMemoryOwner<byte>> others = [];
        for (int i = 0; i < 300; i++)
        {
            IMemoryOwner<byte> other = memory.Rent(100);
            Assert.True(others.Add(other));
            other.Dispose();
        }

        Assert.DoesNotContain(owner, others);
        Assert.Throws<ObjectDisposedException>(() => stale.Span.Length);
        owner.Dispose();
        if (reports)
        {
            BufferIncident incident = tested.Incidents.WaitForOne();
            Assert.Equal(BufferIncidentKind.DoubleReturn, incident.Kind);
            Assert.Contains(nameof(Checks_report_a_second_dispose_and_never_reuse_an_owner), incident.RentedAt, StringComparison.Ordinal);
            Assert.Contains("second time by", incident.Detail, StringComparison.Ordinal);
        }
        else
        {
            tested.Incidents.AssertNone();
        }

        Assert.Equal(0, tested.Pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Forgotten_owners_keep_no_pool_alive()
    {
        WeakReference pool = Forget();
        Eventually.True(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return !pool.IsAlive;
            },
            "the pool is collected");

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static WeakReference Forget()
        {
            BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
            for (int i = 0; i < 200; i++)
            {
                pool.AsMemoryPool().Rent(100).Dispose();
            }

            _ = pool.AsMemoryPool().Rent(100);
            return new WeakReference(pool);
        }
    }

    [Fact]
    public void A_forgotten_block_is_collected()
    {
        WeakReference block = Forget(_pool.AsMemoryPool());
        Eventually.True(
            () =>
            {
                GC.Collect();
                return !block.IsAlive;
            },
            "the block is collected");

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static WeakReference Forget(MemoryPool<byte> memory) => new(ArrayOf(memory.Rent(100)));
    }

    private static T[] ArrayOf<T>(IMemoryOwner<T> owner) =>
        MemoryMarshal.TryGetArray<T>(owner.Memory, out ArraySegment<T> segment) ? segment.Array! : [];
}
