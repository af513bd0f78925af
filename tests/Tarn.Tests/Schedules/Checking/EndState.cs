namespace Tarn.Tests.Schedules.Checking;

/// <summary>The state when every thread is done.</summary>
internal sealed class EndState(MachineState state)
{
    /// <summary>The value of a location.</summary>
    internal int this[int location] => state.Memory[location];

    /// <summary>The value of a thread's register, or a value derived from it.</summary>
    internal int Of(ThreadProgram thread, Expression expression) => expression.ValueIn(state.Threads[thread.Index].Registers);
}
