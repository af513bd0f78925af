namespace Tarn;

/// <content>Large buffers.</content>
internal sealed partial class HeapCore
{
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
            block = block != 0 ? block : _large.TakeNear((int)BlockSizes.IndexOf(size));
        }

        if (block != 0 || rounded == 0)
        {
            return block;
        }

        isZero = true;
        block = _large.Create(rounded);
        if (block == 0)
        {
            _cap.MakeRoomInSystem();
            block = _large.Create(rounded);
        }

        return block;
    }

    /// <summary>Takes a kept buffer for a size that has a class; 0 when there is none.</summary>
    internal nint TakeKeptLarge(nuint size) => _large.TakeKept((int)BlockSizes.IndexOf(size));

    /// <summary>Keeps a large buffer, while the clock ticks; false when that takes more than a look.</summary>
    internal bool TryKeepLarge(nint block, nuint size) =>
        Schedule.IsAwake && _large.TryKeep(block, BlockSizes.RoundUp(size), _tickedAt) == true;

    /// <summary>Takes a large buffer back. Returns false and changes nothing when no buffer of that size is out at the address.</summary>
    private bool TryGiveLarge(nint block, nuint size, bool keep)
    {
        nuint blockSize = BlockSizes.RoundUp(size);
        if (size > BlockSizes.LargestClassSize || !keep)
        {
            return _large.TryRelease(block, blockSize);
        }

        ReadClock();
        bool? isKept = _large.TryKeep(block, blockSize, _tickedAt);
        if (isKept is null && _cap.TryMakeRoom((long)blockSize))
        {
            isKept = _large.TryKeep(block, blockSize, _tickedAt);
        }

        Wake();
        return isKept ?? _large.TryRelease(block, blockSize);
    }

    internal bool TryGetLargeSize(nint block, out nuint size) => _large.TryGetSize(block, out size);

    /// <inheritdoc cref="LargeBuffers.TryResize"/>
    internal nint TryResizeLarge(nint block, nuint blockSize) => _large.TryResize(block, blockSize);
}
