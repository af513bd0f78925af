using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The blocks of one size class of a <see cref="NativeHeap"/>: no class maths, no look-up by size.</summary>
/// <remarks>
/// A view: the blocks are the heap's, and may be allocated here and freed there. Thread safety and ownership are the heap's. The default
/// value has no heap and throws <see cref="NullReferenceException"/>.
/// </remarks>
public readonly unsafe struct NativeBlockPool
{
    private readonly NativeHeap _heap;

    /// <summary>The class's place in a section, in bytes.</summary>
    private readonly nuint _entry;

    internal NativeBlockPool(NativeHeap heap, int index)
    {
        _heap = heap;
        _entry = (nuint)(index * sizeof(nint));
        BlockSize = BlockSizes.SizeOf(index);
    }

    /// <summary>The size of every block, in bytes.</summary>
    public nuint BlockSize { get; }

    /// <summary>Hands out a block of <see cref="BlockSize"/> bytes, contents undefined.</summary>
    /// <returns>The block; the caller owns it until it frees it.</returns>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left; the heap is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate()
    {
        nint directory = HeapThreads.Local.Directory;
        return directory == 0 ? _heap.AllocateSlow(BlockSize) : _heap.AllocateFromThread(directory, _entry, BlockSize);
    }

    /// <summary>Takes a block back; the caller must not touch it any more.</summary>
    /// <param name="block">A block of this pool, or one of its heap with the same block size; null is ignored.</param>
    /// <exception cref="InvalidOperationException">As with <see cref="NativeHeap.Free(void*, nuint)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block) => _heap.FreeToThread(HeapThreads.Local.Directory, block, _entry, BlockSize);
}
