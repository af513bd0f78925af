namespace Tarn.Tests.Schedules.Checking;

/// <summary>Whether a step may take effect before an earlier one of its thread.</summary>
internal static class Passing
{
    /// <param name="model">The memory model.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="program">Its program.</param>
    /// <param name="earlier">A begun step that is not done.</param>
    /// <param name="later">A begun step of memory whose operands are known.</param>
    internal static bool IsAllowed(MemoryModel model, ThreadState thread, ThreadProgram program, int earlier, int later)
    {
        Step first = program.Steps[thread.Begun[earlier].Step];
        Step second = program.Steps[thread.Begun[later].Step];
        if (first.IsFence || second.IsFence)
        {
            return false;
        }

        if (!first.IsMemory)
        {
            // A step that depends on a value waits for it anyway. A store also waits until it is certain to happen.
            return first.Kind != StepKind.Branch || second.Kind == StepKind.Load;
        }

        bool isLoadAfterStore = first.Kind == StepKind.Store && second.Kind == StepKind.Load;
        return model switch
        {
            MemoryModel.Sequential => false,
            MemoryModel.StoreBuffers => isLoadAfterStore,
            _ => IsAllowedInWeak(thread, program, earlier, later, isLoadAfterStore),
        };
    }

    private static bool IsAllowedInWeak(ThreadState thread, ThreadProgram program, int earlier, int later, bool isLoadAfterStore)
    {
        Step first = program.Steps[thread.Begun[earlier].Step];
        Step second = program.Steps[thread.Begun[later].Step];
        if (first.Order == StepOrder.Acquire || second.Order == StepOrder.Release)
        {
            return false;
        }

        int? address = Operands.AddressOf(thread, program, earlier);
        if (address is null)
        {
            return false;
        }

        // To one location, a load may only take the value of a store that has not reached the memory yet.
        return address != Operands.AddressOf(thread, program, later)
            || (isLoadAfterStore && Operands.TryRead(thread, program, earlier, first.Reads, out _));
    }
}
