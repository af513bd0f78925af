namespace Tarn;

/// <summary>Where a checked heap gets raw memory from: the unchecked part of the heap. Safe to call from any thread.</summary>
internal unsafe interface IBlockSource
{
    /// <summary>What every raw block is aligned to at least, in bytes.</summary>
    internal const nuint Alignment = 16;

    /// <summary>Hands out raw memory, aligned to <see cref="Alignment"/>.</summary>
    /// <param name="size">Bytes: a size that <see cref="BlockSizes.RoundUp"/> gives, so that nothing behind it is lost.</param>
    /// <param name="zeroed">Whether the memory must be zero; the source knows when it is anyway.</param>
    /// <returns>The memory.</returns>
    /// <exception cref="OutOfMemoryException">There is none; nothing has changed.</exception>
    void* Allocate(nuint size, bool zeroed);

    /// <summary>Takes raw memory back, with the size of its <see cref="Allocate"/>.</summary>
    void Free(void* block, nuint size);

    /// <summary>
    /// Raw memory that was not given back is not in use for the time being, or is again: where it stands for what is kept.
    /// </summary>
    void SetAside(void* block, nuint size, bool isAside)
    {
    }
}
