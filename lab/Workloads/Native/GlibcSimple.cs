using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// glibc-simple: some blocks of one small size are allocated and written, then freed, the first half in that order, the second backwards;
/// again and again. An operation is a block allocated, written and freed.
/// </summary>
internal sealed unsafe class GlibcSimple<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int PairsPerPass = 2_000_000;
    private static readonly int[] s_sizes = [16, 32, 64];
    private static readonly int[] s_counts = [25, 100, 400, 1_600];

    private readonly TAllocator _allocator;
    private readonly int _pairsPerPass;
    private readonly PinnedTable<nint> _blocks = new(s_counts[^1]);
    private readonly WorkerThreads _threads = new();

    public GlibcSimple(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _pairsPerPass = settings.Times(PairsPerPass);
    }

    public override long Work()
    {
        long pairs = 0;
        foreach (int size in s_sizes)
        {
            foreach (int count in s_counts)
            {
                pairs += RunPasses(size, count);
            }
        }

        return pairs;
    }

    /// <summary>Twice on the calling thread, then on another, then on the calling one now that the process has had a second.</summary>
    private long RunPasses(int size, int count)
    {
        int repetitions = Math.Max(1, _pairsPerPass / count);
        Pass(size, count, repetitions);
        Pass(size, count, repetitions);
        _threads.Run(1, _ => Pass(size, count, repetitions));
        Pass(size, count, repetitions);
        return 4L * repetitions * count;
    }

    private void Pass(int size, int count, int repetitions)
    {
        for (int repetition = 0; repetition < repetitions; repetition++)
        {
            AllocateAndFree(size, count);
        }
    }

    private void AllocateAndFree(int size, int count)
    {
        TAllocator allocator = _allocator;
        nint* blocks = _blocks.Pointer;
        for (int index = 0; index < count; index++)
        {
            void* block = allocator.Allocate((nuint)size);
            Unsafe.InitBlockUnaligned(block, (byte)index, (uint)size);
            blocks[index] = (nint)block;
        }

        for (int index = 0; index < count / 2; index++)
        {
            allocator.Free((void*)blocks[index], (nuint)size);
        }

        for (int index = count - 1; index >= count / 2; index--)
        {
            allocator.Free((void*)blocks[index], (nuint)size);
        }
    }
}
