namespace Tarn.Traces;

/// <summary>What a pool did besides renting a buffer and taking it back.</summary>
/// <param name="Kind">What it did.</param>
/// <param name="Microseconds">The time since the first event of the trace; negative before it.</param>
/// <param name="Thread">The thread, numbered as those of the events; threads without events follow.</param>
/// <param name="Pool">The pool, numbered as those of the events; pools without events follow.</param>
/// <param name="Length">The length of the buffer in elements.</param>
public readonly record struct PoolAction(PoolActionKind Kind, long Microseconds, int Thread, int Pool, int Length)
{
    /// <summary>The <see cref="Reason"/> of an allocation: the buffer is longer than the pool keeps.</summary>
    public const int TooLong = 1;

    /// <summary>The stack of the call, a node of <see cref="TraceDetails.Stacks"/>; 0 where none was recorded.</summary>
    public int Stack { get; init; }

    /// <summary>The stack of the return before a <see cref="PoolActionKind.ReturnedAgain"/>; 0 where none was recorded.</summary>
    public int EarlierStack { get; init; }

    /// <summary>
    /// Why a buffer was allocated (0: the pool had none of this length yet, 1: it is longer than the pool keeps, 2: none was free) or
    /// dropped (0: no room, 1: it is longer than the pool keeps), as the event source numbers the reasons.
    /// </summary>
    public int Reason { get; init; }
}
