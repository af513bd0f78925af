namespace Tarn;

/// <summary>What a pool or heap verifies. Everything above <see cref="None"/> is for finding bugs; <see cref="None"/> costs nothing.</summary>
/// <remarks>A checked pool is another implementation behind the same type: it captures stack traces and is slower by orders of magnitude.</remarks>
[Flags]
public enum BufferChecks
{
    /// <summary>Nothing is verified beyond what every pool refuses.</summary>
    None = 0,

    /// <summary>
    /// A buffer returned twice, or not rented here, throws <see cref="InvalidOperationException"/> naming where it was rented and first
    /// returned.
    /// </summary>
    Returns = 1,

    /// <summary>
    /// Writes to a returned buffer are found (it is poisoned, kept aside and looked at before it is reused, at a trim and at exit) and
    /// reported through <see cref="BufferDiagnostics.IncidentFound"/>. A second return throws as with <see cref="Returns"/>.
    /// </summary>
    UseAfterReturn = 2,

    /// <summary>Buffers dropped without a return are reported with the stack that rented them; one in 128 is tracked.</summary>
    SampledLeaks = 4,

    /// <summary>As <see cref="SampledLeaks"/>, for every buffer.</summary>
    Leaks = 8,

    /// <summary>Everything.</summary>
    All = Returns | UseAfterReturn | Leaks,

    /// <summary>
    /// Read <c>TARN_CHECKS</c> once, at start: <c>none</c>, <c>sampled</c>, <c>all</c>, or names of this enumeration joined by commas.
    /// Without the variable, or with a value that is none of these, <see cref="None"/>.
    /// </summary>
    FromEnvironment = 1 << 30,
}
