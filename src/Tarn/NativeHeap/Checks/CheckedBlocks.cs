using System.Diagnostics;

namespace Tarn.Native;

/// <summary>
/// The implementation of a native heap with checks. Every block has a record in managed memory and a redzone on both sides, and enters a
/// quarantine when it is freed.
/// </summary>
/// <remarks>
/// <para>Misuse that is found at once throws <see cref="InvalidOperationException"/> and changes nothing, whatever the pointer: the records
/// decide with certainty whether an address is a block in use. Misuse that is found later is reported as an incident.</para>
/// <para>One lock guards the map, the quarantine and the counters. While holding it, no code formats a stack, reports an incident or
/// requests memory, because handlers of incidents and listeners to events may use the heap. A block that is leaving belongs to the freeing
/// thread until it is in the quarantine or gone.</para>
/// <para>All members are safe to call from any thread. <see cref="ReleaseAll"/> waits for calls in progress. Later calls throw
/// <see cref="ObjectDisposedException"/>.</para>
/// </remarks>
internal sealed unsafe partial class CheckedBlocks : ITrimmable, IExitCheck
{
    private readonly Lock _lock = new();
    private readonly BlockMap _blocks = new();
    private readonly BlockQuarantine _quarantine = new();
    private readonly CheckedBlocksOptions _options;
    private readonly BlockMaker _maker;
    private readonly TrimSchedule _schedule;
    private readonly LeakSampling _leaks;

    /// <summary>Whether to capture every block's stack: any check except sampled leaks needs it.</summary>
    private readonly bool _notesEveryCall;

    /// <summary>Whether there are redzones and a quarantine. Checks that only look for leaks need neither.</summary>
    private readonly bool _looksAtMemory;
    private readonly bool _looksAtPoison;

    private long _inUseBytes;
    private long _inUseBlocks;
    private uint _allocations;
    private RunningCalls _calls;
    private bool _wasFinalized;

    internal CheckedBlocks(CheckedBlocksOptions options)
    {
        _options = options;
        _maker = new BlockMaker(options);
        _schedule = new TrimSchedule(this, options.Clock, options.IdleTimeout);
        _leaks = new LeakSampling(options.Checks);
        _notesEveryCall = (options.Checks & ~BufferChecks.SampledLeaks) != 0;
        _looksAtMemory = Verifies(BufferChecks.Returns | BufferChecks.UseAfterReturn | BufferChecks.GuardPages);
        _looksAtPoison = Verifies(BufferChecks.UseAfterReturn);
        CheckedHeaps.Add(this);
        ProcessEnd.Add(this);
    }

    internal string Name => _options.Name;

    /// <summary>Bytes of the blocks in use, each counted with the block size an unchecked heap would give it.</summary>
    internal long InUseBytes => Read(ref _inUseBytes);

    internal long InUseBlocks => Read(ref _inUseBlocks);

    /// <summary>The quarantine's raw memory, in bytes. Sealed blocks count although they take none.</summary>
    internal long RetainedBytes
    {
        get
        {
            using (_lock.Hold())
            {
                return _quarantine.Bytes;
            }
        }
    }

    /// <summary>Hands out a block.</summary>
    /// <param name="size">Bytes, not 0.</param>
    /// <param name="alignment">
    /// The alignment of the address, in bytes: a power of two up to <see cref="BlockSizes.LargestAlignment"/>.
    /// </param>
    /// <param name="zeroed">Whether its contents are zero, or undefined.</param>
    /// <returns>The block; the caller owns it until it frees it.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory, or the block is too large to exist. Nothing has changed.</exception>
    internal void* Allocate(nuint size, nuint alignment, bool zeroed)
    {
        using (_calls.Enter(Name))
        {
            return (void*)AddNew(size, alignment, zeroed).Start;
        }
    }

    /// <summary>
    /// Moves a block's contents to a block of another size. The address always changes, so that stale pointers are found.
    /// </summary>
    /// <param name="block">A block in use; null allocates.</param>
    /// <param name="oldSize">The size it was allocated with, in bytes; null skips the check.</param>
    /// <param name="oldAlignment">The alignment it was requested with; null skips the check.</param>
    /// <param name="newSize">Bytes, not 0; contents beyond the old size are undefined.</param>
    /// <param name="alignment">The alignment of the new block, in bytes.</param>
    /// <returns>The new block; the old one has been freed.</returns>
    /// <exception cref="InvalidOperationException">The pointer is not a block in use, or the size differs. Nothing has changed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory. The old block is unchanged.</exception>
    internal void* Reallocate(void* block, nuint? oldSize, nuint? oldAlignment, nuint newSize, nuint alignment)
    {
        if (block == null)
        {
            return Allocate(newSize, alignment, zeroed: false);
        }

        StackTrace? here = CaptureFree();
        List<BlockFinding> found = [];
        FreeRefusal? refusal;
        nuint moved = 0;
        using (_calls.Enter(Name))
        {
            refusal = TakeOut((nuint)block, oldSize, oldAlignment, here, out CheckedBlock? leaving);
            if (leaving is not null)
            {
                moved = Move(leaving, newSize, alignment, found);
            }
        }

        Tell(refusal, (nuint)block, here, found);
        return (void*)moved;
    }

    /// <summary>The requested size of a block, in bytes. The bytes after it do not belong to the caller, whatever the size class.</summary>
    /// <exception cref="InvalidOperationException">The pointer is not a block in use.</exception>
    internal nuint GetUsableSize(void* block)
    {
        FreeRefusal? refusal;
        CheckedBlock? found;
        using (_calls.Enter(Name))
        {
            using (_lock.Hold())
            {
                found = _blocks.Find((nuint)block);
                refusal = FreeRefusal.Judge(found, (nuint)block, size: null, alignment: null);
            }
        }

        return refusal is null ? found!.Size : throw refusal.ToException(Name, (nuint)block);
    }

    /// <summary>The blocks in use, with the sizes that they were allocated with.</summary>
    internal List<(nint Block, nuint Usable)> ListInUse()
    {
        using (_lock.Hold())
        {
            return
            [
                .. _blocks.All.Where(static block => block.State == CheckedBlockState.InUse)
                    .Select(static block => ((nint)block.Start, block.Size)),
            ];
        }
    }

    /// <summary>The blocks in use of each size class, by its index. Visits every record.</summary>
    internal long[] CountInUseByClass()
    {
        using (_lock.Hold())
        {
            return _blocks.CountInUseByClass();
        }
    }

    /// <summary>
    /// Finds the block whose memory contains <paramref name="address"/>, if this heap has it and has not returned its memory.
    /// </summary>
    internal CheckedBlock? Find(nuint address)
    {
        using (_lock.Hold())
        {
            return _blocks.Find(address) is { State: not CheckedBlockState.Gone } block ? block : null;
        }
    }

    /// <summary>Verifies the invariants; for tests, while no other thread uses the heap.</summary>
    /// <exception cref="InvalidOperationException">An invariant is broken.</exception>
    internal void Validate()
    {
        using (_lock.Hold())
        {
            _blocks.Validate();
            CheckedBlock[] inUse = [.. _blocks.All.Where(static block => block.State == CheckedBlockState.InUse)];
            CheckedBlock[] kept = [.. _blocks.All.Where(static block => block.State == CheckedBlockState.Kept)];
            Throw.UnlessHolds(
                inUse.Length == _inUseBlocks && inUse.Sum(BlockSizeOf) == _inUseBytes, "the counters of blocks in use fit the records");
            Throw.UnlessHolds(
                kept.ToHashSet().SetEquals(_quarantine.Kept) && kept.Sum(static block => (long)block.Footprint) == _quarantine.Bytes,
                "the quarantine fits the records");
            Throw.UnlessHolds(_quarantine.Bytes <= CheckSettings.MostKeptBytes, "the quarantine keeps no more than its bound");
        }
    }

    private nuint Move(CheckedBlock leaving, nuint newSize, nuint alignment, List<BlockFinding> found)
    {
        CheckedBlock moved;
        try
        {
            moved = AddNew(newSize, alignment, zeroed: false);
        }
        catch
        {
            Reinstate(leaving);
            throw;
        }

        BufferCopy.Copy((void*)leaving.Start, (void*)moved.Start, Math.Min(leaving.Size, newSize));
        PutAway(leaving, found);
        return moved.Start;
    }

    private CheckedBlock AddNew(nuint size, nuint alignment, bool zeroed)
    {
        uint number = Interlocked.Increment(ref _allocations);
        bool reportsLeak = _leaks.PicksNext();
        StackTrace? here = _notesEveryCall || reportsLeak ? CallStack.Capture() : null;
        bool guarded = Verifies(BufferChecks.GuardPages) && number % _options.GuardInterval == 0;
        CheckedBlock block = _maker.Make(size, alignment, zeroed, guarded, here, reportsLeak);
        try
        {
            if (_looksAtMemory)
            {
                Redzone.Fill(block);
            }

            using (_lock.Hold())
            {
                _blocks.Add(block);
                Count(block, 1);
            }
        }
        catch
        {
            _maker.GiveBack(block);
            throw;
        }

        return block;
    }

    private static long BlockSizeOf(CheckedBlock block) => (long)BlockSizes.RoundUp(block.Size);

    private bool Verifies(BufferChecks any) => (_options.Checks & any) != 0;

    private void Count(CheckedBlock block, int direction)
    {
        _inUseBlocks += direction;
        _inUseBytes += direction * BlockSizeOf(block);
    }

    private long Read(ref long counter)
    {
        using (_lock.Hold())
        {
            return counter;
        }
    }
}
