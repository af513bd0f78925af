using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// mstress: rounds of threads that allocate small blocks and a few huge ones, free at random, pass blocks to each other and end, with every
/// word of every block verified when it is freed. Meant by its author to break allocators rather than to time them. An operation is
/// a block allocated and freed.
/// </summary>
internal sealed unsafe class MStress<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Rounds = 25;
    private const int AllocationsPerShare = 100 * 50;
    private const int Shares = 8;
    private const int TransferPlaces = 1_000;
    private const uint FreedBetweenRoundsPercent = 50;
    private const ulong SeedFactor = 43;
    private const ulong TransferSeed = 0x7feb352d;

    private readonly TAllocator _allocator;
    private readonly int _rounds;
    private readonly int _threadCount;
    private readonly int _allocationsPerShare;
    private readonly ulong _seed;
    private readonly nint[] _transfer = new nint[TransferPlaces];
    private readonly long[] _allocated;
    private readonly WorkerThreads _threads = new();

    public MStress(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _rounds = settings.Times(Rounds);
        _threadCount = settings.Threads;
        _allocationsPerShare = settings.Live(AllocationsPerShare);
        _seed = (ulong)(uint)settings.Seed;
        _allocated = new long[_threadCount];
    }

    public override long Work()
    {
        TAllocator allocator = _allocator;
        var random = new MixGenerator(TransferSeed + _seed);
        for (int round = 1; round <= _rounds; round++)
        {
            RunRound();
            for (int place = 0; place < TransferPlaces; place++)
            {
                if (!random.Chance(FreedBetweenRoundsPercent) && round < _rounds)
                {
                    continue;
                }

                StressThread<TAllocator>.Free(ref allocator, (ulong*)_transfer[place]);
                _transfer[place] = 0;
            }
        }

        return _allocated.Sum();
    }

    /// <summary>The thread that calls is one of them.</summary>
    private void RunRound()
    {
        var others = new Thread[_threadCount - 1];
        for (int index = 0; index < others.Length; index++)
        {
            others[index] = _threads.Start(Stress, index + 1);
        }

        Stress(0);
        foreach (Thread other in others)
        {
            other.Join();
        }

        _threads.ThrowIfFailed();
    }

    private void Stress(int index)
    {
        var thread = new StressThread<TAllocator>(_allocator, _transfer, ((ulong)(index + 1) * SeedFactor) + _seed);
        _allocated[index] += thread.Run(_allocationsPerShare * ((index % Shares) + 1));
    }
}
