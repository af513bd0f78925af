using Tarn.SharedMemory;
using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// The word of a slot in the models of a queue with one slot, whose turns are the positions: the turn, and what is in the slot.
/// </summary>
internal static class QueueWord
{
    /// <summary>Two members can have claimed or taken it.</summary>
    private const int Members = 2;
    private const int Turn = 16;

    internal static Expression Of(Expression turn, SlotKind kind, int member = 0) =>
        (turn * Turn) + (((int)kind * Members) + member);

    internal static Expression Free(Expression turn) => Of(turn, SlotKind.Free);

    /// <summary>A compare-and-swap: the value read goes to <paramref name="read"/>.</summary>
    internal static void Swap(
        ThreadProgram thread, Expression read, Expression address, Expression from, Expression to, string code) =>
        thread.Exchange(read, address, read + (read.Is(from) * (to - from)), code);
}
