namespace Tarn.Traces;

/// <summary>An event as a pool's event source sent it.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Buffer">The buffer's hash code.</param>
/// <param name="Length">Its length in elements.</param>
/// <param name="Pool">The pool's id.</param>
/// <param name="Reason">Why the buffer was allocated or dropped.</param>
internal readonly record struct PoolEvent(PoolEventKind Kind, int Buffer, int Length, int Pool, int Reason);
