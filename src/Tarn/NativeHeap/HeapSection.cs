using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The part of one thread's cache that serves one heap. Pinned, so that the fast path reaches it by address.</summary>
/// <remarks>
/// <para>Words, from <see cref="Words"/> on: <see cref="Busy"/> and <see cref="Barred"/>; around <see cref="Base"/>, for each
/// <see cref="BlockSizes.EntryOf"/> the address of the loaded magazine's words, or of <see cref="BlockMagazine.Closed"/>; then two words
/// for each class of large buffers: its slot, and the number of times the slot was emptied.</para>
/// <para><b>Blocks in slabs.</b> The owner reads an entry, then the magazine, with plain loads and stores. A trimmer on another thread
/// stores <see cref="BlockMagazine.Closed"/> into the entry, which parks the magazine, and fences every processor. From then on at most one
/// call of the owner, already in progress, still uses the magazine. Such a call pops the topmost block or pushes one. So the trimmer may
/// take all blocks below the topmost, and notes their number in <see cref="BlockMagazine.Taken"/>. It never writes a word that the owner
/// may write. On its next miss the owner takes back what is left (<see cref="BlockClassCache"/>). So one block for each class and thread
/// may stay behind until the thread calls again or ends, but no block is handed out twice.</para>
/// <para><b>Large buffers.</b> One buffer left behind would be megabytes. So each class has a slot, which the owner uses only between
/// setting and clearing <see cref="Busy"/>. Another thread sets <see cref="Barred"/>, fences, and waits until the owner is not busy. At
/// least one of the two sees the other's store.</para>
/// <para><see cref="Sync"/> guards <see cref="Classes"/> and everything above except the fast path.</para>
/// </remarks>
internal sealed unsafe class HeapSection : IThreadSection
{
    internal const int Busy = 0;
    internal const int Barred = Busy + 1;
    internal const int FirstSlot = Base + BlockSizes.IndexCount;

    /// <summary>The index of the word that <see cref="Address"/> points to: entries have negative places too.</summary>
    internal const int Base = 16;

    /// <summary>A slot without room, because the budget has granted none.</summary>
    internal const nint ClosedSlot = 0;

    /// <summary>An empty slot with room. Any larger value is the address of the buffer in the slot.</summary>
    internal const nint OpenSlot = 1;

    /// <summary>The spins after which a busy owner counts as preempted in the middle of a call.</summary>
    private const int MaxSpins = 100;

    private const int WordCount = FirstSlot + (2 * (BlockSizes.ClassCount - BlockSizes.SlabClassCount));

    /// <summary>Made with the section: a sweep of an ended thread must not need memory.</summary>
    private readonly SlotUse[] _slotUses = new SlotUse[BlockSizes.ClassCount - BlockSizes.SlabClassCount];
    private SlotRest[]? _slotRests;
    private long _takes;
    private readonly nint[] _storage = GC.AllocateArray<nint>(WordCount, pinned: true);

    internal HeapSection()
    {
        Words = (nint*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_storage));
        Span<nint> entries = new(Entries + BlockSizes.FirstEntry, BlockSizes.IndexCount - BlockSizes.FirstEntry);
        entries.Fill((nint)BlockMagazine.Closed.Words);
    }

    /// <summary>The section that stands in for every heap that a thread has not used: never written, so every access misses.</summary>
    internal static HeapSection Empty { get; } = new();

    /// <summary>The words of <see cref="Empty"/>, a constant in the compiled code.</summary>
    internal static nint* EmptyWords { get; } = Empty.Words;

    internal nint* Words { get; }

    internal Lock Sync { get; } = new();

    /// <summary>The caches behind the entries; null until the class is first used.</summary>
    internal BlockClassCache?[] Classes { get; } = new BlockClassCache?[BlockSizes.SlabClassCount];

    /// <summary>The bytes of the thread's allowance that classes have borrowed (<see cref="BlockRoom"/>).</summary>
    internal long LentBytes { get; set; }

    /// <summary>The only heap that this section serves; null for <see cref="Empty"/>, and after the heap or the thread has ended.</summary>
    internal HeapCore? Heap { get; set; }

    /// <inheritdoc/>
    public nint Address => (nint)Entries;

    /// <summary>The entry at place 0 of <see cref="BlockSizes.EntryOf"/>.</summary>
    private nint* Entries => Words + Base;

    /// <summary>The entry of a class.</summary>
    internal nint EntryOf(int index) => Entries[BlockSizes.EntryOf(BlockSizes.SizeOf(index))];

    /// <inheritdoc/>
    public void OnThreadEnded() => Heap?.Adopt(this);

    /// <summary>The slot of a large class.</summary>
    internal nint* SlotOf(int index) => SlotAt(Words, index);

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

    /// <summary>Whether any slot is open or has a buffer.</summary>
    internal bool HasOpenSlots => new ReadOnlySpan<nint>(Words + FirstSlot, WordCount - FirstSlot).ContainsAnyExcept((nint)0);

    /// <summary>Counts the large buffers handed out from slots so far.</summary>
    internal long CountSlotPops()
    {
        long count = 0;
        for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
        {
            count += Volatile.Read(ref SlotOf(index)[1]);
        }

        return count;
    }

    /// <summary>
    /// Parks the loaded magazines, so that the owner must take the slow path for those it needs. Under <see cref="Sync"/>.
    /// </summary>
    internal void Park(TimeSpan now)
    {
        foreach (BlockClassCache? cache in Classes)
        {
            cache?.Park(now);
        }
    }

    /// <summary>
    /// Takes the blocks that were parked for <paramref name="patience"/>, or all parked blocks when that is null. Under <see cref="Sync"/>.
    /// </summary>
    internal void TakeParked(TimeSpan now, TimeSpan? patience)
    {
        bool isFenced = false;
        foreach (BlockClassCache? cache in Classes)
        {
            if (cache is { IsParked: true, IsRest: false } && (patience is null || now - cache.ParkedAt >= patience))
            {
                if (!isFenced)
                {
                    Interlocked.MemoryBarrierProcessWide();
                    isFenced = true;
                }

                cache.TakeParked();
            }
        }
    }

    /// <summary>
    /// Takes out everything that was unused for <paramref name="patience"/>, or everything when that is null. Under <see cref="Sync"/>.
    /// </summary>
    internal void DropIdle(TimeSpan now, TimeSpan? patience)
    {
        TakeParked(now, patience);
        foreach (BlockClassCache? cache in Classes)
        {
            cache?.DropIdle(now, patience);
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
        }
    }

    /// <summary>
    /// Closes the slots that were not emptied for <paramref name="patience"/>, or all when that is null, and returns their room. Their
    /// buffers leave to <paramref name="large"/>. Under <see cref="Sync"/>.
    /// </summary>
    internal void CloseIdleSlots(MemoryBudget budget, TimeSpan now, TimeSpan? patience, LargeBuffers large, bool mayStay)
    {
        if (!HasOpenSlots)
        {
            return;
        }

        if (TryBar())
        {
            for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
            {
                nint block = CloseIdleSlot(index, now, patience, out bool wasOpen);
                if (wasOpen)
                {
                    budget.Release((long)BlockSizes.SizeOf(index));
                }

                if (block != 0)
                {
                    large.Leave(block, mayStay);
                }
            }
        }

        Unbar();
    }

    /// <summary>
    /// Closes a slot that was not emptied for <paramref name="patience"/>, or at once when that is null. Called between
    /// <see cref="TryBar"/> and <see cref="Unbar"/>.
    /// </summary>
    /// <returns>The buffer that was in it, or 0.</returns>
    internal nint CloseIdleSlot(int index, TimeSpan now, TimeSpan? patience, out bool wasOpen)
    {
        nint* slot = SlotOf(index);
        nint block = *slot;
        wasOpen = false;
        if (block == ClosedSlot)
        {
            return 0;
        }

        ref SlotUse use = ref _slotUses[index - BlockSizes.SlabClassCount];
        if (patience is not null && (use.Pops != slot[1] + 1 || now - use.SeenAt < patience))
        {
            use = use.Pops == slot[1] + 1 ? use : new SlotUse(slot[1] + 1, now);
            return 0;
        }

        use = default;
        *slot = ClosedSlot;
        wasOpen = true;
        return block > OpenSlot ? block : 0;
    }

    /// <summary>
    /// Bars the owner from the slots; false when the owner is held up in the middle of a call and waiting is not worthwhile.
    /// </summary>
    /// <remarks>Under <see cref="Sync"/>. Follow with <see cref="Unbar"/> whatever the result.</remarks>
    internal bool TryBar()
    {
        Volatile.Write(ref Words[Barred], 1);
        Interlocked.MemoryBarrierProcessWide();
        SpinWait spin = default;
        while (Volatile.Read(ref Words[Busy]) != 0)
        {
            if (spin.Count > MaxSpins)
            {
                return false;
            }

            spin.SpinOnce(sleep1Threshold: -1);
        }

        return true;
    }

    internal void Unbar() => Volatile.Write(ref Words[Barred], 0);

    /// <summary>Takes the buffer from a slot; 0 when the slot has none. For the owner; no lock, no atomic instruction.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nint TakeFromSlot(nint* words, int index)
    {
        nint* slot = SlotAt(words, index);
        nint taken = 0;
        Volatile.Write(ref words[Busy], 1);
        if (Volatile.Read(ref words[Barred]) == 0 && *slot > OpenSlot)
        {
            taken = *slot;
            *slot = OpenSlot;
            slot[1]++;
        }

        Volatile.Write(ref words[Busy], 0);
        return taken;
    }

    /// <summary>
    /// Takes the buffer of the slot that is nearest in size to a class and is at rest (<see cref="NearSizes"/>); 0 when there is none. For
    /// the owner, under <see cref="Sync"/>, once for each allocation that the class's own slot could not serve.
    /// </summary>
    internal nint TakeNearFromSlots(int index)
    {
        long now = ++_takes + CountSlotPops();
        SlotRest[] rests = _slotRests ??= new SlotRest[BlockSizes.ClassCount - BlockSizes.SlabClassCount];
        nint taken = 0;
        foreach (int distance in NearSizes.Distances)
        {
            int near = index + distance;
            if (NearSizes.MayServe(near, index))
            {
                nint* slot = SlotOf(near);
                ref SlotRest rest = ref rests[near - BlockSizes.SlabClassCount];
                if (*slot <= OpenSlot || rest.Block != *slot || rest.Pops != slot[1])
                {
                    rest = new SlotRest(*slot, slot[1], now);
                }
                else if (taken == 0 && now - rest.Since >= NearSizes.SlotRest)
                {
                    taken = *slot;
                    *slot = OpenSlot;
                }
            }
        }

        return taken;
    }

    /// <summary>Puts a buffer into an open slot; false when the slot is not open. For the owner.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool PutIntoSlot(nint* words, int index, nint block)
    {
        nint* slot = SlotAt(words, index);
        bool put = false;
        Volatile.Write(ref words[Busy], 1);
        if (Volatile.Read(ref words[Barred]) == 0 && *slot == OpenSlot)
        {
            *slot = block;
            put = true;
        }

        Volatile.Write(ref words[Busy], 0);
        return put;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint* SlotAt(nint* words, int index) => words + FirstSlot + (2 * (index - BlockSizes.SlabClassCount));

    /// <summary>
    /// A slot as a trimmer last saw it. <c>Pops</c> is one more than the number of times it was emptied, or 0 if it was closed.
    /// </summary>
    private readonly record struct SlotUse(nint Pops, TimeSpan SeenAt);

    /// <summary>A slot as its owner last saw it changed: its content, how often it was emptied, and when.</summary>
    private readonly record struct SlotRest(nint Block, nint Pops, long Since);
}
