using System.Collections.Concurrent;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>After the warm-up nothing is allocated: no buffers, and no objects that move them.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class SteadyStateTests
{
    /// <summary>Its clock stands still and never finds memory scarce, whatever earlier tests used.</summary>
    private readonly ManualClock _clock = new();

    private BufferPool<byte> Create(long cap = 1 << 28) =>
        BufferPool<byte>.Create(new BufferPoolOptions { MaxRetainedBytes = cap, Checks = BufferChecks.None, Clock = _clock.Trim });

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(66)]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(130)]
    [InlineData(200)]
    public void One_thread_at_any_depth(int depth)
    {
        BufferPool<byte> pool = Create();
        byte[][] held = new byte[depth][];
        RentAndReturnAll(pool, held, 16);
        BufferPoolStatistics warm = pool.GetStatistics();
        long before = GC.GetAllocatedBytesForCurrentThread();
        RentAndReturnAll(pool, held, 50);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(warm.Allocated, pool.GetStatistics().Allocated);
        Assert.Equal(depth, pool.GetStatistics().Allocated);
    }

    [Fact]
    public void One_thread_first_in_first_out()
    {
        BufferPool<byte> pool = Create();
        Queue<byte[]> held = new(256);
        Work();
        long allocated = pool.GetStatistics().Allocated;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(allocated, pool.GetStatistics().Allocated);

        void Work()
        {
            for (int i = 0; i < 10_000; i++)
            {
                held.Enqueue(pool.Rent(1000));
                if (held.Count > 100 + (i % 100))
                {
                    pool.Return(held.Dequeue());
                    pool.Return(held.Dequeue());
                }
            }
        }
    }

    [Fact]
    public void One_thread_with_many_sizes()
    {
        BufferPool<byte> pool = Create();
        Work();
        Work();
        long allocated = pool.GetStatistics().Allocated;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(allocated, pool.GetStatistics().Allocated);

        void Work()
        {
            for (int length = 1; length < 20_000; length += 7)
            {
                byte[] first = pool.Rent(length);
                byte[] second = pool.Rent(length * 2);
                byte[] third = pool.Rent(length);
                pool.Return(first);
                pool.Return(second);
                pool.Return(third);
            }
        }
    }

    [Theory]
    [InlineData(256, 1L << 28)]
    [InlineData(4096, 1L << 28)]
    [InlineData(256, (256L + (3 * 128)) * 1024)]
    public void Rented_here_and_returned_there(int inFlight, long cap)
    {
        // Two magazines on each side and one in transit take room under the cap, which need not hold a buffer at this moment.
        BufferPool<byte> pool = Create(cap);
        using Worker renter = new();
        using Worker returner = new();
        byte[][] held = new byte[inFlight][];
        long bytes = 0;
        Action rent = () =>
        {
            bytes -= GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < held.Length; i++)
            {
                held[i] = pool.Rent(1000);
            }

            bytes += GC.GetAllocatedBytesForCurrentThread();
        };
        Action giveBack = () =>
        {
            bytes -= GC.GetAllocatedBytesForCurrentThread();
            foreach (byte[] array in held)
            {
                pool.Return(array);
            }

            bytes += GC.GetAllocatedBytesForCurrentThread();
        };
        Rounds(30);
        long allocated = pool.GetStatistics().Allocated;
        bytes = 0;
        Rounds(100);
        Assert.Equal(allocated, pool.GetStatistics().Allocated);

        // The bytes allocated by these two threads, not by the process: the test runner allocates too while it reports. A list of the depot
        // may still grow when the scheduler moves one of them to another processor; a magazine a round would be 100 KB.
        Assert.InRange(bytes, 0, 8192);
        pool.Core.Validate();

        void Rounds(int count)
        {
            for (int i = 0; i < count; i++)
            {
                renter.Run(rent);
                returner.Run(giveBack);
            }
        }
    }

    [Theory]
    [InlineData(256)]
    [InlineData(4096)]
    public void Rented_here_and_returned_there_at_the_same_time(int inFlight)
    {
        BufferPool<byte> pool = Create();
        using BlockingCollection<byte[]> channel = new(inFlight);
        const int count = 200_000;
        Run();
        Run();
        long allocated = pool.GetStatistics().Allocated;
        Run();

        // How far the two run apart is up to the scheduler; the buffers in flight and in the magazines bound it: two of 128 each with the
        // one that rents, the one that returns, and one that returned in the run before.
        Assert.InRange(pool.GetStatistics().Allocated, 1, inFlight + 2 + (6 * 128));
        Assert.InRange(pool.GetStatistics().Allocated - allocated, 0, inFlight);
        Assert.Equal(3 * count, pool.GetStatistics().Rented);
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        pool.Core.Validate();

        void Run()
        {
            Thread returner = new(() =>
            {
                for (int i = 0; i < count; i++)
                {
                    pool.Return(channel.Take());
                }
            });
            returner.Start();
            for (int i = 0; i < count; i++)
            {
                channel.Add(pool.Rent(1000));
            }

            returner.Join();
        }
    }

    private static void RentAndReturnAll(BufferPool<byte> pool, byte[][] held, int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < held.Length; i++)
            {
                held[i] = pool.Rent(1000);
            }

            // In the order of rents and in the opposite one by turns.
            if (round % 2 == 0)
            {
                Array.Reverse(held);
            }

            foreach (byte[] array in held)
            {
                pool.Return(array);
            }
        }
    }
}
