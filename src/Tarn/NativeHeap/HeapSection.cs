using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Native;

/// <summary>The part of one thread's cache that serves one heap. Pinned, so that the fast path reaches it by address.</summary>
/// <remarks>
/// <para>Words, around <see cref="Base"/>: for each <see cref="BlockSizes.EntryOf"/> the address of the loaded magazine's words, or of
/// <see cref="BlockMagazine.Closed"/>.</para>
/// <para>The owner reads an entry, then the magazine, with plain loads and stores. A trimmer on another thread
/// stores <see cref="BlockMagazine.Closed"/> into the entry, which parks the magazine, and fences every processor. From then on at most one
/// call of the owner, already in progress, still uses the magazine. Such a call pops the topmost block or pushes one. So the trimmer may
/// take all blocks below the topmost, and notes their number in <see cref="BlockMagazine.Taken"/>. It never writes a word that the owner
/// may write. On its next miss the owner takes back what is left (<see cref="BlockClassCache"/>). So one block for each class and thread
/// may stay behind until the thread calls again or ends, but no block is handed out twice.</para>
/// <para><see cref="Sync"/> guards <see cref="Classes"/> and everything above except the fast path.</para>
/// </remarks>
internal sealed unsafe class HeapSection : IThreadSection
{
    /// <summary>The index of the word that <see cref="Address"/> points to: entries have negative places too.</summary>
    private const int Base = 16;

    private readonly nint[] _storage = GC.AllocateArray<nint>(Base + BlockSizes.IndexCount, pinned: true);

    /// <summary>Not readonly, because taking it changes it.</summary>
    internal ShortLock Sync;

    /// <summary>Whether the owner uses the heap. Under <see cref="Sync"/>. Not readonly, because counting changes it.</summary>
    internal RoomUse Use;

    /// <param name="heap">The only heap that the section serves; null for <see cref="Empty"/>.</param>
    internal HeapSection(HeapCore? heap)
    {
        Heap = heap;
        Use = heap is null ? default : new RoomUse(heap.ThreadRoom);
        Words = (nint*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_storage));
        Span<nint> entries = new(Entries + BlockSizes.FirstEntry, BlockSizes.IndexCount - BlockSizes.FirstEntry);
        entries.Fill((nint)BlockMagazine.Closed.Words);
    }

    /// <summary>The section that stands in for every heap that a thread has not used: never written, so every access misses.</summary>
    internal static HeapSection Empty { get; } = new(heap: null);

    internal nint* Words { get; }

    /// <summary>The caches behind the entries; null until the class is first used.</summary>
    internal BlockClassCache?[] Classes { get; } = new BlockClassCache?[BlockSizes.SlabClassCount];

    /// <summary>The only heap that this section serves; null for <see cref="Empty"/>, and after the heap or the thread has ended.</summary>
    internal HeapCore? Heap { get; set; }

    /// <inheritdoc/>
    public nint Address => (nint)Entries;

    /// <summary>The entry at place 0 of <see cref="BlockSizes.EntryOf"/>.</summary>
    private nint* Entries => Words + Base;

    /// <summary>The entry of a class.</summary>
    internal nint EntryOf(int index) => Entries[BlockSizes.EntryOf(BlockSizes.SizeOf(index))];

    /// <inheritdoc/>
    public void OnThreadEnded() => Heap?.Trimmer.Adopt(this);

    /// <summary>Whether a later tick may take blocks from it.</summary>
    internal bool HasMore => Array.Exists(Classes, KeepsMore);

    /// <summary>Puts a magazine within the fast path's reach; null closes the entry.</summary>
    internal void Publish(int index, BlockMagazine? loaded)
    {
        nint words = (nint)(loaded ?? BlockMagazine.Closed).Words;
        nuint largest = BlockSizes.SizeOf(index);
        nuint size = largest <= BlockSizes.LargestSplitSize ? largest - BlockSizes.SmallestStep + 1 : largest;
        for (; size <= largest; size++)
        {
            Volatile.Write(ref Entries[BlockSizes.EntryOf(size)], words);
        }
    }

    /// <summary>
    /// Parks the magazines, so that the owner must take the slow path for those it needs. Under <see cref="Sync"/>.
    /// </summary>
    internal void Park(TimeSpan now)
    {
        foreach (BlockClassCache? cache in Classes)
        {
            cache?.Park(now);
        }
    }

    /// <summary>Whether <see cref="TakeParked"/> may find blocks to take. For ticks, which alone park magazines for it.</summary>
    internal bool HasParked => Array.Exists(Classes, IsToBeTaken);

    /// <summary>The same for one class. Under <see cref="Sync"/>.</summary>
    internal bool HasParkedOf(int index) => IsToBeTaken(Classes[index]);

    /// <summary>
    /// Takes the blocks that were parked for <paramref name="patience"/>, or all parked blocks when that is null. Under <see cref="Sync"/>,
    /// after every processor has passed a barrier since the last tick parked magazines.
    /// </summary>
    internal void TakeParked(TimeSpan now, TimeSpan? patience)
    {
        foreach (BlockClassCache? cache in Classes)
        {
            if (IsToBeTaken(cache) && (patience is null || now - cache.ParkedAt >= patience))
            {
                cache.TakeParked();
            }
        }

        if (!HasMore)
        {
            Use.Count(isUsed: false);
        }
    }

    /// <summary>Empties the section. Its owner must not be in the middle of a call: it is this thread, or has ended.</summary>
    internal void EmptyClasses()
    {
        using (Sync.Hold())
        {
            foreach (BlockClassCache? cache in Classes)
            {
                cache?.Empty();
            }

            Use.Count(isUsed: false);
        }
    }

    private static bool IsToBeTaken([NotNullWhen(true)] BlockClassCache? cache) => cache is { IsParked: true, IsRest: false };

    // No lambda, for the reason that ThreadDirectory.Inherit gives.
    private static bool KeepsMore(BlockClassCache? cache) => cache is { Loaded: not null, IsRest: false };
}
