namespace Tarn.Native;

/// <summary>Keeps the freed blocks of a checked heap, first in, first out, so that their memory is not reused soon.</summary>
/// <remarks>
/// <para>Invariants: <see cref="Bytes"/> is the sum of the footprints of the blocks in it, each of which is
/// <see cref="CheckedBlockState.Kept"/>. Inaccessible OS pages and sealed blocks count too: they take no memory, but their address space is
/// bounded as well.</para>
/// <para>Not synchronized: callers hold the owner's lock.</para>
/// </remarks>
internal sealed class BlockQuarantine
{
    private readonly Queue<CheckedBlock> _kept = new();

    internal long Bytes { get; private set; }

    internal IReadOnlyCollection<CheckedBlock> Kept => _kept;

    /// <summary>Keeps a block; false when there is no memory to list it, and nothing has changed.</summary>
    internal bool TryAdd(CheckedBlock block, TimeSpan now)
    {
        try
        {
            _kept.Enqueue(block);
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        block.State = CheckedBlockState.Kept;
        block.KeptSince = now;
        Bytes += (long)block.Footprint;
        return true;
    }

    /// <summary>Takes out the blocks freed at <paramref name="before"/> or earlier. Blocks that there is no memory to list stay.</summary>
    internal void TakeOlder(TimeSpan before, List<CheckedBlock> taken)
    {
        while (_kept.TryPeek(out CheckedBlock? oldest) && oldest.KeptSince <= before && ListRoom.TryAdd(taken, oldest))
        {
            TakeOldest();
        }
    }

    internal void Clear()
    {
        _kept.Clear();
        Bytes = 0;
    }

    /// <summary>Takes the oldest out; null when there is none.</summary>
    internal CheckedBlock? TakeOldest()
    {
        if (_kept.TryDequeue(out CheckedBlock? oldest))
        {
            Bytes -= (long)oldest.Footprint;
        }

        return oldest;
    }
}
