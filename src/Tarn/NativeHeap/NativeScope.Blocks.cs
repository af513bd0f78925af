using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Where a scope's memory comes from and goes to.</summary>
public sealed unsafe partial class NativeScope
{
    /// <summary>The size of the first block, in bytes.</summary>
    internal const nuint FirstBlockSize = 1 << 10;

    /// <summary>Blocks for several allocations do not get larger: it is the largest that the heap keeps in slabs.</summary>
    internal const nuint LargestBlockSize = BlockSizes.LargestSlabSize;

    /// <summary>A request larger than this part of the next block gets one of its own; so no more than this part is left unused.</summary>
    private const int OwnBlockShare = 4;

    /// <summary>More than any heap has, and so little that nothing wraps when something is added to it.</summary>
    private const ulong MostBytes = long.MaxValue >> 1;

    private readonly NativeHeap _heap;

    /// <summary>What was given out as blocks of their own, oldest first; null unless the heap checks each.</summary>
    private readonly List<CheckedBlock>? _checkedBlocks;

    /// <summary>The first block for several allocations, which a reset keeps; null before there is one.</summary>
    private ScopeBlock* _first;

    /// <summary>The block taken last, <see cref="_first"/> apart; each names the one before.</summary>
    private ScopeBlock* _newest;

    /// <summary>The size of the next block: every block taken doubles it, one for a single allocation too.</summary>
    private nuint _nextSize = FirstBlockSize;

    /// <summary>Bytes handed out of other blocks than the current one.</summary>
    private long _allocatedBefore;

    private bool _isDisposed;

    /// <param name="heap">Where the blocks come from.</param>
    /// <param name="each">Whether each allocation is to be a block of its own, because the heap checks each.</param>
    internal NativeScope(NativeHeap heap, bool each)
    {
        _heap = heap;
        _checkedBlocks = each ? [] : null;
    }

    /// <summary>
    /// Frees everything given out, but keeps the first block, so that a scope that is filled and reset again and again with little takes
    /// nothing from its heap.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The scope or its heap was disposed.</exception>
    public void Reset()
    {
        ThrowIfDisposed();
        ObjectDisposedException.ThrowIf(_heap.IsDisposed, _heap);
        FreeBlocks();
        _allocatedBefore = 0;
        _nextSize = FirstBlockSize;
        if (_first != null)
        {
            Open(_first);
            _nextSize = Math.Min(_first->Size * 2, LargestBlockSize);
        }
    }

    /// <summary>Frees everything given out, and what the scope kept. A second call does nothing.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _start = _next = _end = null;
        if (_heap.IsDisposed)
        {
            return;
        }

        FreeBlocks();
        if (_first != null)
        {
            ScopeBlock* first = _first;
            _first = null;
            _heap.Free(first, first->Size);
        }
    }

    /// <summary>The slow partner of <see cref="Allocate(nuint)"/>: the current block does not hold it, or there is none.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void* AllocateSlow(nuint size, nuint alignment)
    {
        ThrowIfDisposed();
        if (size == 0)
        {
            return Allocate(1);
        }

        if (size > MostBytes)
        {
            ThrowTooLarge(size);
        }

        if (_checkedBlocks is not null)
        {
            return AllocateChecked(_checkedBlocks, size, alignment);
        }

        if (size > _nextSize / OwnBlockShare)
        {
            ScopeBlock* own = Take(size + (nuint)sizeof(ScopeBlock));
            Link(own);
            _allocatedBefore += (long)RoundUp(size);
            return own + 1;
        }

        ScopeBlock* block = Take(_nextSize);
        if (_first == null)
        {
            _first = block;
        }
        else
        {
            Link(block);
        }

        _allocatedBefore += _next - _start;
        Open(block);
        return Allocate(size);
    }

    /// <summary>For types that want more than <see cref="Alignment"/>: asks for enough that an aligned address is among it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void* AllocateOveraligned(nuint size, nuint alignment)
    {
        if (_checkedBlocks is not null)
        {
            return AllocateSlow(Math.Max(size, 1), alignment);
        }

        // One byte at least, or the address could be where the next allocation begins.
        nuint address = (nuint)Allocate(Math.Max(size, 1) + (alignment - Alignment));
        return (void*)((address + (alignment - 1)) & ~(alignment - 1));
    }

    /// <summary>A block of the very size asked for, so that the heap's checks know where it ends.</summary>
    private void* AllocateChecked(List<CheckedBlock> blocks, nuint size, nuint alignment)
    {
        // Room in the list first: a block that could not be noted would be lost.
        blocks.EnsureCapacity(blocks.Count + 1);
        void* address = _heap.AllocateAligned(size, alignment);
        blocks.Add(new CheckedBlock((nint)address, size, alignment));
        _allocatedBefore += (long)RoundUp(size);
        return address;
    }

    /// <summary>Takes a block from the heap; when that throws, nothing has changed.</summary>
    private ScopeBlock* Take(nuint size)
    {
        // The heap aligns a block to the largest power of two in its size class: above 64 bytes all classes are multiples of Alignment.
        ScopeBlock* block = (ScopeBlock*)_heap.Allocate(size);
        block->Size = size;
        _nextSize = Math.Min(_nextSize * 2, LargestBlockSize);
        return block;
    }

    /// <summary>Makes a block, all of it free, the current one.</summary>
    private void Open(ScopeBlock* block)
    {
        _start = _next = (byte*)(block + 1);
        _end = (byte*)block + block->Size;
    }

    private void Link(ScopeBlock* block)
    {
        block->Previous = _newest;
        _newest = block;
    }

    /// <summary>
    /// Frees all but the first block, the newest first. Each is forgotten before it is freed: one that a check of the heap finds fault
    /// with ends this call, but is not freed again by the next.
    /// </summary>
    private void FreeBlocks()
    {
        while (_newest != null)
        {
            ScopeBlock* block = _newest;
            _newest = block->Previous;
            _heap.Free(block, block->Size);
        }

        while (_checkedBlocks is { Count: > 0 })
        {
            CheckedBlock block = _checkedBlocks[^1];
            _checkedBlocks.RemoveAt(_checkedBlocks.Count - 1);
            _heap.FreeAligned((void*)block.Address, block.Size, block.Alignment);
        }
    }

    [DoesNotReturn]
#pragma warning disable CA2201 // what the heap itself would throw
    private static void ThrowTooLarge(nuint size) => throw new OutOfMemoryException($"No heap has {size} bytes.");
#pragma warning restore CA2201

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_isDisposed, this);

    private readonly record struct CheckedBlock(nint Address, nuint Size, nuint Alignment);
}
