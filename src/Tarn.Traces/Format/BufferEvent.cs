namespace Tarn.Traces;

/// <summary>One rent or one return of a recorded program.</summary>
/// <param name="Microseconds">The time since the first event of the trace, never less than that of the previous event.</param>
/// <param name="Thread">The thread, numbered from 0 in the order of first appearance.</param>
/// <param name="Pool">The pool, numbered from 0 in the order of first appearance.</param>
/// <param name="Length">The length of the buffer in elements, as the pool returned it. Events do not contain the requested length.</param>
/// <param name="Rent">For a return, the index of the event that rented the buffer; -1 for a rent.</param>
public readonly record struct BufferEvent(long Microseconds, int Thread, int Pool, int Length, int Rent)
{
    /// <summary>The value of <see cref="Rent"/> in the event of a rent.</summary>
    public const int None = -1;

    /// <summary>Whether the event is a rent; otherwise it is a return.</summary>
    public bool IsRent => Rent == None;

    /// <summary>The stack of the call, a node of <see cref="TraceDetails.Stacks"/>; 0 where none was recorded.</summary>
    public int Stack { get; init; }
}
