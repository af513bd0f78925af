namespace Tarn.Native;

/// <summary>Verification of all blocks: on a trim, by the clock, and when the heap or the process ends.</summary>
internal sealed unsafe partial class CheckedBlocks
{
    /// <summary>The number of blocks verified before other threads get the lock.</summary>
    private const int BatchSize = 64;

    /// <summary>
    /// Reports leaks of a heap that was dropped, from the records alone. It does not read the blocks' memory, because the memory's owner
    /// may have been finalized already.
    /// </summary>
    ~CheckedBlocks()
    {
        if (_inUseBlocks == 0 || Environment.HasShutdownStarted)
        {
            return;
        }

        if (Finalization.TryPutOff(this, ref _wasFinalized))
        {
            return;
        }

        try
        {
            BufferDiagnostics.RunLater(static heap => Report(heap.FindLeaks()), this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here would end the process, so the report is lost.
        }
    }

    /// <inheritdoc/>
    public long KeptBytes => RetainedBytes;

    /// <inheritdoc/>
    public long KeptGarbage => 0;

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion) => TickFor(occasion.Now - _schedule.PatienceAt(occasion));

    /// <inheritdoc/>
    /// <remarks>Does nothing: blocks that are kept to find mistakes are few, and the heap's cap counts them.</remarks>
    public void GiveWay(long bytes, bool onlyUnneeded)
    {
    }

    /// <inheritdoc/>
    public void GiveUpAll()
    {
        try
        {
            TickFor(TimeSpan.MaxValue);
        }
        catch (OutOfMemoryException)
        {
            // The caller tries again after a collection.
        }
    }

    private bool TickFor(TimeSpan before)
    {
        // Before the call is counted: a list that is refused memory must not leave it counted, because the heap's end waits for it.
        List<BlockFinding> found = [];
        if (!_calls.TryEnter())
        {
            return false;
        }

        bool staysAwake;
        try
        {
            GiveUpOlder(before, found);
            staysAwake = _schedule.StayAwakeIf(() => RetainedBytes > 0);
        }
        finally
        {
            _calls.Leave();
        }

        Report(found);
        return staysAwake;
    }

    /// <inheritdoc/>
    public void Look(bool isExit)
    {
        List<BlockFinding> found = [];
        List<BufferIncident> leaks = [];
        if (!_calls.TryEnter())
        {
            return;
        }

        try
        {
            LookAtAll(found, keptToo: true);
            if (isExit)
            {
                leaks = FindLeaks();
            }
        }
        finally
        {
            _calls.Leave();
        }

        Report(found);
        Report(leaks);
    }

    /// <summary>Verifies the redzones of all blocks, then verifies the quarantine and returns its memory.</summary>
    /// <returns>The bytes given back.</returns>
    internal long Trim()
    {
        List<BlockFinding> found = [];
        long bytes;
        using (_calls.Enter(Name))
        {
            LookAtAll(found, keptToo: false);
            bytes = GiveUpOlder(TimeSpan.MaxValue, found);
        }

        Report(found);
        return bytes;
    }

    /// <summary>
    /// Ends the heap: verifies all blocks a last time, reports those in use as leaks if the checks ask for it, and returns all memory.
    /// Later calls find nothing more. One thread at a time.
    /// </summary>
    /// <exception cref="OutOfMemoryException">
    /// No managed memory is left. No call enters the heap any more, and nothing else has changed: call again.
    /// </exception>
    internal void ReleaseAll()
    {
        _calls.End();
        List<BlockFinding> found = [];
        List<BufferIncident> leaks = FindLeaks();
        List<CheckedBlock> held;
        using (_lock.Hold())
        {
            held = [.. _blocks.All.Where(static block => block.State != CheckedBlockState.Gone)];
        }

        LookAtAll(found, keptToo: true);
        using (_lock.Hold())
        {
            _blocks.Clear();
            _quarantine.Clear();
            (_inUseBlocks, _inUseBytes) = (0, 0);
        }

        held.ForEach(_maker.GiveBack);
        Report(found);
        Report(leaks);
    }

    /// <summary>
    /// Takes out of the quarantine the blocks that entered at <paramref name="before"/> or earlier, or that exceed the current limit;
    /// verifies them and returns their memory.
    /// </summary>
    private long GiveUpOlder(TimeSpan before, List<BlockFinding> found)
    {
        List<CheckedBlock> idle = [];
        using (_lock.Hold())
        {
            _quarantine.TakeOlder(before, idle);
            foreach (CheckedBlock block in idle)
            {
                _blocks.Bury(block);
            }
        }

        long bytes = 0;
        foreach (CheckedBlock block in idle)
        {
            bytes += GiveUp(block, found);
        }

        return bytes + GiveUpSurplus(KeptLimit, found);
    }

    /// <summary>
    /// Verifies every block in use, and on request every quarantined one. It holds the lock, because memory that another thread returns
    /// must not be read. It takes a few blocks at a time, so that other threads make progress.
    /// </summary>
    private void LookAtAll(List<BlockFinding> found, bool keptToo)
    {
        if (!_looksAtMemory)
        {
            return;
        }

        CheckedBlock[] all;
        using (_lock.Hold())
        {
            all = [.. _blocks.All];
        }

        foreach (CheckedBlock[] batch in all.Chunk(BatchSize))
        {
            using (_lock.Hold())
            {
                foreach (CheckedBlock block in batch)
                {
                    if (block.State == CheckedBlockState.InUse)
                    {
                        BlockFinding.LookAtRedzones(block, found);
                    }
                    else if (keptToo && block.State == CheckedBlockState.Kept)
                    {
                        BlockFinding.LookAtKept(block, _looksAtPoison, found);
                    }
                }
            }
        }
    }

    /// <summary>Reports leaks. One that there is no memory to report is lost.</summary>
    private static void Report(List<BufferIncident> leaks)
    {
        foreach (BufferIncident leak in leaks)
        {
            try
            {
                BufferDiagnostics.Report(leak);
            }
            catch (OutOfMemoryException)
            {
            }
        }
    }

    private List<BufferIncident> FindLeaks()
    {
        CheckedBlock[] inUse;
        using (_lock.Hold())
        {
            inUse = [.. _blocks.All.Where(static block => block.State == CheckedBlockState.InUse)];
        }

        return BlockLeaks.ToIncidents(inUse, Name);
    }
}
