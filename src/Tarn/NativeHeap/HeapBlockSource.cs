namespace Tarn.Native;

/// <summary>The unchecked part of a heap as the checked part sees it.</summary>
internal sealed unsafe class HeapBlockSource(HeapCore core, bool clearOnFree) : IBlockSource
{
    /// <inheritdoc/>
    public void* Allocate(nuint size, bool zeroed)
    {
        nint block = core.Allocate(size, out bool isZero);
        if (block == 0)
        {
            throw HeapThrow.OutOfMemory(size, core.Name);
        }

        if (zeroed && !isZero && !clearOnFree)
        {
            BufferCopy.Clear((void*)block, size);
        }

        return (void*)block;
    }

    /// <inheritdoc/>
    public void Free(void* block, nuint size)
    {
        if (clearOnFree)
        {
            BufferCopy.Clear(block, size);
        }

        bool isOut = core.TryFree((nint)block, size, keep: true);
        System.Diagnostics.Debug.Assert(isOut, "the checked part frees only blocks it allocated");
    }

    /// <inheritdoc/>
    public void SetQuarantined(void* block, nuint size, bool isQuarantined) => core.SetQuarantined((nint)block, size, isQuarantined);
}
