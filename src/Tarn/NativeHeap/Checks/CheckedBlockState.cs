namespace Tarn;

/// <summary>Where a block of a checked heap is in its life; changes under the heap's lock only.</summary>
internal enum CheckedBlockState
{
    /// <summary>Handed out.</summary>
    InUse,

    /// <summary>Freed; the thread that freed it is at work on its memory.</summary>
    Leaving,

    /// <summary>In the quarantine.</summary>
    Kept,

    /// <summary>The memory went back to where it came from; the record stays for a while, to report late frees.</summary>
    Gone,
}
