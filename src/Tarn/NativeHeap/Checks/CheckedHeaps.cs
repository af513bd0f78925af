namespace Tarn.Native;

/// <summary>Every checked heap of the process, held weakly, so that a block freed to the wrong heap can be traced to its own.</summary>
internal static class CheckedHeaps
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<CheckedBlocks> s_heaps = new();

    internal static void Add(CheckedBlocks heap)
    {
        using (s_lock.Hold())
        {
            s_heaps.Add(heap);
        }
    }

    /// <summary>
    /// Finds the heap and the block that contain <paramref name="address"/>; nulls when there is none. The caller must hold no heap's lock.
    /// </summary>
    internal static (CheckedBlocks? Heap, CheckedBlock? Block) Find(nuint address)
    {
        List<CheckedBlocks> alive;
        using (s_lock.Hold())
        {
            alive = s_heaps.GetAlive();
        }

        foreach (CheckedBlocks heap in alive)
        {
            if (heap.Find(address) is { } block)
            {
                return (heap, block);
            }
        }

        return (null, null);
    }
}
