using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A round of the KMalloc benchmark: blocks are allocated, ten thousand of them there, then all are freed in the same order. Their memory
/// is not touched.
/// </summary>
internal unsafe struct KMallocRound<TAllocator>(TAllocator allocator, int size, int count) : IWork
    where TAllocator : struct, INativeAllocator
{
    // Pointers are not references: storing them costs no write barrier.
    private readonly nint[] _blocks = new nint[count];

    public void Once()
    {
        nint[] blocks = _blocks;
        for (int index = 0; index < blocks.Length; index++)
        {
            blocks[index] = (nint)allocator.Allocate((nuint)size);
        }

        foreach (nint block in blocks)
        {
            allocator.Free((void*)block, (nuint)size);
        }
    }
}
