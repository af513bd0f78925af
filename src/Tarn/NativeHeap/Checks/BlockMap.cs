namespace Tarn.Native;

/// <summary>The records of a checked heap, ordered by address. Finds the block that contains a given address.</summary>
/// <remarks>
/// <para>Invariants, checked by <see cref="Validate"/>: no two records overlap, each from its base to its limit; at most
/// <see cref="MostGone"/> records are of blocks that are gone, and each of these is in the queue.</para>
/// <para>Not synchronized: callers hold the owner's lock.</para>
/// </remarks>
internal sealed class BlockMap
{
    /// <summary>The number of records kept after their blocks' memory went back. The oldest is forgotten first.</summary>
    internal const int MostGone = 1024;

    private readonly SortedSet<Entry> _byBase = [];
    private readonly Queue<CheckedBlock> _gone = new();

    /// <summary>Every record, ordered by address.</summary>
    internal IEnumerable<CheckedBlock> All => _byBase.Select(static entry => entry.Block!);

    /// <summary>Adds a block whose memory was just obtained. Forgets earlier blocks of the same memory.</summary>
    /// <exception cref="InvalidOperationException">
    /// The memory is still in use because its source handed it out twice. Only records of blocks that are gone may have been forgotten.
    /// </exception>
    internal void Add(CheckedBlock block)
    {
        while (FindLastBelow(block.Limit) is { } before && before.Limit > block.Base)
        {
            Throw.UnlessHolds(before.State == CheckedBlockState.Gone, "memory that is still held is not handed out by its source");
            _byBase.Remove(new Entry(before.Base, null));
        }

        _byBase.Add(new Entry(block.Base, block));
    }

    /// <summary>Finds the block whose raw memory contains <paramref name="address"/>, redzones and inaccessible OS page included.</summary>
    internal CheckedBlock? Find(nuint address) =>
        FindLastBelow(address + 1) is { } block && address < block.Limit ? block : null;

    /// <summary>
    /// Marks a block as gone. Its memory may go back only after this call. One that there is no memory to remember is forgotten at once.
    /// </summary>
    internal void Bury(CheckedBlock block)
    {
        block.State = CheckedBlockState.Gone;
        try
        {
            _gone.Enqueue(block);
        }
        catch (OutOfMemoryException)
        {
            _byBase.Remove(new Entry(block.Base, null));
            return;
        }

        if (_gone.Count > MostGone)
        {
            Forget(_gone.Dequeue());
        }
    }

    /// <summary>The blocks in use of each size class, by its index.</summary>
    internal long[] CountInUseByClass()
    {
        long[] counts = new long[BlockSizes.ClassCount];
        foreach (CheckedBlock block in All)
        {
            if (block is { State: CheckedBlockState.InUse, Size: <= BlockSizes.LargestClassSize })
            {
                counts[BlockSizes.IndexOf(block.Size)]++;
            }
        }

        return counts;
    }

    internal void Clear()
    {
        _byBase.Clear();
        _gone.Clear();
    }

    /// <summary>Verifies the invariants; for tests.</summary>
    /// <exception cref="InvalidOperationException">An invariant is broken.</exception>
    internal void Validate()
    {
        nuint limit = 0;
        HashSet<CheckedBlock> queued = [.. _gone];
        foreach (CheckedBlock block in All)
        {
            Throw.UnlessHolds(block.Base >= limit, "no two records overlap");
            Throw.UnlessHolds(
                block.Base <= block.Start && block.Start + block.Size <= block.End && block.End <= block.Limit,
                "a block lies in its memory");
            Throw.UnlessHolds(block.Start % block.Alignment == 0, "a block is aligned");
            Throw.UnlessHolds(
                block.State != CheckedBlockState.Gone || queued.Contains(block), "a block that is gone is in the queue it leaves through");
            limit = block.Limit;
        }

        Throw.UnlessHolds(_gone.Count <= MostGone, "few blocks that are gone are remembered");
    }

    private CheckedBlock? FindLastBelow(nuint address) =>
        address == 0 ? null : _byBase.GetViewBetween(new Entry(0, null), new Entry(address - 1, null)).Max.Block;

    /// <summary>Forgets a block that is gone, unless its memory became another block and the record has left already.</summary>
    private void Forget(CheckedBlock block)
    {
        if (_byBase.TryGetValue(new Entry(block.Base, null), out Entry found) && found.Block == block)
        {
            _byBase.Remove(found);
        }
    }

    /// <summary>A record, or an address to look for.</summary>
    private readonly record struct Entry(nuint Base, CheckedBlock? Block) : IComparable<Entry>
    {
        public int CompareTo(Entry other) => Base.CompareTo(other.Base);
    }
}
