using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Tarn.Native;

/// <summary>How a scope gets and frees its blocks.</summary>
public sealed unsafe partial class NativeScope
{
    /// <summary>The size of the first block, in bytes.</summary>
    internal const nuint FirstBlockSize = 1 << 10;

    /// <summary>The largest block for several allocations: the largest that the heap keeps in slabs.</summary>
    internal const nuint LargestBlockSize = BlockSizes.LargestSlabSize;

    /// <summary>
    /// A request larger than this fraction of the next block gets a block of its own, so at most this fraction is left unused.
    /// </summary>
    private const int OwnBlockDivisor = 4;

    /// <summary>A limit above the size of any heap, small enough that additions to it do not overflow.</summary>
    private const ulong MostBytes = long.MaxValue >> 1;

    private readonly NativeHeap _heap;

    /// <summary>The allocations that are blocks of their own, oldest first; null unless the heap checks each allocation.</summary>
    private readonly List<CheckedBlock>? _checkedBlocks;

    /// <summary>The first block for several allocations, which a reset keeps; null before the first such allocation.</summary>
    private ScopeBlock* _first;

    /// <summary>The most recently taken block other than <see cref="_first"/>. Each block links to the one taken before it.</summary>
    private ScopeBlock* _newest;

    /// <summary>The size of the next block. Every block taken doubles it, including blocks for a single allocation.</summary>
    private nuint _nextSize = FirstBlockSize;

    /// <summary>Bytes allocated from blocks other than the current one.</summary>
    private long _allocatedBefore;

    /// <summary>Whether the scope was disposed, and the calls inside.</summary>
    private PinCount _calls;

    /// <param name="heap">The heap that allocates the blocks.</param>
    /// <param name="each">Whether each allocation is a block of its own, because the heap checks each.</param>
    internal NativeScope(NativeHeap heap, bool each)
    {
        _heap = heap;
        _checkedBlocks = each ? [] : null;
    }

    /// <summary>
    /// Frees all allocations but keeps the first block, so that a scope that is repeatedly filled with a little and reset takes nothing
    /// from its heap. Frames opened before have ended.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The scope or its heap was disposed.</exception>
    public void Reset()
    {
        using Inside inside = Enter();
        ThrowIfHeapIsGone();
        _places?.Clear();
        GoBackTo(new ScopePlace { NextSize = FirstBlockSize });
    }

    /// <summary>
    /// Frees all allocations and the block that the scope keeps, or leaves this to a call on another thread that is inside. A second call
    /// does nothing.
    /// </summary>
    public void Dispose()
    {
        bool isOver = _calls.Dispose();

        // A call inside may set another one until it leaves.
        _end = null;
        if (isOver)
        {
            FreeAll();
        }
    }

    /// <summary>The slow path of <see cref="Allocate(nuint)"/>: the current block is too small, or there is none.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void* AllocateSlow(nuint size, nuint alignment)
    {
        using Inside inside = Enter();
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

        if (size > _nextSize / OwnBlockDivisor)
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

    /// <summary>Serves types that need more than <see cref="Alignment"/>: allocates enough bytes to contain an aligned address.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void* AllocateOveraligned(nuint size, nuint alignment)
    {
        if (_checkedBlocks is not null)
        {
            return AllocateSlow(Math.Max(size, 1), alignment);
        }

        // At least one byte, or the address could be the start of the next allocation.
        nuint address = (nuint)Allocate(Math.Max(size, 1) + (alignment - Alignment));
        return (void*)((address + (alignment - 1)) & ~(alignment - 1));
    }

    /// <summary>Allocates a block of exactly the requested size, so that the heap's checks know where it ends.</summary>
    private void* AllocateChecked(List<CheckedBlock> blocks, nuint size, nuint alignment)
    {
        // Make room in the list first: a block that could not be added would be lost.
        blocks.EnsureCapacity(blocks.Count + 1);
        void* address = _heap.AllocateAligned(size, alignment);
        blocks.Add(new CheckedBlock((nint)address, size, alignment));
        _allocatedBefore += (long)RoundUp(size);
        return address;
    }

    /// <summary>Takes a block from the heap. If that throws, nothing has changed.</summary>
    private ScopeBlock* Take(nuint size)
    {
        // The heap aligns a block to the largest power of two in its size class: above 64 bytes all classes are multiples of Alignment.
        ScopeBlock* block = (ScopeBlock*)_heap.Allocate(size);
        block->Size = size;
        _nextSize = Math.Min(_nextSize * 2, LargestBlockSize);
        return block;
    }

    /// <summary>Makes a block the current one, with all of it free.</summary>
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
    /// Frees the blocks taken after <paramref name="until"/> except the first, the newest first. Each is unlinked before it is freed. If a
    /// check of the heap throws for one, the others are still freed.
    /// </summary>
    /// <param name="until">The block to stop at; null frees all.</param>
    /// <param name="untilChecked">The number of checked blocks that stay.</param>
    private void FreeBlocks(ScopeBlock* until, int untilChecked)
    {
        ExceptionDispatchInfo? thrown = null;
        while (_newest != until)
        {
            ScopeBlock* block = _newest;
            _newest = block->Previous;
            Free(new CheckedBlock((nint)block, block->Size, Alignment: 0), ref thrown);
        }

        while (_checkedBlocks?.Count > untilChecked)
        {
            CheckedBlock block = _checkedBlocks[^1];
            _checkedBlocks.RemoveAt(_checkedBlocks.Count - 1);
            Free(block, ref thrown);
        }

        thrown?.Throw();
    }

    private void Free(CheckedBlock block, ref ExceptionDispatchInfo? thrown)
    {
        try
        {
            if (block.Alignment == 0)
            {
                _heap.Free((void*)block.Address, block.Size);
            }
            else
            {
                _heap.FreeAligned((void*)block.Address, block.Size, block.Alignment);
            }
        }
        catch (Exception e) when (!_heap.IsDisposed)
        {
            thrown ??= ExceptionDispatchInfo.Capture(e);
        }
    }

    /// <summary>Frees all blocks of a disposed scope, in which no call is inside.</summary>
    private void FreeAll()
    {
        _end = null;
        try
        {
            if (_heap.IsDisposed)
            {
                return;
            }

            if (_first != null)
            {
                Link(_first);
                _first = null;
            }

            FreeBlocks(until: null, untilChecked: 0);
        }
        catch (ObjectDisposedException) when (_heap.IsDisposed)
        {
            // Another thread disposed the heap, and with it the blocks, in between.
        }
    }

    [DoesNotReturn]
#pragma warning disable CA2201 // the heap itself throws this type
    private static void ThrowTooLarge(nuint size) =>
        throw new OutOfMemoryException($"The scope cannot allocate {size} bytes, more than any heap holds: request fewer.");
#pragma warning restore CA2201

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_calls.IsDisposed, this);

    /// <summary>Throws if the heap was disposed: the blocks are gone and must not be read.</summary>
    private void ThrowIfHeapIsGone() => ObjectDisposedException.ThrowIf(_heap.IsDisposed, _heap);

    /// <summary>Enters a call that takes, frees or writes to blocks: until it leaves, a Dispose frees none.</summary>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    private Inside Enter()
    {
        if (!_calls.TryPin())
        {
            ThrowIfDisposed();
        }

        return new Inside(this);
    }

    /// <summary>Ends a call. The last one inside a disposed scope frees the blocks.</summary>
    private void Leave()
    {
        if (_calls.Unpin())
        {
            FreeAll();
        }
    }

    /// <summary>A call inside the scope, which ends when this is disposed.</summary>
    private readonly struct Inside(NativeScope scope) : IDisposable
    {
        public void Dispose() => scope.Leave();
    }

    private readonly record struct CheckedBlock(nint Address, nuint Size, nuint Alignment);
}
