namespace Tarn;

/// <content>Large buffers: slots of threads in front of <see cref="LargeBuffers"/>.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>Hands out a large buffer when this thread's slot has none; 0 when the system refuses memory.</summary>
    /// <param name="size">Bytes; more than the largest slab class holds.</param>
    /// <param name="isZero">Whether the buffer is fresh from the system and so all zero.</param>
    private nint TakeLarge(nuint size, out bool isZero)
    {
        nint block = 0;
        if (size <= BlockSizes.LargestClassSize)
        {
            int index = (int)BlockSizes.IndexOf(size);
            block = TakeKeptLarge(index);
            block = block != 0 ? block : TakeNearLarge(index);
        }

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
            using (section.Sync.Hold())
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

    /// <inheritdoc cref="LargeBuffers.TryResize"/>
    internal nint TryResizeLarge(nint block, nuint blockSize) => _large.TryResize(block, blockSize);

    private nint TakeKeptLarge(int index)
    {
        nint block = 0;
        if (_sections.Find() is { } section)
        {
            // Bars the owner from the slots for a moment only: while it is barred, its calls take the slow path.
            using (section.Sync.Hold())
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

    /// <summary>Resizes an idle buffer of a near class; 0 when there is none, or the system cannot do that.</summary>
    private nint TakeNearLarge(int index)
    {
        nint near = 0;
        if (_sections.Find() is { } section)
        {
            using (section.Sync.Hold())
            {
                near = section.TakeNearFromSlots(index);
            }
        }

        near = near != 0 ? near : _large.TakeNear(index);
        if (near == 0)
        {
            return 0;
        }

        nint block = 0;
        try
        {
            block = _large.TryResize(near, BlockSizes.SizeOf(index));
        }
        finally
        {
            if (block != 0)
            {
                Interlocked.Increment(ref _accounts.RentedLarge);
            }
            else if (_large.TryGetSize(near, out nuint size))
            {
                _large.TryGive(near, size, default, isGranted: false);
            }
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
