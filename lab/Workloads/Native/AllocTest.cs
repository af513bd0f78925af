using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// alloc-test: each thread visits places of a table, some far more often than others; the block there is read in full and freed, and an
/// empty place gets a block, written in full. Half of the places are filled at any time. An operation is one visit: an allocation or a
/// free.
/// </summary>
internal sealed unsafe class AllocTest<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Places = 1 << 18;
    private const int Visits = 100_000_000;
    private const uint Seed = 41;

    private readonly TAllocator _allocator;
    private readonly int _threadCount;
    private readonly int _visits;
    private readonly ulong _seed;
    private readonly int _places;
    private readonly ParetoPlaces _pareto;
    private readonly ulong[] _sums;
    private readonly WorkerThreads _threads = new();

    public AllocTest(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _threadCount = settings.Threads;
        _visits = settings.Times(Visits);
        _seed = Seed + (ulong)(uint)settings.Seed;
        _places = settings.Live(Places / _threadCount, atLeast: 64);
        _pareto = new ParetoPlaces(_places);
        _sums = new ulong[_threadCount];
    }

    public override long Work()
    {
        _threads.Run(_threadCount, Live);
        return (long)_visits * _threadCount;
    }

    private void Live(int index)
    {
        TAllocator allocator = _allocator;
        var random = new XorShiftGenerator(_seed);
        // The table is a block as well.
        nuint tableBytes = (nuint)(_places * sizeof(Block));
        Block* table = (Block*)allocator.Allocate(tableBytes);
        FillHalf(table, ref random);
        ulong sum = Visit(table, ref random, _visits);
        for (int place = 0; place < _places; place++)
        {
            if (table[place].Address is not null)
            {
                sum += ReadAndFree(ref allocator, table + place);
            }
        }

        allocator.Free(table, tableBytes);
        _sums[index] = sum;
    }

    private void FillHalf(Block* table, ref XorShiftGenerator random)
    {
        TAllocator allocator = _allocator;
        for (int place = 0; place < _places; place++)
        {
            table[place] = default;
            if ((random.Next() & 1) != 0)
            {
                AllocateAndWrite(ref allocator, table + place, SizeDraws.Halving(random.Next()));
            }
        }
    }

    private ulong Visit(Block* table, ref XorShiftGenerator random, int visits)
    {
        TAllocator allocator = _allocator;
        ParetoPlaces pareto = _pareto;
        XorShiftGenerator own = random;
        ulong sum = 0;
        for (int visit = 0; visit < visits; visit++)
        {
            Block* block = table + pareto.Choose(own.Next(), own.Next());
            if (block->Address is null)
            {
                AllocateAndWrite(ref allocator, block, SizeDraws.Halving(own.Next()));
            }
            else
            {
                sum += ReadAndFree(ref allocator, block);
            }
        }

        random = own;
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AllocateAndWrite(ref TAllocator allocator, Block* block, int size)
    {
        block->Address = allocator.Allocate((nuint)size);
        block->Size = (nuint)size;
        Unsafe.InitBlockUnaligned(block->Address, (byte)size, (uint)size);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong ReadAndFree(ref TAllocator allocator, Block* block)
    {
        ulong sum = Sum((byte*)block->Address, block->Size);
        allocator.Free(block->Address, block->Size);
        block->Address = null;
        return sum;
    }

    private static ulong Sum(byte* bytes, nuint size)
    {
        ulong sum = 0;
        nuint offset = 0;
        for (; offset + sizeof(ulong) <= size; offset += sizeof(ulong))
        {
            sum += Unsafe.ReadUnaligned<ulong>(bytes + offset);
        }

        for (; offset < size; offset++)
        {
            sum += bytes[offset];
        }

        return sum;
    }
}
