namespace Tarn;

/// <summary>
/// The checks that a pool or heap makes. All values except <see cref="None"/> are for finding bugs; <see cref="None"/> costs nothing.
/// </summary>
/// <remarks>
/// A checked pool is a separate implementation behind the same type. It captures stack traces and is slower by orders of magnitude.
/// </remarks>
[Flags]
public enum BufferChecks
{
    /// <summary>No checks beyond those that every pool makes.</summary>
    None = 0,

    /// <summary>
    /// Returning a buffer twice, or a buffer that was not rented here, throws an <see cref="InvalidOperationException"/> that names where
    /// the buffer was rented and first returned. Native heaps also refuse a wrong size or alignment, and report writes outside a block's
    /// bounds when the block is freed, at a trim, when the heap is disposed, and at exit.
    /// </summary>
    Returns = 1,

    /// <summary>
    /// Writes to a returned buffer are found and reported through <see cref="BufferDiagnostics.IncidentFound"/>: the pool poisons the
    /// buffer, quarantines it, and verifies it before reuse, at a trim and at exit. A second return throws as with <see cref="Returns"/>.
    /// Native heaps also report writes outside a block's bounds. Late reads are not reported: they see
    /// <see cref="BufferDiagnostics.PoisonByte"/>.
    /// </summary>
    UseAfterReturn = 2,

    /// <summary>
    /// Buffers dropped without a return are reported with the stack that rented them; one buffer in 128 is tracked. A block of a native
    /// heap is dropped if it is in use when its heap is disposed or collected, or when the process ends.
    /// </summary>
    SampledLeaks = 4,

    /// <summary>As <see cref="SampledLeaks"/>, for every buffer.</summary>
    Leaks = 8,

    /// <summary>
    /// One in 64 blocks of a native heap ends at an inaccessible OS page, and becomes inaccessible itself when it is freed. An instruction
    /// that reads or writes there faults, which ends the process with its stack. Use it to hunt a bug, not in production; it is not part of
    /// <see cref="All"/>. Array pools ignore it, because the garbage collector must be able to access its arrays at any time, and no array
    /// can be made of other memory.
    /// </summary>
    GuardPages = 16,

    /// <summary>All checks that leave the process running.</summary>
    All = Returns | UseAfterReturn | Leaks,

    /// <summary>
    /// Reads <c>TARN_CHECKS</c> once, at start: <c>none</c>, <c>sampled</c>, <c>guard</c>, <c>all</c>, or names of this enumeration, in any
    /// case, joined by commas, semicolons or spaces. If the variable is not set, the value is <see cref="None"/>. An unknown word is
    /// ignored: a line on standard error and the event <c>SettingIgnored</c> name it, and the other words take effect.
    /// </summary>
    FromEnvironment = 1 << 30,
}
