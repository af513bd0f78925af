namespace Tarn;

/// <summary>The blocks of one size class of a <see cref="NativeHeap"/>, without class maths.</summary>
public readonly unsafe struct NativeBlockPool
{
    private readonly NativeHeap _heap;

    internal NativeBlockPool(NativeHeap heap, nuint blockSize)
    {
        _heap = heap;
        BlockSize = blockSize;
    }

    /// <summary>The size of every block, in bytes.</summary>
    public nuint BlockSize { get; }

    /// <summary>Hands out a block of <see cref="BlockSize"/> bytes, contents undefined.</summary>
    /// <returns>The block; the caller owns it until it frees it.</returns>
    public void* Allocate() => _heap.Allocate(BlockSize);

    /// <summary>Takes a block back.</summary>
    /// <param name="block">A block of this pool or of its heap and size; null is ignored.</param>
    public void Free(void* block) => _heap.Free(block, BlockSize);
}
