using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A round of the KMalloc benchmark (<see cref="KMallocRound{TAllocator}"/>) in which the first four bytes of each block are written, so
/// that the memory itself takes part.
/// </summary>
internal unsafe struct KMallocRoundWritten<TAllocator>(TAllocator allocator, int size, int count) : IWork
    where TAllocator : struct, INativeAllocator
{
    // Pointers are not references: storing them costs no write barrier.
    private readonly nint[] _blocks = new nint[count];

    public void Once()
    {
        nint[] blocks = _blocks;
        for (int index = 0; index < blocks.Length; index++)
        {
            void* block = allocator.Allocate((nuint)size);
            *(int*)block = index;
            blocks[index] = (nint)block;
        }

        foreach (nint block in blocks)
        {
            allocator.Free((void*)block, (nuint)size);
        }
    }
}
