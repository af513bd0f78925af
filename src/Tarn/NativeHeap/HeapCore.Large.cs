using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Large buffers: slots of threads in front of <see cref="LargeBuffers"/>.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Hands out a large buffer of at least <paramref name="size"/> bytes; 0 when the system refuses memory.</summary>
    /// <param name="section">This thread's words for the heap, or those of the empty section.</param>
    /// <param name="size">Bytes, more than the largest slab class has.</param>
    /// <param name="isZero">The buffer is fresh: all zero.</param>
    internal nint TakeLarge(nint* section, nuint size, out bool isZero)
    {
        isZero = false;
        nuint rounded = BlockSizes.RoundUp(size);
        if (size > BlockSizes.LargestClassSize)
        {
            isZero = true;
            return rounded == 0 ? 0 : CreateLarge(rounded);
        }

        int index = (int)BlockSizes.IndexOf(size);
        nint block = section == HeapSection.Empty.Words ? 0 : HeapSection.TakeFromSlot(section, index);
        if (block != 0)
        {
            return block;
        }

        block = _large.TakeKept(index);
        if (block == 0)
        {
            isZero = true;
            return CreateLarge(rounded);
        }

        Interlocked.Increment(ref _rentedLarge);
        return block;
    }

    /// <summary>Takes a large buffer back; false when none of that size is out there, and nothing has changed.</summary>
    internal bool TryGiveLarge(nint* section, nint block, nuint size, bool keep)
    {
        if (size > BlockSizes.LargestClassSize || !keep)
        {
            return _large.TryGive(block, BlockSizes.RoundUp(size), default, static _ => false);
        }

        int index = (int)BlockSizes.IndexOf(size);
        return (section != HeapSection.Empty.Words && HeapSection.PutIntoSlot(section, index, block)) || TryGiveLargeSlow(block, index);
    }

    internal bool TryGetLargeSize(nint block, out nuint size) => _large.TryGetSize(block, out size);

    /// <summary>See <see cref="LargeBuffers.TryGrow"/>; both sizes are those of blocks.</summary>
    internal nint TryGrowLarge(nint block, nuint blockSize) => _large.TryGrow(block, blockSize);

    internal bool TryShrinkLarge(nint block, nuint blockSize) => _large.TryShrink(block, blockSize);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private nint CreateLarge(nuint size)
    {
        nint block = _large.Create(size);
        if (block == 0 && Evict(long.MaxValue) > 0)
        {
            block = _large.Create(size);
        }

        if (block != 0)
        {
            Interlocked.Increment(ref _rentedLarge);
            Interlocked.Increment(ref _createdLarge);
        }

        return block;
    }

    /// <summary>No room in the thread's slot: opens it, or lets the heap keep the buffer.</summary>
    private bool TryGiveLargeSlow(nint block, int index)
    {
        nuint size = BlockSizes.SizeOf(index);
        HeapSection section = HeapThread.Current.SectionOf(this);
        bool isOut = _large.TryGetSize(block, out nuint actual) && actual == size;
        lock (section.Sync)
        {
            nint* slot = section.SlotOf(index);
            if (!isOut || *slot == block)
            {
                return false;
            }

            if (*slot == HeapSection.ClosedSlot && TryGrant((long)size, evict: false))
            {
                *slot = block;
                Wake();
                return true;
            }
        }

        bool given = _large.TryGive(block, size, Clock.Now, bytes => TryGrant(bytes, evict: true));
        Wake();
        return given;
    }
}
