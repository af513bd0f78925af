namespace Tarn.SharedMemory;

/// <summary>The words of a ring's or queue's header that tell whether the processes that share it can see each other.</summary>
/// <param name="region">The region.</param>
/// <param name="namespaceOfAll">
/// In a region without seats, the namespace of all process ids; <see cref="ManyNamespaces"/> when they differ.
/// </param>
/// <param name="hasManyKernels">Not 0 once a process under another kernel than the creator's had a role.</param>
internal readonly unsafe struct RegionSharers(SharedRegion region, uint* namespaceOfAll, uint* hasManyKernels)
{
    /// <summary>No namespace has this number.</summary>
    internal const uint ManyNamespaces = uint.MaxValue;

    internal SharedRegion Region => region;

    internal bool HasManyKernels => Volatile.Read(ref *hasManyKernels) != 0;

    /// <summary>Whether ids of processes that share the region mean something to this one.</summary>
    internal bool AreLocal => Volatile.Read(ref *namespaceOfAll) == ProcessIdentity.Namespace;

    /// <summary>Processes that cannot see each other note this in the region, and from then on none draws conclusions.</summary>
    internal void NoteThisProcess()
    {
        if (!region.IsOfThisKernel || (region.HasSeats && region.Seats is null))
        {
            Volatile.Write(ref *hasManyKernels, 1);
        }

        if (!region.HasSeats)
        {
            uint before = Interlocked.CompareExchange(ref *namespaceOfAll, ProcessIdentity.Namespace, 0);
            if (before != 0 && before != ProcessIdentity.Namespace)
            {
                Volatile.Write(ref *namespaceOfAll, ManyNamespaces);
            }
        }
    }
}
