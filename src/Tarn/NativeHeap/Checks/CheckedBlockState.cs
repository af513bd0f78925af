namespace Tarn.Native;

/// <summary>The state of a block of a checked heap. Changes only under the heap's lock.</summary>
internal enum CheckedBlockState
{
    /// <summary>Handed out.</summary>
    InUse,

    /// <summary>Freed, while the freeing thread still works on its memory.</summary>
    Leaving,

    /// <summary>In the quarantine.</summary>
    Kept,

    /// <summary>The memory went back to its source. The record stays for a while to report late frees.</summary>
    Gone,
}
