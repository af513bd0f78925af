using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>The same small blocks as <see cref="ScopedBlocks"/>, freed one by one.</summary>
internal unsafe struct SingleBlocks<TAllocator>(TAllocator allocator) : IWork
    where TAllocator : struct, INativeAllocator
{
    public void Once()
    {
        Held held = default;
        for (int index = 0; index < ScopedBlocks.Count; index++)
        {
            byte* block = (byte*)allocator.Allocate(ScopedBlocks.Size);
            *block = 1;
            held[index] = (nint)block;
        }

        for (int index = 0; index < ScopedBlocks.Count; index++)
        {
            allocator.Free((void*)held[index], ScopedBlocks.Size);
        }
    }

    [InlineArray(ScopedBlocks.Count)]
    private struct Held
    {
        private nint _first;
    }
}
