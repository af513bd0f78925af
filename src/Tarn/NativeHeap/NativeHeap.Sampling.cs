using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <content>
/// Allocations and frees while sampling is on. Nothing in or beside a block marks it, so every free looks its address up.
/// </content>
public sealed unsafe partial class NativeHeap
{
    private const string Kind = "native heap";

    /// <summary>
    /// The offset of the heap's section in a thread's directory while sampling closes the slot for allocations; otherwise
    /// <see cref="HeapThreads.None"/>.
    /// </summary>
    private nint _countedSlot;

    private volatile bool _isSampled;

    /// <summary>The blocks being followed; null before the heap is first sampled.</summary>
    private volatile FollowedBlocks? _followed;

    /// <inheritdoc/>
    void IBufferSource.OnSamplingChanged(bool isSampled)
    {
        if (isSampled)
        {
            // Every free must look before the first allocation is sampled.
            _followed = new FollowedBlocks();
            SetSlots(isSampled);
            _isSampled = true;
        }
        else
        {
            _isSampled = false;
            SetSlots(isSampled);
            _followed = null;
        }
    }

    /// <summary>The hit while sampling is on: takes a counted block from the thread's magazine; null if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void* TakeFromThread(nuint size)
    {
        if (size > BlockSizes.LargestSlabSize)
        {
            return null;
        }

        nint* section = SectionOf(HeapThreads.Local.Directory + _countedSlot);
        return (void*)BlockMagazine.TryPop((nint*)Volatile.Read(ref section[BlockSizes.EntryOf(size)]));
    }

    /// <summary>Counts an allocation. Returns false if it must be sampled, once its block is there.</summary>
    private static bool Passes(nuint size) => SampleCountdown.Passes((long)Math.Min(GetBlockSize(size), long.MaxValue >> 1));

    /// <summary>Samples the allocation of a block, and follows the block to its free.</summary>
    private void TakeSample(void* block, nuint size)
    {
        if (BufferSampling.Take(Name, Kind, EventHeap, (long)GetBlockSize(size), (long)size) is not { } sample)
        {
            return;
        }

        Follow(block, sample);
    }

    /// <summary>Follows a block, or ends its sample if there is no memory to follow it, or sampling has ended.</summary>
    private void Follow(void* block, Sample sample)
    {
        try
        {
            if (_followed is { } followed)
            {
                followed.Add((nint)block, sample);
                return;
            }
        }
        catch (OutOfMemoryException)
        {
        }

        sample.End(SampleEnd.NotFollowed);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool MayBeFollowed(void* block) => _followed is { } followed && followed.MayContain((nint)block);

    /// <summary>Stops following a block that is about to be freed, because its address may be handed out again at once.</summary>
    /// <returns>Its sample, which has not ended; null for almost every block.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Sample? TakeFollowed(void* block) =>
        _followed is { } followed && followed.MayContain((nint)block) ? followed.Take((nint)block) : null;

    /// <summary>Frees a block of a checked heap. Its sample ends if the checks do not refuse the call.</summary>
    private void FreeFollowed(void* block, nuint? size, nuint? alignment)
    {
        Sample? leaving = TakeFollowed(block);
        try
        {
            _checked!.Free(block, size, alignment);
        }
        catch when (leaving is not null)
        {
            Follow(block, leaving);
            throw;
        }

        leaving?.End(SampleEnd.Returned);
    }

    /// <summary>Counts a resized block as a free and an allocation, and tells it so.</summary>
    /// <param name="leaving">The sample of the block; null for almost every block.</param>
    /// <param name="block">Where it was.</param>
    /// <param name="before">The usable size that it had; 0 if nobody listens.</param>
    /// <param name="resized">Where it is.</param>
    /// <param name="usable">The usable size that it has.</param>
    /// <param name="size">The size that was asked for.</param>
    private void CountResized(Sample? leaving, void* block, nuint before, void* resized, nuint usable, nuint size)
    {
        leaving?.End(SampleEnd.Returned);
        TellFree(block, before);
        TellAllocation(resized, usable);
        if (_isSampled && !Passes(size))
        {
            TakeSample(resized, size);
        }
    }

    /// <summary>Ends the samples of the blocks that the disposal of the heap freed.</summary>
    private void EndSamples()
    {
        try
        {
            _followed?.TakeAll().ForEach(static sample => sample.End(SampleEnd.Disposed));
        }
        catch (OutOfMemoryException)
        {
            // A disposal must not fail because of its samples, which stay in use.
        }
    }
}
