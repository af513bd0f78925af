using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Describes a call that begins or ends a message where it lies in a ring, or memory of a writer that a later call may replace.
/// </summary>
/// <param name="Side">The side of the ring that has the message.</param>
/// <param name="Begins">Whether it begins a message; otherwise it ends the one that was begun.</param>
/// <param name="Message">The argument that receives the message; null where it is the result.</param>
internal sealed record RingCall(RingSide Side, bool Begins, IArgumentOperation? Message)
{
    /// <summary>Gets a value indicating whether a writer is called, which may grow and so ends all that it has begun before.</summary>
    internal bool Grows { get; init; }

    /// <summary>Gets a value indicating whether it notes how far a scope is: what it handed out before outlives a rewind to that.</summary>
    internal bool IsMark { get; init; }
}
