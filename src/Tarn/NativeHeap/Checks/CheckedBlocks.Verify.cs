namespace Tarn;

/// <summary>The occasions to look at everything: a trim, the clock, the end of the heap and of the process.</summary>
internal sealed unsafe partial class CheckedBlocks
{
    /// <summary>So many blocks are looked at before other threads get the lock.</summary>
    private const int BatchSize = 64;

    /// <summary>
    /// The heap was dropped. Tells of leaks by what the records say; memory is not looked at, since whoever owns it may have been
    /// finalized before.
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
            BufferDiagnostics.RunLater(static heap => heap.FindLeaks().ForEach(BufferDiagnostics.Report), this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process; the report is lost.
        }
    }

    /// <inheritdoc/>
    public bool OnTick(TrimOccasion occasion)
    {
        if (!_calls.TryEnter())
        {
            return false;
        }

        List<BlockFinding> found = [];
        bool staysAwake;
        try
        {
            GiveUpOlder(occasion.Now - _schedule.PatienceAt(occasion), found);
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
        if (!_calls.TryEnter())
        {
            return;
        }

        List<BlockFinding> found = [];
        List<BufferIncident> leaks = [];
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
        leaks.ForEach(BufferDiagnostics.Report);
    }

    /// <summary>Looks at the redzones of all blocks, verifies the quarantine and gives it back.</summary>
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
    /// The heap is disposed: looks at all blocks a last time, reports those in use as leaks if that was asked for, and gives all memory
    /// back. Later calls do nothing.
    /// </summary>
    internal void ReleaseAll()
    {
        if (!_calls.TryEnd())
        {
            return;
        }

        List<BlockFinding> found = [];
        LookAtAll(found, keptToo: true);
        List<BufferIncident> leaks = FindLeaks();
        List<CheckedBlock> held;
        lock (_lock)
        {
            held = [.. _blocks.All.Where(static block => block.State != CheckedBlockState.Gone)];
            _blocks.Clear();
            _quarantine.Clear();
            (_inUseBlocks, _inUseBytes) = (0, 0);
        }

        held.ForEach(_maker.GiveBack);
        Report(found);
        leaks.ForEach(BufferDiagnostics.Report);
    }

    /// <summary>
    /// Takes out of the quarantine, verifies and gives back what came at <paramref name="before"/> or earlier, or is over the limit by now.
    /// </summary>
    private long GiveUpOlder(TimeSpan before, List<BlockFinding> found)
    {
        List<CheckedBlock> idle = [];
        lock (_lock)
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
    /// Looks at every block that is in use, or kept as well. Under the lock, as other threads go on and memory that is given back must not
    /// be read; a few at a time, so that they do go on.
    /// </summary>
    private void LookAtAll(List<BlockFinding> found, bool keptToo)
    {
        if (!_looksAtMemory)
        {
            return;
        }

        CheckedBlock[] all;
        lock (_lock)
        {
            all = [.. _blocks.All];
        }

        foreach (CheckedBlock[] batch in all.Chunk(BatchSize))
        {
            lock (_lock)
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

    private List<BufferIncident> FindLeaks()
    {
        CheckedBlock[] inUse;
        lock (_lock)
        {
            inUse = [.. _blocks.All.Where(static block => block.State == CheckedBlockState.InUse)];
        }

        return BlockLeaks.ToIncidents(inUse, Name);
    }
}
