namespace Tarn;

/// <summary>Every checked heap of the process, held weakly: a block that is freed to the wrong heap can be traced to its own.</summary>
internal static class CheckedHeaps
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<CheckedBlocks> s_heaps = new();

    internal static void Add(CheckedBlocks heap)
    {
        lock (s_lock)
        {
            s_heaps.Add(heap);
        }
    }

    /// <summary>
    /// The heap and its block that <paramref name="address"/> lies in; nulls when there is none. Not to be called under a heap's lock.
    /// </summary>
    internal static (CheckedBlocks? Heap, CheckedBlock? Block) Find(nuint address)
    {
        List<CheckedBlocks> alive;
        lock (s_lock)
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
