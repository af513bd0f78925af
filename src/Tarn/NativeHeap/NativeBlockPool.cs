using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The blocks of one size class of a <see cref="NativeHeap"/>: no size-class computation, no look-up by size.</summary>
/// <remarks>
/// A pool is a view. The blocks belong to the heap; a block allocated through one of the two may be freed through the other. The heap's
/// rules for thread safety and ownership apply. Do not assign a field that holds a pool while another thread uses it. The default value has
/// no heap: its methods throw <see cref="NullReferenceException"/>.
/// </remarks>
public readonly unsafe struct NativeBlockPool
{
    private readonly NativeHeap _heap;

    /// <summary>The place of the class's entry in a section.</summary>
    private readonly nint _entry;

    internal NativeBlockPool(NativeHeap heap, int index)
    {
        _heap = heap;
        BlockSize = BlockSizes.SizeOf(index);
        _entry = BlockSizes.EntryOf(BlockSize);
    }

    /// <summary>The size of every block, in bytes.</summary>
    public nuint BlockSize { get; }

    /// <summary>Allocates a block of <see cref="BlockSize"/> bytes, contents undefined.</summary>
    /// <returns>The block; the caller owns it until it frees it.</returns>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left; the heap is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate() => _heap.AllocateAt(_entry, BlockSize);

    /// <summary>Frees a block. The caller must not use it afterwards.</summary>
    /// <param name="block">A block of this pool, or one of its heap with the same block size; null is ignored.</param>
    /// <exception cref="InvalidOperationException">As for <see cref="NativeHeap.Free(void*, nuint)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block) => _heap.FreeAt(_entry, block, BlockSize);
}
