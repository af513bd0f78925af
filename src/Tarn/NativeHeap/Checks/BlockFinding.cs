using System.Diagnostics;

namespace Tarn.Native;

/// <summary>A misuse found in a block's memory. It is noted under a lock and described after the lock is released.</summary>
internal readonly record struct BlockFinding(BufferIncidentKind Kind, CheckedBlock Block, StackTrace? FreedAt, string Damage)
{
    /// <summary>Verifies both redzones, and repairs overwritten bytes so that each overrun is reported once.</summary>
    internal static void LookAtRedzones(CheckedBlock block, List<BlockFinding> found)
    {
        try
        {
            if (Redzone.DescribeDamage(block) is { } damage)
            {
                Redzone.Fill(block);
                found.Add(new BlockFinding(BufferIncidentKind.Overrun, block, block.FreedAt, damage));
            }
        }
        catch (OutOfMemoryException)
        {
            // No memory to record the finding: the caller that frees a block is not at fault.
        }
    }

    /// <summary>Verifies the poison of a freed block, and repairs overwritten bytes so that each write is reported once.</summary>
    internal static void LookAtPoison(CheckedBlock block, List<BlockFinding> found)
    {
        try
        {
            if (Poison.DescribeDamage(block) is { } damage)
            {
                Poison.Fill(block);
                found.Add(new BlockFinding(BufferIncidentKind.UseAfterReturn, block, block.FreedAt, damage));
            }
        }
        catch (OutOfMemoryException)
        {
            // As above.
        }
    }

    /// <summary>Verifies a quarantined block if its memory is accessible.</summary>
    internal static void LookAtKept(CheckedBlock block, bool looksAtPoison, List<BlockFinding> found)
    {
        if (block.IsSealed)
        {
            return;
        }

        LookAtRedzones(block, found);
        if (looksAtPoison)
        {
            LookAtPoison(block, found);
        }
    }

    internal BufferIncident ToIncident(string heap)
    {
        string what = Kind == BufferIncidentKind.Overrun ? "was written to outside its bounds" : "was written to after it was freed";
        string detail = $"{BlockWords.Name(Block)} {what}: {Damage}.";
        return BufferIncident.Of(Kind, heap, (long)Block.Size, Block.AllocatedAt, FreedAt, detail);
    }
}
