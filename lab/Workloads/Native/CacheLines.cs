using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// cache-scratch and cache-thrash: each thread writes and reads one byte of its own millions of times. An allocator that gives bytes of one
/// cache line to two threads makes both wait (cache-thrash); so does one that lets a thread reuse the byte that another thread gave it,
/// next to one still in use there (cache-scratch). An operation is a write and a read; hardly anything is allocated.
/// </summary>
internal sealed unsafe class CacheLines<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Blocks = 1_000;
    private const int Repetitions = 2_000_000;
    private const int BlockBytes = 1;

    private readonly TAllocator _allocator;
    private readonly int _blocks;
    private readonly int _repetitions;
    private readonly bool _startsWithForeignBlock;
    private readonly PinnedTable<nint> _handedOut;
    private readonly WorkerThreads _threads = new();

    public CacheLines(TAllocator allocator, WorkloadSettings settings, bool startsWithForeignBlock)
    {
        _allocator = allocator;
        _blocks = settings.Times(Blocks);
        _repetitions = Math.Max(1, (int)(Repetitions * settings.Footprint) / settings.Threads);
        _startsWithForeignBlock = startsWithForeignBlock;
        _handedOut = new PinnedTable<nint>(settings.Threads);
    }

    public override void Fill()
    {
        for (int index = 0; index < _handedOut.Length && _startsWithForeignBlock; index++)
        {
            _handedOut.Pointer[index] = (nint)_allocator.Allocate(BlockBytes);
        }
    }

    public override long Work()
    {
        _threads.Run(_handedOut.Length, Scratch);
        return (long)_handedOut.Length * _blocks * _repetitions;
    }

    private void Scratch(int index)
    {
        TAllocator allocator = _allocator;
        if (_startsWithForeignBlock)
        {
            allocator.Free((void*)_handedOut.Pointer[index], BlockBytes);
        }

        for (int block = 0; block < _blocks; block++)
        {
            byte* bytes = (byte*)allocator.Allocate(BlockBytes);
            WriteAndRead(bytes, _repetitions);
            allocator.Free(bytes, BlockBytes);
        }
    }

    private static void WriteAndRead(byte* bytes, int repetitions)
    {
        for (int repetition = 0; repetition < repetitions; repetition++)
        {
            for (int offset = 0; offset < BlockBytes; offset++)
            {
                Volatile.Write(ref bytes[offset], (byte)repetition);
                _ = Volatile.Read(ref bytes[offset]);
            }
        }
    }
}
