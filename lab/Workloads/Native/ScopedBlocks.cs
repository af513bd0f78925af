using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>The small blocks of one request, from a scope that frees them together.</summary>
internal unsafe struct ScopedBlocks(NativeHeap heap) : IWork
{
    public const int Count = 32;
    public const int Size = 64;

    public void Once()
    {
        using NativeScope scope = heap.CreateScope();
        for (int index = 0; index < Count; index++)
        {
            *(byte*)scope.Allocate(Size) = 1;
        }
    }
}
