using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// glibc-thread: each thread replaces blocks at random places of its own, with sizes of which small ones are by far the most frequent, and
/// writes them in full. An operation is a free and an allocation.
/// </summary>
internal sealed unsafe class GlibcThread<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Places = 1_024;
    private const int SizesDrawn = 8_000;
    private const int PlacesDrawn = 4_096;
    private const uint Seed = 88;
    private const double Seconds = 2;

    private readonly TAllocator _allocator;
    private readonly TimeSpan _duration;
    private readonly int _places;
    private readonly PinnedTable<int> _sizes = new(SizesDrawn);
    private readonly PinnedTable<int> _placesDrawn = new(PlacesDrawn);
    private readonly PinnedTable<Block>[] _blocks;
    private readonly long[] _operations;
    private readonly WorkerThreads _threads = new();
    private volatile bool _isOver;

    public GlibcThread(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _duration = settings.Duration(Seconds);
        _places = settings.Live(Places);
        _blocks = [.. Enumerable.Range(0, settings.Threads).Select(_ => new PinnedTable<Block>(_places))];
        _operations = new long[settings.Threads];

        // Both tables are drawn once and used by all threads, as in the original; its generator is the C library's and not the same
        // anywhere.
        var random = new MersenneTwister(Seed + (uint)settings.Seed);
        for (int index = 0; index < SizesDrawn; index++)
        {
            _sizes.Pointer[index] = SizeDraws.InverseSquare(random.Next() / (double)uint.MaxValue);
        }

        for (int index = 0; index < PlacesDrawn; index++)
        {
            _placesDrawn.Pointer[index] = random.Below(_places);
        }
    }

    public override long Work()
    {
        Thread[] threads = [.. Enumerable.Range(0, _blocks.Length).Select(index => _threads.Start(Live, index))];
        Thread.Sleep(_duration);
        _isOver = true;
        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        _threads.ThrowIfFailed();
        return _operations.Sum();
    }

    public override void Clear()
    {
        foreach (PinnedTable<Block> blocks in _blocks)
        {
            for (int place = 0; place < blocks.Length; place++)
            {
                if (blocks.Pointer[place].Address is not null)
                {
                    _allocator.Free(blocks.Pointer[place].Address, blocks.Pointer[place].Size);
                }
            }
        }
    }

    private void Live(int index)
    {
        TAllocator allocator = _allocator;
        Block* blocks = _blocks[index].Pointer;
        int* sizes = _sizes.Pointer;
        int* places = _placesDrawn.Pointer;
        long done = 0;
        int nextSize = 0;
        int nextPlace = 0;
        while (!_isOver)
        {
            Replace(ref allocator, blocks + places[nextPlace], sizes[nextSize]);
            nextPlace = (nextPlace + 1) % PlacesDrawn;
            nextSize = nextSize + 1 == SizesDrawn ? 0 : nextSize + 1;
            done++;
        }

        _operations[index] = done;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Replace(ref TAllocator allocator, Block* block, int size)
    {
        if (block->Address is not null)
        {
            allocator.Free(block->Address, block->Size);
        }

        block->Address = allocator.Allocate((nuint)size);
        block->Size = (nuint)size;
        Unsafe.InitBlockUnaligned(block->Address, (byte)size, (uint)size);
    }
}
