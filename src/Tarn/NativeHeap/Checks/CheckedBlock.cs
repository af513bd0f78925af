using System.Diagnostics;

namespace Tarn;

/// <summary>One block of a checked heap: its layout, and the stacks that allocated it and freed it first. In managed memory.</summary>
/// <remarks>
/// <code>
/// Base ≤ Start,  Start + Size ≤ End ≤ Base + Footprint
/// Base … Start         redzone; the heap verifies up to Redzone.LargestSize bytes of it, those next to the block
/// Start … Start + Size the caller's
/// Start + Size … End   redzone, as before
/// End … Base + Footprint, of guarded blocks only: an OS page that was never committed
/// </code>
/// Everything but the state, the free's stack and time, and the seal is as it was made; those change under the heap's lock.
/// </remarks>
internal sealed class CheckedBlock
{
    /// <summary>The first byte of the raw memory.</summary>
    internal required nuint Base { get; init; }

    /// <summary>The raw memory in bytes, inaccessible OS page included.</summary>
    internal required nuint Footprint { get; init; }

    /// <summary>What the caller received.</summary>
    internal required nuint Start { get; init; }

    /// <summary>What the caller asked for, in bytes; may be 0.</summary>
    internal required nuint Size { get; init; }

    /// <summary>What the caller asked for, in bytes.</summary>
    internal required nuint Alignment { get; init; }

    /// <summary>The first byte behind the block that is not accessible, or not ours.</summary>
    internal required nuint End { get; init; }

    /// <summary>Lies right before an inaccessible OS page, in a reservation of its own.</summary>
    internal required bool IsGuarded { get; init; }

    /// <summary>Null where nobody asked for it.</summary>
    internal required StackTrace? AllocatedAt { get; init; }

    internal required bool ReportsLeak { get; init; }

    internal CheckedBlockState State { get; set; }

    /// <summary>Null until it is freed, and where nobody asked for it.</summary>
    internal StackTrace? FreedAt { get; set; }

    /// <summary>No access at all any more: the contents are gone, and there is nothing to verify.</summary>
    internal bool IsSealed { get; set; }

    /// <summary>When it came into the quarantine.</summary>
    internal TimeSpan KeptSince { get; set; }

    /// <summary>One past the last byte of the raw memory.</summary>
    internal nuint Limit => Base + Footprint;
}
