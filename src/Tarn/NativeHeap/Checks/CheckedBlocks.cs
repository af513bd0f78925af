using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// What a native heap with checks is behind its surface: every block has a record in managed memory, a redzone on both sides, and a
/// quarantine to go to when it is freed.
/// </summary>
/// <remarks>
/// <para>What is found at once throws <see cref="InvalidOperationException"/>, whatever kind of pointer it was, and changes nothing:
/// the records tell without doubt whether an address is a block in use. What is found later is reported as an incident.</para>
/// <para>One lock guards the map, the quarantine and the counters. Under it no stack is put into words, nothing is reported,
/// and no memory asked for: handlers of incidents and listeners to events may use the heap. A block that is leaving belongs to the thread
/// that frees it until it is in the quarantine or gone.</para>
/// <para>All members are safe to call from any thread. <see cref="ReleaseAll"/> waits until calls that run have ended, and later ones
/// throw <see cref="ObjectDisposedException"/>.</para>
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

    /// <summary>Any check but sampled leaks needs the stacks of all blocks.</summary>
    private readonly bool _notesEveryCall;

    /// <summary>Redzones and quarantine; checks that only look for leaks do without.</summary>
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

    /// <summary>What the quarantine keeps, in bytes of raw memory; sealed blocks count although they take none.</summary>
    internal long RetainedBytes
    {
        get
        {
            lock (_lock)
            {
                return _quarantine.Bytes;
            }
        }
    }

    /// <summary>Hands out a block.</summary>
    /// <param name="size">Bytes; may be 0: such a block may be freed, not read or written.</param>
    /// <param name="alignment">What the address is a multiple of, in bytes: a power of two up to
    /// <see cref="BlockSizes.LargestAlignment"/>.</param>
    /// <param name="zeroed">Whether its contents are zero, or undefined.</param>
    /// <returns>The block; the caller owns it until it frees it.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory, or there can be no such block; nothing has changed.</exception>
    internal void* Allocate(nuint size, nuint alignment, bool zeroed)
    {
        using (_calls.Enter(Name))
        {
            return (void*)AddNew(size, alignment, zeroed).Start;
        }
    }

    /// <summary>Moves a block's contents to a block of another size; always to another address, so that stale pointers are found.</summary>
    /// <param name="block">A block in use; null allocates.</param>
    /// <param name="oldSize">The size it was allocated with, in bytes; null to verify none.</param>
    /// <param name="oldAlignment">The alignment it was asked for; null does not compare.</param>
    /// <param name="newSize">Bytes; what is beyond the old size is undefined.</param>
    /// <param name="alignment">The alignment of the new block, in bytes.</param>
    /// <returns>The new block; the old one has been freed.</returns>
    /// <exception cref="InvalidOperationException">It is not a block in use, or not of that size; nothing has changed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory; the old block is as it was.</exception>
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

    /// <summary>The size a block was asked for, in bytes: what lies behind it is not the caller's, whatever the size class.</summary>
    /// <exception cref="InvalidOperationException">It is not a block in use.</exception>
    internal nuint GetUsableSize(void* block)
    {
        FreeRefusal? refusal;
        CheckedBlock? found;
        using (_calls.Enter(Name))
        {
            lock (_lock)
            {
                found = _blocks.Find((nuint)block);
                refusal = FreeRefusal.Judge(found, (nuint)block, size: null, alignment: null);
            }
        }

        return refusal is null ? found!.Size : throw refusal.ToException(Name, (nuint)block);
    }

    /// <summary>The blocks in use of each size class, by its index; looks at every record.</summary>
    internal long[] CountInUseByClass()
    {
        lock (_lock)
        {
            return _blocks.CountInUseByClass();
        }
    }

    /// <summary>The block whose memory <paramref name="address"/> lies in, if it is here and was not given back.</summary>
    internal CheckedBlock? Find(nuint address)
    {
        lock (_lock)
        {
            return _blocks.Find(address) is { State: not CheckedBlockState.Gone } block ? block : null;
        }
    }

    /// <summary>Throws where the invariants do not hold; for tests, while no other thread uses the heap.</summary>
    /// <exception cref="InvalidOperationException">An invariant is broken.</exception>
    internal void Validate()
    {
        lock (_lock)
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

        NativeMemory.Copy((void*)leaving.Start, (void*)moved.Start, Math.Min(leaving.Size, newSize));
        PutAside(leaving, found);
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

            lock (_lock)
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
        lock (_lock)
        {
            return counter;
        }
    }
}
