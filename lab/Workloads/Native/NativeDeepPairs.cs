using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>Allocate eight blocks, then free all eight, the first one first.</summary>
internal unsafe struct NativeDeepPairs<TAllocator>(TAllocator allocator, int size) : IWork
    where TAllocator : struct, INativeAllocator
{
    public const int Depth = 8;

    public void Once()
    {
        Held held = default;
        for (int index = 0; index < Depth; index++)
        {
            held[index] = (nint)allocator.Allocate((nuint)size);
        }

        for (int index = 0; index < Depth; index++)
        {
            allocator.Free((void*)held[index], (nuint)size);
        }
    }

    [InlineArray(Depth)]
    private struct Held
    {
        private nint _first;
    }
}
