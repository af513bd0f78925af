using System.Buffers;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Connections;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Diagnostics;

namespace Tarn.AspNetCore.Tests.Blocks;

public class BlockPoolTests
{
    private const int Large = BlockPool.LargeBytes;
    private const int Small = BlockPool.SmallBytes;

    /// <summary>Half of the cap holds eight large blocks; these stop at three quarters of it: six.</summary>
    private static readonly TarnServerOptions s_tight = new() { MaxPooledBytes = 16 * Large, Checks = BufferChecks.None };

    [Theory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Small)]
    [InlineData(Small + 1)]
    [InlineData(Large)]
    public void A_block_is_large_and_its_array_stays_where_it_is(int size)
    {
        using MemoryPool<byte> pool = Create(new() { Checks = BufferChecks.None });
        using IMemoryOwner<byte> block = pool.Rent(size);

        Assert.Equal(Large, block.Memory.Length);
        Assert.True(MemoryMarshal.TryGetArray<byte>(block.Memory, out ArraySegment<byte> segment));
        Assert.Equal((0, Large), (segment.Offset, segment.Count));
        Assert.Equal(GC.MaxGeneration, GC.GetGeneration(segment.Array!));
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(Large + 1)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void A_size_that_no_block_has_is_refused(int size)
    {
        using MemoryPool<byte> pool = Create();

        ArgumentOutOfRangeException exception = Assert.Throws<ArgumentOutOfRangeException>("minBufferSize", () => pool.Rent(size));
        Assert.Contains("from 0 to 65536 bytes", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_rent_allocates_nothing_once_the_pool_is_warm()
    {
        using MemoryPool<byte> pool = Create(new() { Checks = BufferChecks.None });
        RentAndReturn(pool, times: 100);

        long before = GC.GetAllocatedBytesForCurrentThread();
        RentAndReturn(pool, times: 100);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Blocks_are_small_near_the_cap_and_unpooled_beyond_it_and_large_again_afterwards()
    {
        BlockPool pool = new("test", s_tight);
        Block[] large = Rent(pool, 6);
        Block[] small = Rent(pool, 32);
        Block[] beyond = Rent(pool, 2);
        Block asked = pool.Rent(Small + 1);

        Assert.All(large, block => Assert.Equal(Large, block.Memory.Length));
        Assert.All(small, block => Assert.Equal(Small, block.Memory.Length));
        Assert.All(beyond, block => Assert.Equal(Small, block.Memory.Length));
        Assert.Equal(Small + 1, asked.Memory.Length);
        BlockPoolSnapshot full = pool.GetSnapshot();
        Assert.Equal((8 * Large, 8 * Large), (full.InUseBytes, full.MaxInUseBytes));
        Assert.Equal((3, (3 * Small) + 1), (full.Unpooled, full.UnpooledInUseBytes));

        Dispose([.. large, .. small, .. beyond, asked]);

        BlockPoolSnapshot empty = pool.GetSnapshot();
        Assert.Equal((0, 0), (empty.InUseBytes, empty.UnpooledInUseBytes));
        Assert.InRange(empty.RetainedBytes, Large, 8 * Large);
        Assert.Equal(Large, pool.Rent(-1).Memory.Length);
    }

    [Fact]
    public void Threads_that_rent_all_they_can_never_pass_the_cap()
    {
        BlockPool pool = new("test", s_tight);
        bool ends = false;
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(number => new Thread(() => Use(number)))];
        Array.ForEach(threads, thread => thread.Start());
        for (int look = 0; look < 2_000; look++)
        {
            BlockPoolSnapshot now = pool.GetSnapshot();
            Assert.InRange(now.InUseBytes - (threads.Length * Large), long.MinValue, now.MaxInUseBytes);
            Assert.InRange(now.RetainedBytes, 0, now.CapBytes - now.MaxInUseBytes);
        }

        Volatile.Write(ref ends, true);
        Array.ForEach(threads, thread => thread.Join());
        Assert.Equal((0, 0), (pool.GetSnapshot().InUseBytes, pool.GetSnapshot().UnpooledInUseBytes));

        void Use(int seed)
        {
            Random random = new(seed);
            while (!Volatile.Read(ref ends))
            {
                Block[] blocks = Rent(pool, random.Next(1, 20));
                Assert.Distinct(blocks);
                foreach (Block block in blocks)
                {
                    block.Memory.Span[0] = (byte)seed;
                    block.Memory.Span[^1] = (byte)seed;
                }

                Assert.All(blocks, block => Assert.Equal((seed, seed), (block.Memory.Span[0], block.Memory.Span[^1])));
                Dispose(blocks);
            }
        }
    }

    [Fact]
    public void No_more_blocks_exist_than_were_in_use_at_once_whichever_threads_rent_and_return_them()
    {
        BlockPool pool = new("test", s_tight.With(options => options.MaxPooledBytes = 1_000 * Large));
        for (int round = 0; round < 30; round++)
        {
            Block[] blocks = [];
            OnThread(() => blocks = Rent(pool, 40));
            OnThread(() => Dispose(blocks[..25]));
            OnThread(() => Dispose(blocks[25..]));
            Dispose(Rent(pool, 40));
        }

        BlockPoolSnapshot now = pool.GetSnapshot();
        Assert.Equal((40, 40 * Large), (now.Allocated, now.RetainedBytes));

        static void OnThread(Action work)
        {
            Thread thread = new(() => work());
            thread.Start();
            thread.Join();
        }
    }

    [Fact]
    public void A_second_disposal_does_nothing_and_use_after_disposal_throws()
    {
        BlockPool pool = new("test", s_tight);
        Block block = pool.Rent(-1);
        block.Dispose();
        block.Dispose();

        Assert.Equal(0, pool.GetSnapshot().InUseBytes);
        Assert.Throws<ObjectDisposedException>(() => block.Memory);
        Assert.NotSame(MemoryMarshal.TryGetArray<byte>(pool.Rent(-1).Memory, out ArraySegment<byte> first) ? first.Array : null,
            MemoryMarshal.TryGetArray<byte>(pool.Rent(-1).Memory, out ArraySegment<byte> second) ? second.Array : null);
    }

    [Fact]
    public void Checks_report_a_second_disposal_with_the_stacks_of_rent_and_return_even_after_the_block_was_rented_again()
    {
        BlockPool pool = new("checked", s_tight.With(options => options.Checks = BufferChecks.Returns));
        Block block = pool.Rent(-1);
        block.Dispose();

        InvalidOperationException exception = Assert.Throws<InvalidOperationException>(block.Dispose);
        Assert.Contains("a second time", exception.Message, StringComparison.Ordinal);

        // The method that disposed it. Block.Dispose itself is not always there: optimized, its last call is a jump.
        const string method =
            nameof(Checks_report_a_second_disposal_with_the_stacks_of_rent_and_return_even_after_the_block_was_rented_again);
        Assert.Equal(2, exception.Message.Split(method).Length - 1);
        Assert.Equal(0, pool.GetSnapshot().InUseBytes);
        Assert.NotSame(block, pool.Rent(-1));
        Assert.Throws<ObjectDisposedException>(() => block.Memory);
    }

    [Fact]
    public void Checks_find_writes_after_the_return()
    {
        BlockPool pool = new("written late", s_tight.With(options => options.Checks = BufferChecks.UseAfterReturn));
        Block block = pool.Rent(-1);
        Memory<byte> late = block.Memory;
        block.Dispose();
        late.Span[7] = 1;

        Assert.True(BufferDiagnostics.Flush());
        BufferIncident found = Assert.Single(BufferDiagnostics.GetIncidents(), incident => incident.SourceName == "written late");
        Assert.Equal(BufferIncidentKind.UseAfterReturn, found.Kind);
    }

    [Fact]
    public async Task Idle_blocks_go_back_by_the_clock()
    {
        BlockPool pool = new("test", s_tight.With(options => options.IdleTimeout = TimeSpan.FromMilliseconds(30)));
        Dispose(Rent(pool, 6));

        await Eventually.Holds(() => pool.GetSnapshot().RetainedBytes == 0, "idle blocks were kept");
    }

    [Fact]
    public void Owners_of_a_burst_are_dropped_on_request()
    {
        BlockPool pool = new("test", s_tight);
        Block[] burst = Rent(pool, 1_000);
        Dispose(burst);
        pool.TrimOwners();

        Assert.Equal(256, Rent(pool, 1_000).Intersect(burst).Count());
    }

    private static Block[] Rent(BlockPool pool, int count) => [.. Enumerable.Range(0, count).Select(_ => pool.Rent(-1))];

    private static void Dispose(Block[] blocks) => Array.ForEach(blocks, block => block.Dispose());

    private static MemoryPool<byte> Create(TarnServerOptions? options = null) =>
        new ServerMemoryPoolFactory(options ?? s_tight, new NoMeters()).Create(new MemoryPoolOptions { Owner = "test" });

    private static void RentAndReturn(MemoryPool<byte> pool, int times)
    {
        for (int time = 0; time < times; time++)
        {
            using IMemoryOwner<byte> one = pool.Rent();
            using IMemoryOwner<byte> two = pool.Rent(100);
            one.Memory.Span[0] = two.Memory.Span[0];
        }
    }
}
