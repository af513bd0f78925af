using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Native;

/// <content>The slow paths: misses, large buffers, clearing, checks, events.</content>
public sealed unsafe partial class NativeHeap
{
    /// <summary>The size, in bytes, from which memory is zeroed by returning it to the system instead of clearing it.</summary>
    private const nuint ZeroByReleasing = 4 << 20;

    /// <summary>The class that events report for a large buffer: -1, as the BCL's pools do.</summary>
    private const int NoClass = -1;

    private readonly HeapCore _core;

    /// <summary>The slow path of the allocations.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void* AllocateSlow(nuint size)
    {
        if (IsLargeClass(size) && Volatile.Read(ref _slot) != HeapThreads.None && _core.TakeKeptLarge(size) is var block and not 0)
        {
            GC.KeepAlive(this);
            return (void*)block;
        }

        return AllocateFromCore(size, out _);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsLargeClass(nuint size) => size > BlockSizes.LargestSlabSize && size <= BlockSizes.LargestClassSize;

    /// <summary>
    /// Takes back a block that the fast path could not keep: checks and clears it, raises its event, then passes it to the engine.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void FreeSlow(void* block, nuint size)
    {
        if (IsLargeClass(size) && block != null && Volatile.Read(ref _freeSlot) != HeapThreads.None
            && _core.TryKeepLarge((nint)block, size))
        {
            return;
        }

        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (block == null)
        {
            return;
        }

        if (_checked is not null)
        {
            FreeChecked(block, size, NaturalAlignment(size));
            return;
        }

        // What the call changes or tells before the engine sees the block, a refused call must not.
        size = Math.Max(size, 1);
        if (_options.ClearOnFree || _budget is not null || _isTraced || MayBeFollowed(block))
        {
            Require(block, size);
        }

        if (_options.ClearOnFree)
        {
            Zero(block, size);
        }

        TakeFollowed(block)?.End(SampleEnd.Returned);
        TellFree(block, GetBlockSize(size));

        // A listener may have disposed the heap, and this thread may use another one that has its slot now.
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        nint* section = SectionOf(HeapThreads.Local.Directory + _ownSlot);
        bool isKept = BlockMagazine.TryPush((nint*)Volatile.Read(ref section[BlockSizes.EntryOf(size)]), (nint)block);
        bool keep = !_options.ClearOnFree || size < ZeroByReleasing;
        if (!isKept && !_core.TryFree((nint)block, size, keep))
        {
            RefuseBlock(block, size);
        }

        _budget?.Return(GetBlockSize(size));
    }

    /// <summary>Lets no call of this thread wait for the heap's budget until the returned value is disposed.</summary>
    internal BudgetCredit NeverWait() => _budget is null ? default : _budget.NeverWait();

    private int EventHeap => BufferSources.IdOf(this);

    private static int EventId(void* block) => ((nint)block).GetHashCode();

    private static int EventSize(nuint size) => (int)Math.Min(size, int.MaxValue);

    /// <summary>Allocates a block from the engine and raises its event.</summary>
    private void* AllocateFromCore(nuint size, out bool isZero)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        isZero = false;
        if (_checked is not null)
        {
            return AllocateChecked(size, NaturalAlignment(size), zeroed: false);
        }

        if (_isSampled)
        {
            return AllocateCounted(Math.Max(size, 1), out isZero);
        }

        return AllocateUncounted(Math.Max(size, 1), out isZero);
    }

    private void* AllocateCounted(nuint size, out bool isZero)
    {
        isZero = false;
        bool passes = Passes(size);
        void* block = TakeFromThread(size);
        if (block == null)
        {
            block = AllocateUncounted(size, out isZero);
        }

        if (!passes)
        {
            TakeSample(block, size);
        }

        // A heap that is collected returns the memory of all blocks that it does not know to be in use.
        GC.KeepAlive(this);
        return block;
    }

    private void* AllocateUncounted(nuint size, out bool isZero)
    {
        _core.RequireAllowed(size);
        nint block = _budget is null ? _core.Allocate(size, out isZero) : AllocateBudgeted(size, out isZero);
        isZero |= _options.ClearOnFree;
        if (block == 0)
        {
            throw HeapThrow.OutOfMemory(size, Name);
        }

        TellAllocation((void*)block, GetBlockSize(size));
        return (void*)block;
    }

    private void* AllocateChecked(nuint size, nuint alignment, bool zeroed)
    {
        size = Math.Max(size, 1);
        _core.RequireAllowed(size);
        void* block = _budget is null ? _checked!.Allocate(size, alignment, zeroed) : AllocateBudgeted(size, alignment, zeroed);
        TellAllocation(block, size);
        if (_isSampled && !Passes(size))
        {
            TakeSample(block, size);
        }

        return block;
    }

    private void FreeChecked(void* block, nuint? size, nuint? alignment)
    {
        nuint usable = FindSizeToSay(block);
        FreeFollowed(block, AtLeastOne(size), alignment);
        _budget?.Return(usable);
        TellFree(block, usable);
    }

    private nint AllocateBudgeted(nuint size, out bool isZero)
    {
        nuint taken = GetBlockSize(size);
        _budget!.Take(taken);
        nint block = 0;
        try
        {
            block = _core.Allocate(size, out isZero);
        }
        finally
        {
            // A heap that another thread disposed meanwhile may have returned the bytes of all blocks before it had these.
            if (block == 0 || _isDisposed)
            {
                _budget.Return(taken);
            }
        }

        return block;
    }

    private void* AllocateBudgeted(nuint size, nuint alignment, bool zeroed)
    {
        _budget!.Take(size);
        try
        {
            return _checked!.Allocate(size, alignment, zeroed);
        }
        catch
        {
            _budget.Return(size);
            throw;
        }
    }

    /// <summary>
    /// The size of a block of a checked heap, if a budget or a listener wants to know; 0 otherwise, and for a block that the checks will
    /// refuse.
    /// </summary>
    private nuint FindSizeToSay(void* block)
    {
        if (_budget is null && !_isTraced)
        {
            return 0;
        }

        try
        {
            return _checked!.GetUsableSize(block);
        }
        catch (InvalidOperationException)
        {
            return 0;
        }
    }

    /// <summary>A size as callers may pass it: 0 counts as 1.</summary>
    private static nuint? AtLeastOne(nuint? size) => size == 0 ? 1 : size;

    /// <summary>Tells listeners of a block, with its usable size: a free by the address alone can tell no other.</summary>
    private void TellAllocation(void* block, nuint usable)
    {
        // The first block of a process creates the event source, and with it the meter. The first heap does not, because it may be created
        // in a static constructor (see there).
        TarnEventSource? log = TarnEventSource.Log;
        if (_isTraced)
        {
            int index = usable > BlockSizes.LargestSlabSize ? NoClass : (int)BlockSizes.IndexOf(usable);
            log?.BufferRented(EventId(block), EventSize(usable), EventHeap, index);
        }
    }

    /// <summary>Tells listeners that a block is gone; of size 0 if nobody listened when its call began.</summary>
    private void TellFree(void* block, nuint usable)
    {
        if (_isTraced && usable > 0)
        {
            TarnEventSource.Log?.BufferReturned(EventId(block), EventSize(usable), EventHeap);
        }
    }

    /// <summary>Throws that a block is not in use; or, because another thread has just disposed the heap, that no block is.</summary>
    [DoesNotReturn]
    private void RefuseBlock(void* block, nuint size)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        HeapThrow.NotOut((nuint)block, size, Name);
    }

    /// <summary>Throws if the address shows that this heap did not allocate the block with this size.</summary>
    private void Require(void* block, nuint size)
    {
        bool isOurs = size > BlockSizes.LargestSlabSize
            ? _core.TryGetLargeSize((nint)block, out nuint blockSize) && blockSize == GetBlockSize(size)
            : _core.FindClass((nint)block) == (int)BlockSizes.IndexOf(size);
        if (!isOurs)
        {
            RefuseBlock(block, size);
        }
    }

    /// <summary>Clears a block that is being freed, up to its block size, because its user could write to all of it.</summary>
    private static void Zero(void* block, nuint size)
    {
        if (size < ZeroByReleasing)
        {
            NativeMemory.Clear(block, GetBlockSize(size));
        }
    }
}
