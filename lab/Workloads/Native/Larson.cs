using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// larson, freed with sizes: a server whose threads replace random blocks of their own. After half a million replacements a thread starts a
/// successor on its blocks and ends, so blocks are freed by threads that did not allocate them, and memory that an allocator kept for the
/// ended thread must not be lost. An operation is a free and an allocation.
/// </summary>
internal sealed unsafe class Larson<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int BlocksPerThread = 5_000;
    private const int ReplacementsPerBlock = 100;
    private const int WarmReplacementsPerBlock = 4;
    private const int Seed = 4_141;
    private const double Seconds = 5;

    private readonly TAllocator _allocator;
    private readonly TimeSpan _duration;
    private readonly int _blocksPerThread;
    private readonly PinnedTable<Block> _blocks;
    private readonly Lran2 _random;
    private readonly Lineage[] _lineages;
    private readonly WorkerThreads _threads = new();
    private volatile bool _isOver;

    public Larson(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _duration = settings.Duration(Seconds);
        _blocksPerThread = settings.Live(BlocksPerThread);
        _blocks = new PinnedTable<Block>(_blocksPerThread * settings.Threads);
        _random = new Lran2(Seed + settings.Seed);
        _lineages = [.. Enumerable.Range(0, settings.Threads).Select(_ => new Lineage(new Lran2(_random.Next())))];
    }

    /// <summary>The main thread allocates the blocks of all, deals them out at random and ages them.</summary>
    public override void Fill()
    {
        TAllocator allocator = _allocator;
        Block* blocks = _blocks.Pointer;
        int count = _blocks.Length;
        for (int index = 0; index < count; index++)
        {
            Allocate(ref allocator, blocks + index, SizeDraws.Larson(_random));
        }

        for (int last = count; last > 1; last--)
        {
            int other = _random.Next() % last;
            (blocks[other], blocks[last - 1]) = (blocks[last - 1], blocks[other]);
        }

        for (int replacement = 0; replacement < count * WarmReplacementsPerBlock; replacement++)
        {
            Replace(ref allocator, blocks + (_random.Next() % count), SizeDraws.Larson(_random));
        }
    }

    public override long Work()
    {
        for (int index = 0; index < _lineages.Length; index++)
        {
            _lineages[index].Living = _threads.Start(Live, index);
        }

        Thread.Sleep(_duration);
        _isOver = true;
        foreach (Lineage lineage in _lineages)
        {
            lineage.WaitForLast();
        }

        _threads.ThrowIfFailed();
        return _lineages.Sum(lineage => lineage.Operations);
    }

    public override void Clear()
    {
        for (int index = 0; index < _blocks.Length; index++)
        {
            _allocator.Free(_blocks.Pointer[index].Address, _blocks.Pointer[index].Size);
        }
    }

    /// <summary>The life of one thread.</summary>
    private void Live(int index)
    {
        Lineage lineage = _lineages[index];
        lineage.Operations += ReplaceMany(_blocks.Pointer + (index * _blocksPerThread), lineage.Random);
        if (!_isOver)
        {
            lineage.Living = _threads.Start(Live, index);
        }
    }

    private int ReplaceMany(Block* blocks, Lran2 random)
    {
        TAllocator allocator = _allocator;
        int count = _blocksPerThread;
        int done = 0;
        while (done < count * ReplacementsPerBlock && !_isOver)
        {
            Replace(ref allocator, blocks + (random.Next() % count), SizeDraws.Larson(random));
            done++;
        }

        return done;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Replace(ref TAllocator allocator, Block* block, int size)
    {
        allocator.Free(block->Address, block->Size);
        Allocate(ref allocator, block, size);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Allocate(ref TAllocator allocator, Block* block, int size)
    {
        byte* bytes = (byte*)allocator.Allocate((nuint)size);
        block->Address = bytes;
        block->Size = (nuint)size;
        Volatile.Write(ref bytes[0], (byte)'a');
        _ = Volatile.Read(ref bytes[0]);
        Volatile.Write(ref bytes[1], (byte)'b');
    }

    /// <summary>Threads that succeed each other on the same blocks; only the living one touches this.</summary>
    private sealed class Lineage(Lran2 random)
    {
        public Lran2 Random { get; } = random;

        public long Operations { get; set; }

        public volatile Thread? Living;

        /// <summary>A successor is named before its predecessor ends, so after a join either it is named or there is none.</summary>
        public void WaitForLast()
        {
            Thread? joined;
            do
            {
                joined = Living;
                joined!.Join();
            }
            while (Living != joined);
        }
    }
}
