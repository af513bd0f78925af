using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Tests.Workloads;

/// <summary><see cref="TrackedMemory"/> as workloads take their allocator.</summary>
internal readonly unsafe struct TrackingAllocator(TrackedMemory memory) : INativeAllocator
{
    public void* Allocate(nuint size) => memory.Allocate(size);

    public void Free(void* block, nuint size) => memory.Free(block, size);
}
