namespace Tarn.Native;

/// <summary>Reports of blocks that were never freed.</summary>
internal static class BlockLeaks
{
    /// <summary>
    /// Makes one incident for all blocks allocated by the same stack, because a leak in a loop is one mistake. The largest leak comes
    /// first.
    /// </summary>
    /// <param name="blocks">Blocks in use. Blocks whose leaks are not to be reported are left out.</param>
    /// <param name="heap">The name of their heap.</param>
    internal static List<BufferIncident> ToIncidents(IEnumerable<CheckedBlock> blocks, string heap)
    {
        IEnumerable<BufferIncident> incidents =
            from block in blocks
            where block.ReportsLeak
            group block by BlockWords.Tell(block.AllocatedAt) into leaked
            let bytes = leaked.Sum(static block => (long)block.Size)
            orderby bytes descending
            select BufferIncident.Of(
                BufferIncidentKind.Leak, heap, bytes, leaked.First().AllocatedAt, returnedAt: null, Count(leaked));
        return [.. incidents];
    }

    private static string Count(IEnumerable<CheckedBlock> leaked)
    {
        int count = leaked.Count();
        string first = BlockWords.Name(leaked.First());
        return count == 1 ? $"{first} was not freed." : $"{count} blocks were not freed; the first is {first}.";
    }
}
