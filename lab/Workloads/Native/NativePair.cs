using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>Allocate a block and free it at once; its memory is not touched.</summary>
internal unsafe struct NativePair<TAllocator>(TAllocator allocator, int size) : IWork
    where TAllocator : struct, INativeAllocator
{
    public void Once() => allocator.Free(allocator.Allocate((nuint)size), (nuint)size);
}
