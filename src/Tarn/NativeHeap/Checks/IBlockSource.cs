namespace Tarn.Native;

/// <summary>The source of a checked heap's raw memory: the unchecked part of the heap. Safe to call from any thread.</summary>
internal unsafe interface IBlockSource
{
    /// <summary>The least alignment of every raw block, in bytes.</summary>
    internal const nuint Alignment = 16;

    /// <summary>Hands out raw memory, aligned to <see cref="Alignment"/>.</summary>
    /// <param name="size">Bytes: a result of <see cref="BlockSizes.RoundUp"/>, so that no slack is lost.</param>
    /// <param name="zeroed">Whether the memory must be zero. The source skips clearing memory that is already zero.</param>
    /// <returns>The memory.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory. Nothing has changed.</exception>
    void* Allocate(nuint size, bool zeroed);

    /// <summary>Takes raw memory back. The size must be that of its <see cref="Allocate"/>.</summary>
    void Free(void* block, nuint size);

    /// <summary>Notes that raw memory still handed out is temporarily not in use and counts as kept, or is in use again.</summary>
    void SetQuarantined(void* block, nuint size, bool isQuarantined)
    {
    }
}
