using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The part of one thread's cache that serves one heap. Pinned, so that the fast path reaches it by address.</summary>
/// <remarks>
/// <para>Words, from <see cref="Words"/> on: for each index of <see cref="BlockSizes"/> the address of the loaded magazine's words, or
/// those of <see cref="BlockMagazine.Closed"/>; then <see cref="Busy"/> and <see cref="Barred"/>; then two words for each class of large
/// buffers: its slot and how often it was emptied.</para>
/// <para><b>Blocks in slabs.</b> The owner reads an entry, then the magazine, with plain loads and stores. Another thread that wants
/// memory back stores <see cref="BlockMagazine.Closed"/> into the entry (the magazine is then parked), fences every processor, and from
/// then on at most one call of the owner, one that was in the middle, still uses the magazine. Such a call takes the topmost block or puts
/// one on it; so the trimmer may take every other block, and notes how many in <see cref="BlockMagazine.Taken"/>. It never writes a word
/// the owner may write. The owner, when it next misses, takes back what was
/// left (<see cref="BlockClassCache"/>). One block for each class and thread may so stay behind until its thread comes again or
/// ends; nothing can be handed out twice.</para>
/// <para><b>Large buffers</b>, where one staying behind would be megabytes, have a slot each that the owner uses between setting and
/// clearing <see cref="Busy"/>. Another thread sets <see cref="Barred"/>, fences, and waits until the owner is not busy: each sees the
/// other's store or is seen.</para>
/// <para><see cref="Sync"/> guards <see cref="Classes"/> and everything above but the fast path.</para>
/// </remarks>
internal sealed unsafe class HeapSection : IThreadSection
{
    internal const int Busy = BlockSizes.IndexCount;
    internal const int Barred = Busy + 1;
    internal const int FirstSlot = Barred + 1;

    /// <summary>A slot without room: the budget has granted none.</summary>
    internal const nint ClosedSlot = 0;

    /// <summary>A slot with room. Anything above is the buffer in it.</summary>
    internal const nint OpenSlot = 1;

    /// <summary>An owner that is busy for longer than so many spins has lost its processor in the middle of a call.</summary>
    private const int MaxSpins = 100;

    private const int WordCount = FirstSlot + (2 * (BlockSizes.ClassCount - BlockSizes.SlabClassCount));

    private SlotUse[]? _slotUses;
    private readonly nint[] _storage = GC.AllocateArray<nint>(WordCount, pinned: true);

    internal HeapSection()
    {
        Words = (nint*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_storage));
        for (int index = 0; index < BlockSizes.IndexCount; index++)
        {
            Words[index] = (nint)BlockMagazine.Closed.Words;
        }
    }

    /// <summary>The section of every heap that a thread has not used: never written, so every access misses.</summary>
    internal static HeapSection Empty { get; } = new();

    /// <summary>Its words, as a constant of the compiled code.</summary>
    internal static nint* EmptyWords { get; } = Empty.Words;

    internal nint* Words { get; }

    internal Lock Sync { get; } = new();

    /// <summary>What stands behind each entry; null until the class is first used.</summary>
    internal BlockClassCache?[] Classes { get; } = new BlockClassCache?[BlockSizes.SlabClassCount];

    /// <summary>What classes have borrowed of the thread's allowance, in bytes (<see cref="BlockRoom"/>).</summary>
    internal long LentBytes { get; set; }

    /// <summary>The heap this section serves and no other; null for <see cref="Empty"/>, and once the heap or the thread is gone.</summary>
    internal HeapCore? Heap { get; set; }

    /// <inheritdoc/>
    public nint Address => (nint)Words;

    /// <inheritdoc/>
    public void OnThreadEnded() => Heap?.Adopt(this);

    /// <summary>The slot of a large class.</summary>
    internal nint* SlotOf(int index) => SlotAt(Words, index);

    /// <summary>Puts the entry of a class within the fast path's reach, or out of it when <paramref name="loaded"/> is null.</summary>
    internal void Publish(int index, BlockMagazine? loaded) =>
        Volatile.Write(ref Words[index], (nint)(loaded ?? BlockMagazine.Closed).Words);

    /// <summary>A slot is open or has a buffer in it.</summary>
    internal bool HasOpenSlots => new ReadOnlySpan<nint>(Words + FirstSlot, WordCount - FirstSlot).ContainsAnyExcept((nint)0);

    /// <summary>Large buffers handed out from slots so far.</summary>
    internal long CountSlotPops()
    {
        long count = 0;
        for (int index = BlockSizes.SlabClassCount; index < BlockSizes.ClassCount; index++)
        {
            count += Volatile.Read(ref SlotOf(index)[1]);
        }

        return count;
    }

    /// <summary>Whether the owner needs what it has loaded shows from now on: it has to come for it. Under <see cref="Sync"/>.</summary>
    internal void Park(TimeSpan now)
    {
        foreach (BlockClassCache? cache in Classes)
        {
            cache?.Park(now);
        }
    }

    /// <summary>Takes what was parked for <paramref name="patience"/>, or all of it when that is null. Under <see cref="Sync"/>.</summary>
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
    /// Takes out what was not used for <paramref name="patience"/>, or everything when that is null. Under <see cref="Sync"/>.
    /// </summary>
    internal void DropIdle(TimeSpan now, TimeSpan? patience)
    {
        TakeParked(now, patience);
        foreach (BlockClassCache? cache in Classes)
        {
            cache?.DropIdle(now, patience);
        }
    }

    /// <summary>Empties the section, whose owner is not in the middle of a call: it is this thread, or has ended.</summary>
    internal void EmptyClasses()
    {
        lock (Sync)
        {
            foreach (BlockClassCache? cache in Classes)
            {
                cache?.Empty();
            }
        }
    }

    /// <summary>
    /// Closes the slots that were not emptied for <paramref name="patience"/>, or all when that is null, and gives their room back. What
    /// was in them is added to <paramref name="large"/>. Under <see cref="Sync"/>.
    /// </summary>
    internal void CloseIdleSlots(MemoryBudget budget, TimeSpan now, TimeSpan? patience, List<(nint Block, int Index)> large)
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
                    large.Add((block, index));
                }
            }
        }

        Unbar();
    }

    /// <summary>
    /// Closes a slot that was not emptied for <paramref name="patience"/>, or at once when that is null. Between bar and unbar.
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

        SlotUse[] uses = _slotUses ??= new SlotUse[BlockSizes.ClassCount - BlockSizes.SlabClassCount];
        ref SlotUse use = ref uses[index - BlockSizes.SlabClassCount];
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
    /// Keeps the owner out of the slots; false when it is held up in the middle of a call, so that it is not worth waiting.
    /// </summary>
    /// <remarks>Under <see cref="Sync"/>; to be followed by <see cref="Unbar"/> either way.</remarks>
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

    /// <summary>The owner's way to the slots: the buffer in one, or 0. No lock, no atomic instruction.</summary>
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

    /// <summary>The owner's way to the slots: puts a buffer into an open one; false when it is not open.</summary>
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

    /// <summary>A slot as a trimmer saw it last: how often it had been emptied, and one; 0 when it was closed.</summary>
    private readonly record struct SlotUse(nint Pops, TimeSpan SeenAt);
}
