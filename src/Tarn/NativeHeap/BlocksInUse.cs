namespace Tarn.Native;

/// <summary>The blocks that callers have, which no table names: those out of their slabs that no cache and no depot has.</summary>
internal static class BlocksInUse
{
    /// <summary>Lists them with their usable sizes, for listeners to a heap that ends with them.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for the list.</exception>
    internal static List<(nint Block, nuint Usable)> List(HeapCore heap)
    {
        List<(nint Block, nuint Usable)> inUse = [];
        using (HeapThreads.Inheritance.Hold())
        {
            using (heap.Upkeep.Hold())
            {
                HashSet<nint> kept = ListKept(heap);
                foreach (Slab slab in heap.Regions.Slabs)
                {
                    for (int i = 0; i < slab.Carved; i++)
                    {
                        nint block = slab.Start + (i * (nint)slab.Owner.BlockSize);
                        if (!slab.AreFree(i, 1) && !kept.Contains(block))
                        {
                            inUse.Add((block, slab.Owner.BlockSize));
                        }
                    }
                }

                heap.Large.AddInUse(inUse);
            }
        }

        return inUse;
    }

    private static HashSet<nint> ListKept(HeapCore heap)
    {
        HashSet<nint> kept = [];
        foreach (HeapSection section in heap.GetSections())
        {
            using (section.Sync.Hold())
            {
                foreach (BlockClassCache? cache in section.Classes)
                {
                    if (cache?.Loaded is { } loaded)
                    {
                        kept.UnionWith(loaded.Stack.ToArray());
                    }
                }
            }
        }

        foreach (BlockClass shared in heap.Classes)
        {
            kept.UnionWith(shared.DepotBlocks.ToArray());
        }

        return kept;
    }
}
