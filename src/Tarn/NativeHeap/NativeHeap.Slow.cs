using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <content>What the fast paths do not: misses, large buffers, clearing, checks, events.</content>
public sealed unsafe partial class NativeHeap
{
    /// <summary>From here on memory that must be zero is given back to the system instead of being cleared, in bytes.</summary>
    private const nuint ZeroByReleasing = 4 << 20;

    /// <summary>What events say in place of a class for a large buffer: -1, as the BCL's pools do.</summary>
    private const int NoClass = -1;

    private readonly HeapCore _core;

    /// <summary>This thread's section of the heap, or the empty one.</summary>
    private nint* Section
    {
        get
        {
            nint directory = HeapThread.Local.Directory;
            return directory == 0 ? HeapSection.Empty.Words : *(nint**)(directory + _ownSlot);
        }
    }

    /// <summary>The slow partner of the allocations.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void* AllocateSlow(nuint size) => AllocateSlow(size, out _);

    /// <summary>The slow partner of the frees.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void FreeSlow(void* block, nuint size)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (block == null)
        {
            return;
        }

        size = Math.Max(size, 1);
        if (_isAlwaysSlow)
        {
            Require(block, size);
            Zero(block, size);
        }

        if (_isTraced)
        {
            TarnEventSource.Log.BufferReturned(EventId(block), EventSize(size), _core.Index);
        }

        if (size > BlockSizes.LargestSlabSize)
        {
            bool keep = !_options.ZeroOnFree || size < ZeroByReleasing;
            if (!_core.TryGiveLarge(Section, (nint)block, size, keep))
            {
                Throw.NotOut((nuint)block, size, Name);
            }

            return;
        }

        nuint index = BlockSizes.IndexOf(size);
        nint directory = HeapThread.Local.Directory;
        if (directory == 0 || !TryKeep(directory + _ownSlot, block, index * (nuint)sizeof(nint)))
        {
            Require(block, size);
            _core.Give((nint)block, (int)index);
        }
    }

    private static int EventId(void* block) => ((nint)block).GetHashCode();

    private static int EventSize(nuint size) => (int)Math.Min(size, int.MaxValue);

    private void* AllocateSlow(nuint size, out bool isZero)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        size = Math.Max(size, 1);
        nint block;
        if (size > BlockSizes.LargestSlabSize)
        {
            block = _core.TakeLarge(Section, size, out isZero);
        }
        else
        {
            block = _core.Take((int)BlockSizes.IndexOf(size));
            isZero = false;
        }

        isZero |= _options.ZeroOnFree;
        if (block == 0)
        {
            Throw.OutOfNativeMemory(size, Name);
        }

        if (_isTraced)
        {
            int index = size > BlockSizes.LargestSlabSize ? NoClass : (int)BlockSizes.IndexOf(size);
            TarnEventSource.Log.BufferRented(EventId((void*)block), EventSize(size), _core.Index, index);
        }

        return (void*)block;
    }

    /// <summary>Refuses a block that this heap did not hand out with this size, as far as its address tells.</summary>
    private void Require(void* block, nuint size)
    {
        bool isOurs = size > BlockSizes.LargestSlabSize
            ? _core.TryGetLargeSize((nint)block, out nuint blockSize) && blockSize == GetBlockSize(size)
            : _core.FindClass((nint)block) == (int)BlockSizes.IndexOf(size);
        if (!isOurs)
        {
            Throw.NotOut((nuint)block, size, Name);
        }
    }

    /// <summary>Clears a block that is being freed: all of it, as its user had all of it.</summary>
    private void Zero(void* block, nuint size)
    {
        if (_options.ZeroOnFree && size < ZeroByReleasing)
        {
            NativeMemory.Clear(block, GetBlockSize(size));
        }
    }
}
