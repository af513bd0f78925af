namespace Tarn.Native;

/// <content>Large buffers.</content>
internal sealed unsafe partial class HeapCore
{
    /// <summary>
    /// Refuses a size above the most bytes of a block. Kept buffers are no larger, so only a call that may need a new one looks.
    /// </summary>
    /// <exception cref="OutOfMemoryException">The size is above that.</exception>
    internal void RequireAllowed(nuint size)
    {
        // What the collector may have is at hand, and seldom more than the system's limit.
        if (size <= BlockSizes.LargestSlabSize || size <= (nuint)(_mostBlockBytes ?? MemoryPressure.AvailableBytes))
        {
            return;
        }

        long most = _mostBlockBytes ?? ProcessMemory.Limit;
        if (BlockSizes.RoundUp(size) > BlockSizes.RoundUp((nuint)most))
        {
            throw HeapThrow.TooLarge(size, most, _mostBlockBytes is not null, Name);
        }
    }

    /// <summary>Hands out a large buffer; 0 when the system refuses memory.</summary>
    /// <param name="size">Bytes; more than the largest slab class holds.</param>
    /// <param name="isZero">Whether the buffer is fresh from the system and so all zero.</param>
    private nint TakeLarge(nuint size, out bool isZero)
    {
        nint block = 0;
        isZero = false;
        nuint rounded = BlockSizes.RoundUp(size);
        if (size <= BlockSizes.LargestClassSize)
        {
            block = TakeKeptLarge(size);
            block = block != 0 ? block : Large.TakeNear((int)BlockSizes.IndexOf(size));
        }

        if (block != 0 || rounded == 0)
        {
            return block;
        }

        isZero = true;
        block = Large.Create(rounded);
        if (block == 0)
        {
            Cap.MakeRoomInSystem();
            block = Large.Create(rounded);
        }

        return block;
    }

    /// <summary>Takes a kept buffer for a size that has a class; 0 when there is none.</summary>
    internal nint TakeKeptLarge(nuint size) => Large.TakeKept((int)BlockSizes.IndexOf(size));

    /// <summary>Keeps a large buffer, while the clock ticks; false when that takes more than a look.</summary>
    internal bool TryKeepLarge(nint block, nuint size)
    {
        if (!Schedule.IsAwake || Large.TryKeep(block, BlockSizes.RoundUp(size), TickedAt) != true)
        {
            return false;
        }

        // A tick that found nothing kept before this may have put the heap to sleep since the look.
        Schedule.Wake();
        return true;
    }

    /// <summary>Takes a large buffer back. Returns false and changes nothing when no buffer of that size is out at the address.</summary>
    private bool TryGiveLarge(nint block, nuint size, bool keep)
    {
        nuint blockSize = BlockSizes.RoundUp(size);
        if (size > BlockSizes.LargestClassSize || !keep)
        {
            return Large.TryRelease(block, blockSize);
        }

        ReadClock();
        bool? isKept = Large.TryKeep(block, blockSize, TickedAt);
        if (isKept is null && Cap.TryMakeRoom((long)blockSize))
        {
            isKept = Large.TryKeep(block, blockSize, TickedAt);
        }

        Wake();
        return isKept ?? Large.TryRelease(block, blockSize);
    }

    internal bool TryGetLargeSize(nint block, out nuint size) => Large.TryGetSize(block, out size);

    /// <inheritdoc cref="LargeBuffers.TryResize"/>
    internal nint TryResizeLarge(nint block, nuint blockSize) => Large.TryResize(block, blockSize);
}
