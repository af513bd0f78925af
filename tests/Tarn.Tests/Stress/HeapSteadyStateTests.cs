using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>After the warm-up, the heap requests nothing from the system or the garbage collector.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class HeapSteadyStateTests : IDisposable
{
    private readonly FailingMemory _memory = new();
    /// <summary>The clock stands still and never finds memory scarce, whatever earlier tests used.</summary>
    private readonly ManualClock _clock = new();
    private readonly NativeHeap _heap;

    public HeapSteadyStateTests() =>
        _heap = new NativeHeap(
            new NativeHeapOptions { MaxRetainedBytes = 1 << 28, Memory = _memory, Checks = BufferChecks.None, Clock = _clock.Trim });

    public void Dispose() => _heap.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(129)]
    [InlineData(1000)]
    [InlineData(5000)]
    public void One_thread_at_any_depth(int depth)
    {
        nint[] held = new nint[depth];
        Work(10);
        int calls = _memory.Calls;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(50);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(calls, _memory.Calls);

        void Work(int rounds)
        {
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < held.Length; i++)
                {
                    held[i] = (nint)_heap.Allocate(100);
                }

                // In the order of allocation and in the opposite one by turns.
                if (round % 2 == 0)
                {
                    Array.Reverse(held);
                }

                foreach (nint block in held)
                {
                    _heap.Free((void*)block, 100);
                }
            }
        }
    }

    [Fact]
    public void All_sizes_by_turns()
    {
        Work();
        int calls = _memory.Calls;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(calls, _memory.Calls);

        void Work()
        {
            for (nuint size = 1; size < 200_000; size += 77)
            {
                void* first = _heap.Allocate(size);
                void* second = _heap.Allocate(size / 2);
                _heap.Free(first, size);
                _heap.Free(second);
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(256)]
    [InlineData(4096)]
    public void Allocated_here_and_freed_there(int inFlight)
    {
        using Worker allocator = new();
        using Worker freer = new();
        nint[] held = new nint[inFlight];

        // Until every magazine on the way has grown to its full size.
        Rounds(30 + (4096 / inFlight));
        int calls = _memory.Calls;
        Rounds(100);
        Assert.Equal(calls, _memory.Calls);
        Assert.Equal(0, _heap.GetStatistics().InUseBlocks);

        void Rounds(int count)
        {
            for (int i = 0; i < count; i++)
            {
                allocator.Run(() =>
                {
                    for (int at = 0; at < held.Length; at++)
                    {
                        held[at] = (nint)_heap.Allocate(1000);
                    }
                });
                freer.Run(() =>
                {
                    foreach (nint block in held)
                    {
                        _heap.Free((void*)block, 1000);
                    }
                });
            }
        }
    }

    [Fact]
    public void Threads_that_come_and_go_leave_their_caches_to_those_that_follow()
    {
        Rounds(20);
        long reserved = _heap.GetStatistics().ReservedBytes;
        long committed = _heap.GetStatistics().CommittedBytes;
        Rounds(200);
        Assert.Equal(reserved, _heap.GetStatistics().ReservedBytes);
        Assert.InRange(_heap.GetStatistics().CommittedBytes, 0, 2 * committed);

        void Rounds(int count)
        {
            for (int i = 0; i < count; i++)
            {
                Worker.RunOnce(() =>
                {
                    nint[] blocks = [.. Enumerable.Range(0, 2000).Select(_ => (nint)_heap.Allocate(500))];
                    Array.ForEach(blocks, block => _heap.Free((void*)block, 500));
                });
            }
        }
    }
}
