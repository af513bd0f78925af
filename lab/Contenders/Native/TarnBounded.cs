using System.Runtime.CompilerServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>
/// A heap of ours in a variable whose frees compare the address with two bounds, as they would if the heap refused addresses outside its
/// regions (decision 18).
/// </summary>
internal readonly unsafe struct TarnBounded : INativeAllocator
{
    /// <summary>The regions of a heap that measures pairs lie within this distance of its first block, in bytes.</summary>
    private const nuint Reach = 1u << 31;

    private readonly NativeHeap _heap;
    private readonly nuint _lowest;
    private readonly nuint _end;

    internal TarnBounded(NativeHeap heap)
    {
        _heap = heap;
        void* block = heap.Allocate(1);
        _lowest = (nuint)block - Reach;
        _end = (nuint)block + Reach;
        heap.Free(block, 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => _heap.Allocate(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size)
    {
        if ((nuint)block < _lowest || (nuint)block >= _end)
        {
            Refuse(block);
        }

        _heap.Free(block, size);
    }

    private static void Refuse(void* block) => throw new InvalidOperationException($"No region of the heap has 0x{(nuint)block:x}.");
}
