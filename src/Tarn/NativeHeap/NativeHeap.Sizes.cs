using System.Numerics;

namespace Tarn.Native;

/// <content>Zeroed and aligned blocks, blocks of unknown size, and reallocation.</content>
public sealed unsafe partial class NativeHeap
{
    /// <summary>Allocates a block of at least <paramref name="size"/> bytes and clears the first <paramref name="size"/> of them.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>The block. Memory fresh from the operating system is already zero and is not cleared again.</returns>
    /// <exception cref="OutOfMemoryException">
    /// The operating system has no memory left, or no block that large; the heap is unchanged.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public void* AllocateZeroed(nuint size)
    {
        size = Math.Max(size, 1);
        return _checked is null ? AllocateCleared(size, size) : AllocateChecked(size, NaturalAlignment(size), zeroed: true);
    }

    /// <summary>Frees a block of unknown size: finds its size by the address.</summary>
    /// <param name="block">A block of this heap; null is ignored.</param>
    /// <exception cref="InvalidOperationException"><paramref name="block"/> is not a block of this heap, or is free already.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public void Free(void* block)
    {
        if (_checked is not null && block != null)
        {
            FreeChecked(block, size: null, alignment: null);
        }
        else if (block != null)
        {
            Free(block, SizeOf(block));
        }
    }

    /// <summary>Returns the usable size of a block, found by its address alone.</summary>
    /// <param name="block">A block of this heap; null has size 0.</param>
    /// <returns>
    /// The usable bytes: <see cref="GetBlockSize"/> of the requested size or, in a heap with checks, exactly the requested size (1 for 0).
    /// </returns>
    /// <exception cref="InvalidOperationException"><paramref name="block"/> is not a block of this heap.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public nuint GetUsableSize(void* block) => block == null ? 0 : SizeOf(block);

    /// <summary>Resizes a block, keeping its contents up to the smaller of the two sizes.</summary>
    /// <param name="block">A block of this heap, which the caller no longer owns afterwards; null allocates.</param>
    /// <param name="oldSize">The size it was requested with, in bytes.</param>
    /// <param name="newSize">The new size, in bytes; 0 counts as 1.</param>
    /// <returns>
    /// The same block if both sizes have the same block size, otherwise another. A buffer that is larger than 256 KiB before and after
    /// shrinks in place, and grows in place or by remapping instead of copying where the operating system supports it.
    /// </returns>
    /// <exception cref="OutOfMemoryException">
    /// The operating system has no memory left. The caller still owns the block, and it is unchanged.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="block"/> is not a block that this heap allocated with this size.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public void* Reallocate(void* block, nuint oldSize, nuint newSize)
    {
        if (block == null)
        {
            return Allocate(newSize);
        }

        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_checked is not null)
        {
            return ReallocateChecked(block, oldSize, oldAlignment: null, newSize, NaturalAlignment(newSize));
        }

        oldSize = Math.Max(oldSize, 1);
        newSize = Math.Max(newSize, 1);
        Require(block, oldSize);
        nuint oldBlockSize = GetBlockSize(oldSize);
        nuint newBlockSize = GetBlockSize(newSize);
        if (newBlockSize == oldBlockSize)
        {
            return block;
        }

        if (newBlockSize == 0)
        {
            throw HeapThrow.OutOfMemory(newSize, Name);
        }

        if (Math.Min(oldSize, newSize) > BlockSizes.LargestSlabSize && TryResizeLarge(block, oldBlockSize, newSize) is var resized
            && resized != null)
        {
            return resized;
        }

        void* copy = Allocate(newSize);
        BufferCopy.Copy(block, copy, Math.Min(oldSize, newSize));
        Free(block, oldSize);
        return copy;
    }

    /// <summary>Resizes a block of unknown size: finds its old size by the address.</summary>
    /// <param name="block">A block of this heap, which the caller no longer owns afterwards; null allocates.</param>
    /// <param name="newSize">The new size, in bytes; 0 counts as 1.</param>
    /// <exception cref="InvalidOperationException"><paramref name="block"/> is not a block of this heap.</exception>
    /// <inheritdoc cref="Reallocate(void*, nuint, nuint)" path="/*[not(self::param or self::summary)]"/>
    public void* Reallocate(void* block, nuint newSize) =>
        block == null ? Allocate(newSize)
            : _checked is not null ? ReallocateChecked(block, oldSize: null, oldAlignment: null, newSize, NaturalAlignment(newSize))
            : Reallocate(block, SizeOf(block), newSize);

    /// <summary>Resizes an aligned block, keeping its alignment, and its contents up to the smaller of the two sizes.</summary>
    /// <param name="block">A block from <see cref="AllocateAligned"/>, which the caller no longer owns afterwards; null allocates.</param>
    /// <param name="oldSize">The size it was requested with, in bytes.</param>
    /// <param name="newSize">The new size, in bytes; 0 counts as 1.</param>
    /// <param name="alignment">The alignment it was requested with.</param>
    /// <returns>The same block or another. Free it with <see cref="FreeAligned"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="alignment"/> is not a power of two, or is more than 2 MiB.</exception>
    /// <inheritdoc cref="Reallocate(void*, nuint, nuint)" path="/exception"/>
    public void* ReallocateAligned(void* block, nuint oldSize, nuint newSize, nuint alignment)
    {
        nuint oldPadded = Pad(oldSize, alignment);
        nuint newPadded = Pad(newSize, alignment);
        if (block == null)
        {
            return AllocateAligned(newSize, alignment);
        }

        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (newPadded == 0)
        {
            throw HeapThrow.OutOfMemory(newSize, Name);
        }

        return _checked is null
            ? Reallocate(block, oldPadded, newPadded)
            : ReallocateChecked(block, oldSize, oldAlignment: alignment, newSize, alignment);
    }

    /// <summary>
    /// Allocates a block of at least <paramref name="size"/> bytes at an address that is a multiple of <paramref name="alignment"/>.
    /// </summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <param name="alignment">A power of two up to 2 MiB.</param>
    /// <returns>The block. Free it with <see cref="FreeAligned"/> and the same size and alignment.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="alignment"/> is not a power of two, or is more than 2 MiB.</exception>
    /// <exception cref="OutOfMemoryException">
    /// The operating system has no memory left, or no block that large; the heap is unchanged.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public void* AllocateAligned(nuint size, nuint alignment)
    {
        nuint padded = PadOrRefuse(size, alignment);
        return _checked is null ? Allocate(padded) : AllocateChecked(size, alignment, zeroed: false);
    }

    /// <summary>Allocates a block as <see cref="AllocateAligned"/> does and clears the first <paramref name="size"/> bytes.</summary>
    /// <inheritdoc cref="AllocateAligned"/>
    internal void* AllocateAlignedZeroed(nuint size, nuint alignment)
    {
        nuint padded = PadOrRefuse(size, alignment);
        return _checked is null ? AllocateCleared(padded, size) : AllocateChecked(size, alignment, zeroed: true);
    }

    /// <summary>Frees a block from <see cref="AllocateAligned"/>. The caller must not use it afterwards.</summary>
    /// <param name="block">The block; null is ignored.</param>
    /// <param name="size">The size it was requested with, in bytes.</param>
    /// <param name="alignment">The alignment it was requested with.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="alignment"/> is not a power of two, or is more than 2 MiB.</exception>
    /// <exception cref="InvalidOperationException">As for <see cref="Free(void*, nuint)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public void FreeAligned(void* block, nuint size, nuint alignment)
    {
        nuint padded = Pad(size, alignment);
        if (_checked is not null && block != null)
        {
            FreeChecked(block, size, alignment);
        }
        else
        {
            Free(block, padded);
        }
    }

    /// <summary>
    /// The size whose class has that alignment: the block size of a multiple of a power of two is also a multiple of it. 0 when there is
    /// none.
    /// </summary>
    private static nuint Pad(nuint size, nuint alignment)
    {
        if (!BitOperations.IsPow2(alignment) || alignment > BlockSizes.LargestAlignment)
        {
            throw new ArgumentOutOfRangeException(
                nameof(alignment),
                alignment,
                $"The alignment {alignment} is not supported: pass a power of two up to {BlockSizes.LargestAlignment}.");
        }

        return unchecked(Math.Max(size, 1) + (alignment - 1)) & ~(alignment - 1);
    }

    /// <summary>The alignment that the heap guarantees for a size; 1 for sizes that no block has.</summary>
    internal static nuint NaturalAlignment(nuint size) => Math.Max(BlockSizes.AlignmentOf(GetBlockSize(size)), 1);

    /// <inheritdoc cref="Pad"/>
    private nuint PadOrRefuse(nuint size, nuint alignment)
    {
        nuint padded = Pad(size, alignment);
        if (padded == 0)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            throw HeapThrow.OutOfMemory(size, Name);
        }

        return padded;
    }

    /// <summary>Allocates a block of <paramref name="blockSize"/> bytes in a heap without checks, and clears the first ones.</summary>
    private void* AllocateCleared(nuint blockSize, nuint size)
    {
        bool isZero = _options.ClearOnFree;
        void* block = blockSize > BlockSizes.LargestSlabSize ? AllocateFromCore(blockSize, out isZero) : Allocate(blockSize);
        if (!isZero)
        {
            BufferCopy.Clear(block, size);
        }

        return block;
    }

    /// <summary>Resizes a large buffer without a copy; null, with nothing changed, where the system cannot.</summary>
    private void* TryResizeLarge(void* block, nuint oldBlockSize, nuint newSize)
    {
        _core.RequireAllowed(newSize);
        nuint newBlockSize = GetBlockSize(newSize);
        nuint more = TakeMore(oldBlockSize, newBlockSize);
        Sample? leaving = TakeFollowed(block);
        void* resized = null;
        try
        {
            resized = (void*)_core.TryResizeLarge((nint)block, newBlockSize);
        }
        finally
        {
            if (resized == null)
            {
                UndoResize(block, leaving, more);
            }
        }

        if (resized != null)
        {
            EndResize(leaving, block, oldBlockSize, resized, newBlockSize, newSize);
        }

        return resized;
    }

    private void* ReallocateChecked(void* block, nuint? oldSize, nuint? oldAlignment, nuint newSize, nuint alignment)
    {
        newSize = Math.Max(newSize, 1);
        _core.RequireAllowed(newSize);
        nuint usable = FindSizeToSay(block);
        nuint more = usable == 0 ? 0 : TakeMore(usable, newSize);
        Sample? leaving = TakeFollowed(block);
        void* resized;
        try
        {
            resized = _checked!.Reallocate(block, AtLeastOne(oldSize), oldAlignment, newSize, alignment);
        }
        catch
        {
            UndoResize(block, leaving, more);
            throw;
        }

        EndResize(leaving, block, usable, resized, newSize, newSize);
        return resized;
    }

    /// <summary>
    /// Takes from the budget what a block will be larger. What it will be smaller goes back at the end (<see cref="EndResize"/>): a call
    /// that is refused could not get it back from those that wait for it.
    /// </summary>
    private nuint TakeMore(nuint before, nuint after)
    {
        nuint more = after > before ? after - before : 0;
        if (more > 0)
        {
            _budget?.Take(more);
        }

        return more;
    }

    private void UndoResize(void* block, Sample? leaving, nuint more)
    {
        if (more > 0)
        {
            _budget?.Return(more);
        }

        if (leaving is not null)
        {
            Follow(block, leaving);
        }
    }

    private void EndResize(Sample? leaving, void* block, nuint before, void* resized, nuint usable, nuint size)
    {
        CountResized(leaving, block, before, resized, usable, size);
        if (before > usable)
        {
            _budget?.Return(before - usable);
        }
    }

    private nuint SizeOf(void* block)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_checked is not null)
        {
            return _checked.GetUsableSize(block);
        }

        int index = _core.FindClass((nint)block);
        if (index >= 0)
        {
            return BlockSizes.SizeOf(index);
        }

        if (!_core.TryGetLargeSize((nint)block, out nuint size))
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            HeapThrow.NotOut((nuint)block, Name);
        }

        return size;
    }
}
