namespace Tarn;

/// <content>Large buffers: slots of threads in front of <see cref="LargeBuffers"/>.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Hands out a large buffer when this thread's slot has none; 0 when the system refuses memory.</summary>
    /// <param name="size">Bytes; more than the largest slab class holds.</param>
    /// <param name="isZero">Whether the buffer is fresh from the system and so all zero.</param>
    private nint TakeLarge(nuint size, out bool isZero)
    {
        nint block = size > BlockSizes.LargestClassSize ? 0 : TakeKeptLarge((int)BlockSizes.IndexOf(size));
        isZero = block == 0;
        nuint rounded = BlockSizes.RoundUp(size);
        return block != 0 || rounded == 0 ? block : CreateLarge(rounded);
    }

    /// <summary>Takes a large buffer back. Returns false and changes nothing when no buffer of that size is out at the address.</summary>
    private bool TryGiveLarge(nint block, nuint size, bool keep)
    {
        if (size > BlockSizes.LargestClassSize || !keep)
        {
            return _large.TryGive(block, BlockSizes.RoundUp(size), default, isGranted: false);
        }

        int index = (int)BlockSizes.IndexOf(size);
        nuint blockSize = BlockSizes.SizeOf(index);
        if (!_large.TryGetSize(block, out nuint actual) || actual != blockSize)
        {
            return false;
        }

        bool given = false;
        if (SectionIfPossible() is { } section)
        {
            lock (section.Sync)
            {
                nint* slot = section.SlotOf(index);
                if (*slot == block)
                {
                    return false;
                }

                // While this lock is held, no other thread uses the slots, and the owner is this thread.
                given = *slot == HeapSection.OpenSlot || (*slot == HeapSection.ClosedSlot && _cap.TryGrant((long)blockSize, evict: false));
                if (given)
                {
                    *slot = block;
                }
            }
        }

        given = given || _large.TryGive(block, blockSize, Schedule.Now, _cap.TryGrant((long)blockSize, evict: true));
        Wake();
        return given;
    }

    /// <summary>This thread's section; null when it has none and there is no memory to make one.</summary>
    private HeapSection? SectionIfPossible()
    {
        try
        {
            return _sections.FindOrAdd();
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    internal bool TryGetLargeSize(nint block, out nuint size) => _large.TryGetSize(block, out size);

    /// <summary>See <see cref="LargeBuffers.TryGrow"/>; both sizes are those of blocks.</summary>
    internal nint TryGrowLarge(nint block, nuint blockSize) => _large.TryGrow(block, blockSize);

    internal bool TryShrinkLarge(nint block, nuint blockSize) => _large.TryShrink(block, blockSize);

    private nint TakeKeptLarge(int index)
    {
        nint block = 0;
        if (_sections.Find() is { } section)
        {
            // Bars the owner from the slots for a moment only: while it is barred, its calls take the slow path.
            lock (section.Sync)
            {
                block = HeapSection.TakeFromSlot(section.Words, index);
            }
        }

        if (block == 0 && (block = _large.TakeKept(index)) != 0)
        {
            Interlocked.Increment(ref _accounts.RentedLarge);
        }

        return block;
    }

    private nint CreateLarge(nuint size)
    {
        nint block = _large.Create(size);
        if (block == 0)
        {
            _cap.MakeRoomInSystem();
            block = _large.Create(size);
        }

        if (block != 0)
        {
            Interlocked.Increment(ref _accounts.RentedLarge);
            Interlocked.Increment(ref _accounts.CreatedLarge);
        }

        return block;
    }
}
