namespace Tarn.Tests.Schedules.Checking;

/// <summary>One thread at one moment: the steps it has begun, and its registers before them.</summary>
internal sealed class ThreadState
{
    internal ThreadState(int[] registers) => Registers = registers;

    private ThreadState(ThreadState other)
    {
        Next = other.Next;
        Registers = [.. other.Registers];
        Begun = [.. other.Begun];
    }

    /// <summary>The next step to begin.</summary>
    internal int Next { get; set; }

    /// <summary>Their values before the steps that were begun.</summary>
    internal int[] Registers { get; }

    /// <summary>Steps that were begun, in the order of the program. The first is not done.</summary>
    internal List<PendingStep> Begun { get; } = [];

    /// <summary>Every step was done.</summary>
    internal bool IsDone { get; set; }

    internal ThreadState Clone() => new(this) { IsDone = IsDone };

    internal void AddTo(List<byte> key)
    {
        key.Add((byte)Next);
        foreach (int register in Registers)
        {
            key.Add(unchecked((byte)checked((sbyte)register)));
        }

        key.Add((byte)Begun.Count);
        foreach (PendingStep step in Begun)
        {
            key.Add((byte)step.Step);
            key.Add((byte)((step.IsDone ? 1 : 0) | (step.Guess switch { null => 0, false => 2, true => 4 })));
            key.Add(unchecked((byte)checked((sbyte)step.Result)));
        }
    }
}
