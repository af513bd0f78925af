using System.Collections.Concurrent;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>
/// Threads that allocate, keep, exchange, reallocate, free and die, while others trim, tick and read counters; every block is stamped
/// and verified before it is freed, by whichever thread.
/// </summary>
internal sealed unsafe class NativeHeapStress(NativeHeap heap, int threads, TimeSpan duration)
{
    private static readonly nuint[] s_sizes =
        [4, 5, 8, 17, 24, 64, 64, 64, 100, 100, 112, 500, 1000, 4096, 5000, 30_000, 70_000, 262_144, 300_000];

    private readonly ConcurrentBag<StampedBlock>[] _exchange = [[], [], [], []];
    private readonly StressThreads _threads = new(threads, duration);
    private long _allocated;

    /// <summary>Runs until time is up; <paramref name="disturbances"/> are repeated meanwhile, each on a thread of its own.</summary>
    internal void Run(int seed, params Action[] disturbances)
    {
        using IncidentLog incidents = new(heap.Name);
        _threads.Run(seed, Live, disturbances, () =>
        {
            VerifyEnd();
            incidents.AssertNone();
        });
    }

    private void VerifyEnd()
    {
        NativeHeapStatistics held = heap.GetStatistics();
        Assert.Equal((_exchange.Sum(static bag => bag.Count), true), ((int)held.InUseBlocks, _allocated > 0));
        foreach (ConcurrentBag<StampedBlock> bag in _exchange)
        {
            while (bag.TryTake(out StampedBlock left))
            {
                left.Verify();
                heap.Free((void*)left.Address, left.Size);
            }
        }

        NativeHeapStatistics end = heap.GetStatistics();
        Assert.Equal((0, 0), (end.InUseBytes, end.InUseBlocks));
        heap.Validate();
        heap.Trim();
        heap.Validate();
        Assert.Equal(0, heap.GetStatistics().RetainedBytes);
    }

    private void Live(Random random, int steps)
    {
        Stack<StampedBlock> held = [];
        for (int step = 0; step < steps && !_threads.IsOver; step++)
        {
            ConcurrentBag<StampedBlock> exchange = _exchange[random.Next(_exchange.Length)];
            switch (random.Next(10))
            {
                case < 4:
                    for (int i = random.Next(4) == 0 ? random.Next(120) : 1; i > 0; i--)
                    {
                        held.Push(Allocate(random));
                    }

                    break;
                case < 6:
                    for (int i = random.Next(60); i > 0 && exchange.Count < 500 && held.TryPop(out StampedBlock mine); i--)
                    {
                        exchange.Add(mine);
                    }

                    break;
                case < 8:
                    for (int i = random.Next(60); i > 0 && exchange.TryTake(out StampedBlock theirs); i--)
                    {
                        Free(theirs, random);
                    }

                    break;
                case < 9 when held.TryPop(out StampedBlock last):
                    held.Push(Reallocate(last, random));
                    break;
                default:
                    for (int i = random.Next(120); i > 0 && held.TryPop(out StampedBlock mine); i--)
                    {
                        Free(mine, random);
                    }

                    break;
            }
        }

        while (held.TryPop(out StampedBlock last))
        {
            // Half of what a thread still holds when it dies is freed by another.
            if (held.Count % 2 == 0)
            {
                Free(last, random);
            }
            else
            {
                _exchange[0].Add(last);
            }
        }
    }

    private StampedBlock Allocate(Random random)
    {
        nuint size = s_sizes[random.Next(random.Next(8) == 0 ? s_sizes.Length : s_sizes.Length - 5)];
        Interlocked.Increment(ref _allocated);
        switch (random.Next(8))
        {
            case 0:
                void* cleared = heap.AllocateZeroed(size);
                if (!BlockContents.IsAll(cleared, size, 0))
                {
                    throw new InvalidOperationException($"A block of {size} bytes at {(nint)cleared:x} was not cleared.");
                }

                return StampedBlock.Mark(cleared, size);
            case 1:
                // Of a power of two, aligned to itself, so that it may be freed as any other of its size.
                nuint alignment = (nuint)4 << random.Next(12);
                return StampedBlock.Mark(heap.AllocateAligned(alignment, alignment), alignment);
            case 2 when size <= BlockSizes.LargestSlabSize:
                NativeBlockPool pool = heap.GetBlockPool(size);
                return StampedBlock.Mark(pool.Allocate(), pool.BlockSize);
            default:
                return StampedBlock.Mark(heap.Allocate(size), size);
        }
    }

    private void Free(StampedBlock block, Random random)
    {
        block.Verify();
        switch (random.Next(8))
        {
            case 0:
                heap.Free((void*)block.Address);
                break;
            case 1 when block.Size <= BlockSizes.LargestSlabSize && block.Size == NativeHeap.GetBlockSize(block.Size):
                heap.GetBlockPool(block.Size).Free((void*)block.Address);
                break;
            default:
                heap.Free((void*)block.Address, block.Size);
                break;
        }
    }

    private StampedBlock Reallocate(StampedBlock block, Random random)
    {
        block.Verify();
        *(uint*)block.Address = block.Stamp;
        nuint size = s_sizes[random.Next(s_sizes.Length)];
        uint* moved = (uint*)heap.Reallocate((void*)block.Address, block.Size, size);
        if (*moved != block.Stamp)
        {
            throw new InvalidOperationException($"A block stamped {block.Stamp} holds {*moved} after its reallocation.");
        }

        return StampedBlock.Mark(moved, size);
    }
}
