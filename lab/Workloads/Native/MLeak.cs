using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// mleak: repeatedly, ten new threads allocate one block each, put it in the place of another thread's, free that, and end. Memory that an
/// allocator keeps for a thread and does not recover after its end adds up. An operation is a thread's life.
/// </summary>
internal sealed unsafe class MLeak<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Rounds = 50 * 100;
    private const int ThreadsPerRound = 10;
    private const int Places = 1_000;
    private const int BlockBytes = 128;
    private const ulong Seed = 43;

    private readonly TAllocator _allocator;
    private readonly int _rounds;
    private readonly nint[] _table = new nint[Places];
    private readonly int[] _chosen = new int[ThreadsPerRound];
    private readonly WorkerThreads _threads = new();
    private MixGenerator _random;

    public MLeak(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _rounds = settings.Times(Rounds);
        _random = new MixGenerator(Seed + (ulong)(uint)settings.Seed);
    }

    public override long Work()
    {
        for (int round = 0; round < _rounds; round++)
        {
            foreach (ref int place in _chosen.AsSpan())
            {
                place = (int)(_random.Next() % Places);
            }

            _threads.Run(ThreadsPerRound, Live);
        }

        return (long)_rounds * ThreadsPerRound;
    }

    public override void Clear()
    {
        foreach (nint block in _table)
        {
            if (block != 0)
            {
                _allocator.Free((void*)block, BlockBytes);
            }
        }
    }

    private void Live(int index)
    {
        TAllocator allocator = _allocator;
        void* block = allocator.Allocate(BlockBytes);
        new Span<byte>(block, BlockBytes).Clear();
        void* old = (void*)Interlocked.Exchange(ref _table[_chosen[index]], (nint)block);
        if (old is not null)
        {
            allocator.Free(old, BlockBytes);
        }
    }
}
