using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Ten thousand threads at once, each with a buffer and a block that another one returns. After their death nothing is in use, and their
/// caches are found.
/// </summary>
internal sealed class ThreadAttack : IAttack
{
    private const int Threads = 10_000;
    private const int ThreadsInBrief = 300;
    private const int StackSize = 256 << 10;
    private const int BlockSize = 64;

    /// <inheritdoc/>
    public string Name => "threads";

    /// <inheritdoc/>
    public string Description => "10,000 threads at once, each with a cache of its own; their leftovers are found";

    /// <inheritdoc/>
    public bool IsContinuous => true;

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            BufferPool<long> pool = BufferPool<long>.Create(
                new BufferPoolOptions { Name = "torture", Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });
            using NativeHeap heap = new(
                new NativeHeapOptions { Name = "torture", Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });

            // The second batch takes over the caches of the dead threads.
            int threads = context.IsBrief ? ThreadsInBrief : Threads;
            Wave(context, pool, heap, threads);
            Wave(context, pool, heap, threads / 10);
            Require.Settles(() => Verify(pool, heap));
        }
        while (!context.IsOver);
    }

    private static unsafe void Wave(AttackContext context, BufferPool<long> pool, NativeHeap heap, int wanted)
    {
        StampedBuffer[] buffers = new StampedBuffer[wanted];
        StampedBlock[] blocks = new StampedBlock[wanted];
        using ManualResetEventSlim giveBack = new();
        int arrived = 0;
        int started = 0;
        Exception? failure = null;
        List<Thread> threads = [];
        for (; started < wanted && TryStart(context, threads, Live); started++)
        {
        }

        Require.Eventually(() => Volatile.Read(ref arrived) == started, $"{started} threads rent and allocate");
        giveBack.Set();
        threads.ForEach(static thread => thread.Join());
        Require.That(failure is null, $"A thread of {started} failed: {failure}");
        context.Count("threads", started);
        context.CountMost("threads at once", started);

        void Live(int index)
        {
            try
            {
                for (int i = 0; i < 8; i++)
                {
                    // Enough to have a cache.
                    pool.Return(pool.Rent(100));
                }

                buffers[index] = StampedBuffer.Rent(pool, 100, exact: false);
                blocks[index] = StampedBlock.Mark(heap.Allocate(BlockSize), BlockSize);
                Interlocked.Increment(ref arrived);
                giveBack.Wait();
                int others = (index + 1) % Volatile.Read(ref started);
                buffers[others].Return(pool, clear: false);
                blocks[others].Verify();
                heap.Free((void*)blocks[others].Address, BlockSize);
            }
#pragma warning disable CA1031 // a thread must not take the process down; the attack fails with the exception
            catch (Exception e)
#pragma warning restore CA1031
            {
                Interlocked.CompareExchange(ref failure, e, null);
                Interlocked.Increment(ref arrived);
            }
        }
    }

    /// <summary>False, and noted, when the system gives no more threads.</summary>
    private static bool TryStart(AttackContext context, List<Thread> threads, Action<int> live)
    {
        int index = threads.Count;
        Thread thread = new(() => live(index), StackSize);
        try
        {
            thread.Start();
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadStartException)
        {
            context.Skip($"more than {index} threads at once: {e.Message}");
            return false;
        }

        threads.Add(thread);
        return true;
    }

    private static void Verify(BufferPool<long> pool, NativeHeap heap)
    {
        BufferPoolStatistics rented = pool.GetStatistics();
        Require.Equal((0, rented.Rented), (rented.InUseBytes, rented.Returned), "Bytes in use and buffers returned");
        pool.Core.Validate();
        pool.Trim();
        Require.Equal(0, pool.GetStatistics().RetainedBytes, "Bytes of arrays retained after a trim");
        Require.Equal(0, heap.GetStatistics().InUseBlocks, "Blocks in use");
        heap.Validate();
        heap.Trim();
        Require.Equal(0, heap.GetStatistics().RetainedBytes, "Bytes of blocks retained after a trim");
    }
}
