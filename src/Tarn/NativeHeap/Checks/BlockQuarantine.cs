namespace Tarn;

/// <summary>Where a checked heap keeps what was freed, so that its memory is not soon someone else's: first in, first out.</summary>
/// <remarks>
/// <para>Invariants: <see cref="Bytes"/> is the sum of the footprints of the blocks in it, each of which is
/// <see cref="CheckedBlockState.Kept"/>. Inaccessible OS pages and sealed blocks, which take address space but no memory, are counted
/// too: they are bounded all the same.</para>
/// <para>Not synchronized: its owner's lock is held around every call.</para>
/// </remarks>
internal sealed class BlockQuarantine
{
    private readonly Queue<CheckedBlock> _kept = new();

    internal long Bytes { get; private set; }

    internal IReadOnlyCollection<CheckedBlock> Kept => _kept;

    internal void Add(CheckedBlock block, TimeSpan now)
    {
        block.State = CheckedBlockState.Kept;
        block.KeptSince = now;
        _kept.Enqueue(block);
        Bytes += (long)block.Footprint;
    }

    /// <summary>Takes the oldest out until no more than <paramref name="limit"/> bytes are left.</summary>
    internal void TakeSurplus(long limit, List<CheckedBlock> taken)
    {
        while (Bytes > limit)
        {
            TakeOldest(taken);
        }
    }

    /// <summary>Takes out what came at <paramref name="before"/> or earlier.</summary>
    internal void TakeOlder(TimeSpan before, List<CheckedBlock> taken)
    {
        while (_kept.TryPeek(out CheckedBlock? oldest) && oldest.KeptSince <= before)
        {
            TakeOldest(taken);
        }
    }

    internal void Clear()
    {
        _kept.Clear();
        Bytes = 0;
    }

    /// <summary>Takes the oldest out, if there is any.</summary>
    internal void TakeOldest(List<CheckedBlock> taken)
    {
        if (_kept.TryDequeue(out CheckedBlock? oldest))
        {
            Bytes -= (long)oldest.Footprint;
            taken.Add(oldest);
        }
    }
}
