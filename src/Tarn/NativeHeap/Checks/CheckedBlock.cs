using System.Diagnostics;

namespace Tarn.Native;

/// <summary>One block of a checked heap: its layout, and the stacks that allocated it and freed it first. In managed memory.</summary>
/// <remarks>
/// <code>
/// Base ≤ Start,  Start + Size ≤ End ≤ Base + Footprint
/// Base … Start         redzone; the heap verifies up to Redzone.LargestSize bytes of it, those next to the block
/// Start … Start + Size the caller's
/// Start + Size … End   redzone, as before
/// End … Base + Footprint, of guarded blocks only: an OS page that was never committed
/// </code>
/// Immutable except for the state, the stack and time of the free, and the seal, which change under the heap's lock.
/// </remarks>
internal sealed class CheckedBlock
{
    /// <summary>The first byte of the raw memory.</summary>
    internal required nuint Base { get; init; }

    /// <summary>The raw memory in bytes, inaccessible OS page included.</summary>
    internal required nuint Footprint { get; init; }

    /// <summary>The address that the caller received.</summary>
    internal required nuint Start { get; init; }

    /// <summary>The requested size, in bytes; not 0.</summary>
    internal required nuint Size { get; init; }

    /// <summary>The requested alignment, in bytes.</summary>
    internal required nuint Alignment { get; init; }

    /// <summary>The first byte after the block that is inaccessible or belongs to another owner.</summary>
    internal required nuint End { get; init; }

    /// <summary>Whether the block lies directly before an inaccessible OS page, in a reservation of its own.</summary>
    internal required bool IsGuarded { get; init; }

    /// <summary>The allocation's stack; null if no check needs it.</summary>
    internal required StackTrace? AllocatedAt { get; init; }

    internal required bool ReportsLeak { get; init; }

    internal CheckedBlockState State { get; set; }

    /// <summary>The stack of the first free; null before it, and if no check needs it.</summary>
    internal StackTrace? FreedAt { get; set; }

    /// <summary>Whether the block is inaccessible. Its contents are gone, so there is nothing to verify.</summary>
    internal bool IsSealed { get; set; }

    /// <summary>When the block entered the quarantine.</summary>
    internal TimeSpan KeptSince { get; set; }

    /// <summary>One past the last byte of the raw memory.</summary>
    internal nuint Limit => Base + Footprint;
}
