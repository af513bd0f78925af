using System.Diagnostics;

namespace Tarn.Native;

/// <summary>Freeing a block: judge the call, verify the block, poison it, quarantine it, and return its memory.</summary>
internal sealed unsafe partial class CheckedBlocks
{
    /// <summary>The quarantine's current bound, in bytes.</summary>
    private long KeptLimit => Math.Min(CheckSettings.MostKeptBytes, _options.Budget.Limit);

    /// <summary>Takes a block back.</summary>
    /// <param name="block">A block in use; null is ignored.</param>
    /// <param name="size">The size it was allocated with, in bytes; null skips the check.</param>
    /// <param name="alignment">The alignment it was allocated with, in bytes; null skips the check.</param>
    /// <exception cref="InvalidOperationException">
    /// The pointer is not a block in use, or, with <see cref="BufferChecks.Returns"/>, the size or alignment differs. Nothing has changed.
    /// </exception>
    /// <exception cref="OutOfMemoryException">No managed memory is left for looking up the block. Nothing has changed.</exception>
    internal void Free(void* block, nuint? size, nuint? alignment)
    {
        if (block == null)
        {
            return;
        }

        StackTrace? here = CaptureFree();
        List<BlockFinding> found = [];
        FreeRefusal? refusal;
        using (_calls.Enter(Name))
        {
            refusal = TakeOut((nuint)block, size, alignment, here, out CheckedBlock? leaving);
            if (leaving is not null)
            {
                PutAway(leaving, found);
            }
        }

        Tell(refusal, (nuint)block, here, found);
    }

    private StackTrace? CaptureFree() => _notesEveryCall ? CallStack.TryCapture() : null;

    /// <summary>Takes a block out of use, or refuses and changes nothing. If several threads race for a block, one succeeds.</summary>
    private FreeRefusal? TakeOut(nuint address, nuint? size, nuint? alignment, StackTrace? here, out CheckedBlock? leaving)
    {
        bool isStrict = Verifies(BufferChecks.Returns);
        using (_lock.Hold())
        {
            CheckedBlock? found = _blocks.Find(address);
            FreeRefusal? refusal = FreeRefusal.Judge(found, address, isStrict ? size : null, isStrict ? alignment : null);
            leaving = refusal is null ? found : null;
            if (leaving is not null)
            {
                leaving.State = CheckedBlockState.Leaving;
                leaving.FreedAt = here;
                Count(leaving, -1);
            }

            return refusal;
        }
    }

    /// <summary>Undoes <see cref="TakeOut"/>.</summary>
    private void Reinstate(CheckedBlock leaving)
    {
        using (_lock.Hold())
        {
            leaving.State = CheckedBlockState.InUse;
            leaving.FreedAt = null;
            Count(leaving, 1);
        }
    }

    /// <summary>Verifies a block that was taken out of use, poisons or seals it, and quarantines it if there is room.</summary>
    private void PutAway(CheckedBlock leaving, List<BlockFinding> found)
    {
        if (_looksAtMemory)
        {
            BlockFinding.LookAtRedzones(leaving, found);
            leaving.IsSealed = _maker.TrySeal(leaving);

            // No quarantine keeps larger blocks: they go to the system at once.
            if (!leaving.IsSealed && (long)leaving.Footprint <= CheckSettings.MostKeptBytes)
            {
                Poison.Fill(leaving);
            }
        }

        if (!TryQuarantine(leaving, found))
        {
            using (_lock.Hold())
            {
                _blocks.Bury(leaving);
            }

            _maker.GiveBack(leaving);
        }
    }

    private bool TryQuarantine(CheckedBlock leaving, List<BlockFinding> found)
    {
        long limit = KeptLimit;
        if (!_looksAtMemory || (long)leaving.Footprint > limit)
        {
            return false;
        }

        // As soon as the block is in the quarantine, another thread may take it out.
        _maker.SetQuarantined(leaving, isQuarantined: true);
        bool isKept;
        using (_lock.Hold())
        {
            isKept = _quarantine.TryAdd(leaving, _schedule.Now);
        }

        if (!isKept)
        {
            _maker.SetQuarantined(leaving, isQuarantined: false);
            return false;
        }

        _schedule.Wake();
        GiveUpSurplus(limit, found);
        return true;
    }

    /// <summary>
    /// Gives up the oldest blocks while the quarantine keeps more than <paramref name="limit"/>, and while the cap has no room for slabs
    /// without blocks in use, which are kept whole for their blocks in quarantine. Gives up one at a time, because a free may have no
    /// memory for a list.
    /// </summary>
    /// <returns>The bytes given up.</returns>
    private long GiveUpSurplus(long limit, List<BlockFinding> found)
    {
        long bytes = 0;
        while (TakeSurplus(limit) is { } oldest)
        {
            bytes += GiveUp(oldest, found);
        }

        return bytes;
    }

    private CheckedBlock? TakeSurplus(long limit)
    {
        using (_lock.Hold())
        {
            CheckedBlock? oldest =
                _quarantine.Bytes > limit || _options.Budget.Granted > _options.Budget.Limit ? _quarantine.TakeOldest() : null;
            if (oldest is not null)
            {
                _blocks.Bury(oldest);
            }

            return oldest;
        }
    }

    /// <summary>Verifies a block taken out of the quarantine, already buried, and gives it back. Returns its bytes.</summary>
    private long GiveUp(CheckedBlock block, List<BlockFinding> found)
    {
        BlockFinding.LookAtKept(block, _looksAtPoison, found);
        long bytes = (long)block.Footprint;
        _maker.SetQuarantined(block, isQuarantined: false);
        _maker.GiveBack(block);
        return bytes;
    }

    /// <summary>Reports and throws the findings. Called last, because listeners may use or dispose the heap.</summary>
    private void Tell(FreeRefusal? refusal, nuint address, StackTrace? here, List<BlockFinding> found)
    {
        Report(found);
        if (refusal is not null)
        {
            refusal = refusal.Block is null ? refusal.TraceToOtherHeap(address) : refusal;
            BufferDiagnostics.Report(refusal.ToIncident(Name, address, here));
            throw refusal.ToException(Name, address);
        }
    }

    /// <summary>Reports findings. A finding without memory to describe it is lost, as the caller that frees is not at fault.</summary>
    private void Report(List<BlockFinding> found)
    {
        foreach (BlockFinding finding in found)
        {
            try
            {
                BufferDiagnostics.Report(finding.ToIncident(Name));
            }
            catch (OutOfMemoryException)
            {
            }
        }
    }
}
