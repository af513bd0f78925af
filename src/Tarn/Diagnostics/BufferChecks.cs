namespace Tarn;

/// <summary>
/// What a pool or heap verifies. Everything above <see cref="None"/> is for finding bugs; <see cref="None"/> costs nothing.
/// </summary>
/// <remarks>
/// A checked pool is another implementation behind the same type: it captures stack traces and is slower by orders of magnitude.
/// </remarks>
[Flags]
public enum BufferChecks
{
    /// <summary>Nothing is verified beyond what every pool refuses.</summary>
    None = 0,

    /// <summary>
    /// A buffer returned twice, or not rented here, throws <see cref="InvalidOperationException"/> naming where it was rented and first
    /// returned. Native heaps refuse a wrong size or alignment as well, and report writes outside a block's bounds when it is freed, at a
    /// trim, when the heap is disposed and at exit.
    /// </summary>
    Returns = 1,

    /// <summary>
    /// Writes to a returned buffer are found (it is poisoned, kept aside and looked at before it is reused, at a trim and at exit) and
    /// reported through <see cref="BufferDiagnostics.IncidentFound"/>. A second return throws as with <see cref="Returns"/>.
    /// Native heaps report writes outside a block's bounds as well. Reads are reported nowhere: they see
    /// <see cref="BufferDiagnostics.PoisonByte"/>.
    /// </summary>
    UseAfterReturn = 2,

    /// <summary>
    /// Buffers dropped without a return are reported with the stack that rented them; one in 128 is tracked. A block of a native heap is
    /// dropped when it is in use as its heap is disposed or collected, or as the process ends.
    /// </summary>
    SampledLeaks = 4,

    /// <summary>As <see cref="SampledLeaks"/>, for every buffer.</summary>
    Leaks = 8,

    /// <summary>
    /// Of a native heap's blocks, one in 64 lies right before an OS page that cannot be accessed, and cannot be accessed itself once it
    /// is freed: the very instruction that writes or reads there faults, which ends the process with its stack. For hunting, not for
    /// production; not part of <see cref="All"/>. Array pools ignore it: an array is the garbage collector's memory, which must be
    /// accessible at any time, and no array can be made of other memory.
    /// </summary>
    GuardPages = 16,

    /// <summary>Everything that leaves the process running.</summary>
    All = Returns | UseAfterReturn | Leaks,

    /// <summary>
    /// Reads <c>TARN_CHECKS</c> once, at start: <c>none</c>, <c>sampled</c>, <c>guard</c>, <c>all</c>, or names of this enumeration, in any
    /// case, joined by commas, semicolons or spaces. Without the variable, <see cref="None"/>. A word that is none of these is ignored: a
    /// line on standard error and the event <c>SettingIgnored</c> name it, and the other words hold.
    /// </summary>
    FromEnvironment = 1 << 30,
}
