namespace Tarn.Tests.Schedules.Checking;

/// <summary>The register values that a begun step reads.</summary>
internal static class Operands
{
    /// <summary>The registers as a begun step finds them; false when an earlier step that sets one of those it reads is not done.</summary>
    internal static bool TryRead(ThreadState thread, ThreadProgram program, int index, uint reads, out int[] registers)
    {
        registers = [.. thread.Registers];
        uint unknown = 0;
        for (int i = 0; i < index; i++)
        {
            int target = program.Steps[thread.Begun[i].Step].Target;
            if (target < 0)
            {
                continue;
            }

            uint bit = 1u << target;
            unknown = thread.Begun[i].IsDone ? unknown & ~bit : unknown | bit;
            registers[target] = thread.Begun[i].Result;
        }

        return (reads & unknown) == 0;
    }

    /// <summary>The location of a begun step; null while it is not known.</summary>
    internal static int? AddressOf(ThreadState thread, ThreadProgram program, int index)
    {
        Expression address = program.Steps[thread.Begun[index].Step].Address;
        return TryRead(thread, program, index, address.Reads, out int[] registers) ? address.ValueIn(registers) : null;
    }
}
