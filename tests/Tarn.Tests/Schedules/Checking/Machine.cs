namespace Tarn.Tests.Schedules.Checking;

/// <summary>Runs a protocol step by step: the possible next steps of a state, and the states they lead to.</summary>
/// <remarks>
/// A thread begins its steps in order, up to <see cref="LongestWindow"/> ahead, and they take effect in any order that the memory model
/// allows (<see cref="Passing"/>). All threads share one memory: every thread sees each effect at once. So processors behave whose stores
/// reach all others at once, as those of x64 and Arm64 do.
/// </remarks>
internal sealed class Machine(Protocol protocol, MemoryModel model)
{
    /// <summary>The most steps that a thread runs ahead of a step that has not taken effect.</summary>
    private const int LongestWindow = 10;

    private readonly int _window = model == MemoryModel.Sequential ? 1 : LongestWindow;

    internal MachineState Start()
    {
        ThreadState[] threads = [.. protocol.Threads.Select(static program => new ThreadState(new int[program.RegisterCount]))];
        foreach (ThreadProgram program in protocol.Threads)
        {
            _ = TrySettle(threads[program.Index], program, out _);
        }

        return new MachineState([.. protocol.InitialMemory], threads);
    }

    /// <summary>All that can happen next.</summary>
    internal IEnumerable<Move> MovesIn(MachineState state)
    {
        foreach (ThreadProgram program in protocol.Threads)
        {
            ThreadState thread = state.Threads[program.Index];
            for (int i = 0; i < thread.Begun.Count; i++)
            {
                if (!thread.Begun[i].IsDone && CanTakeEffect(state, program, i))
                {
                    yield return new Move(program.Index, i);
                }
            }

            if (model == MemoryModel.Weak && IsHeldUpByBranch(thread, program) && thread.Begun.Count < _window)
            {
                yield return new Move(program.Index, thread.Begun.Count - 1, Guess: false);
                yield return new Move(program.Index, thread.Begun.Count - 1, Guess: true);
            }
        }
    }

    /// <summary>The state that a move leads to; null when it shows that a guess was wrong, so that none of this happened.</summary>
    /// <param name="state">The state before; it stays as it is.</param>
    /// <param name="move">One of <see cref="MovesIn"/>.</param>
    /// <param name="brokenRule">The rule that does not hold, or null.</param>
    internal MachineState? Apply(MachineState state, Move move, out string? brokenRule)
    {
        MachineState after = state.Clone();
        ThreadProgram program = protocol.Threads[move.Thread];
        ThreadState thread = after.Threads[move.Thread];
        PendingStep pending = thread.Begun[move.Index];
        if (move.Guess is { } guess)
        {
            thread.Begun[move.Index] = pending with { Guess = guess };
            thread.Next = NextOf(program, pending.Step, guess);
        }
        else
        {
            thread.Begun[move.Index] = pending with { IsDone = true, Result = TakeEffect(after, program, move.Index) };
        }

        return TrySettle(thread, program, out brokenRule) ? after : null;
    }

    /// <summary>A move as a line of a schedule; null for a guess, which has no effect.</summary>
    internal string? Describe(MachineState before, Move move)
    {
        if (move.Guess is not null)
        {
            return null;
        }

        ThreadProgram program = protocol.Threads[move.Thread];
        ThreadState thread = before.Threads[move.Thread];
        Step step = program.Steps[thread.Begun[move.Index].Step];
        _ = Operands.TryRead(thread, program, move.Index, step.Reads, out int[] registers);
        string effect = step.Kind switch
        {
            StepKind.Load => $"reads {protocol.NameOf(step.Address.ValueIn(registers))}: {Read(before, program, move.Index, registers)}",
            StepKind.FenceOther => $"fences {protocol.Threads[step.Value.ValueIn(registers)].Name}",
            _ => Written(before, step, registers),
        };
        int passed = thread.Begun.FindIndex(
            0, move.Index, earlier => !earlier.IsDone && program.Steps[earlier.Step].IsMemory);
        string ahead = passed < 0 ? "" : $", before {program.Steps[thread.Begun[passed].Step].Code} took effect";
        return $"{program.Name}: {step.Code} ({effect}{ahead})";
    }

    /// <summary>No step of memory took effect before an earlier one, so that a barrier could stand here.</summary>
    private static bool HasNothingOutOfOrder(MachineState state, ThreadProgram program) =>
        !state.Threads[program.Index].Begun.Exists(step => step.IsDone && program.Steps[step.Step].IsMemory);

    private static int NextOf(ThreadProgram program, int branch, bool isTaken) => isTaken ? branch + 1 : program.Steps[branch].Next;

    private static bool IsHeldUpByBranch(ThreadState thread, ThreadProgram program) =>
        thread.Begun.Count > 0
        && thread.Begun[^1] is { IsDone: false, Guess: null } last
        && program.Steps[last.Step].Kind == StepKind.Branch;

    private string Written(MachineState before, Step step, int[] registers)
    {
        int address = step.Address.ValueIn(registers);
        if (step.Kind == StepKind.SleepIfUnchanged)
        {
            return before.Memory[address] == step.Value.ValueIn(registers) ? "sleeps" : "does not sleep";
        }

        if (step.Kind == StepKind.Exchange && step.Target >= 0)
        {
            registers[step.Target] = before.Memory[address];
        }

        return $"{protocol.NameOf(address)} = {step.Value.ValueIn(registers)}";
    }

    private bool CanTakeEffect(MachineState state, ThreadProgram program, int index)
    {
        ThreadState thread = state.Threads[program.Index];
        Step step = program.Steps[thread.Begun[index].Step];
        if (!step.IsMemory || !Operands.TryRead(thread, program, index, step.Reads, out int[] registers))
        {
            return false;
        }

        for (int i = 0; i < index; i++)
        {
            if (!thread.Begun[i].IsDone && !Passing.IsAllowed(model, thread, program, i, index))
            {
                return false;
            }
        }

        switch (step.Kind)
        {
            case StepKind.FenceOther:
                return HasNothingOutOfOrder(state, protocol.Threads[step.Value.ValueIn(registers)]);
            case StepKind.Load or StepKind.Exchange:
                registers[step.Target] = Read(state, program, index, registers);
                return step.Until.ValueIn(registers) != 0;
            default:
                return true;
        }
    }

    /// <summary>The value that a load sees: that of its thread's own latest store which is not in memory yet, else the memory's.</summary>
    private static int Read(MachineState state, ThreadProgram program, int index, int[] registers)
    {
        ThreadState thread = state.Threads[program.Index];
        int address = program.Steps[thread.Begun[index].Step].Address.ValueIn(registers);
        for (int i = index - 1; i >= 0; i--)
        {
            Step earlier = program.Steps[thread.Begun[i].Step];
            if (earlier.Kind == StepKind.Store && !thread.Begun[i].IsDone && Operands.AddressOf(thread, program, i) == address)
            {
                _ = Operands.TryRead(thread, program, i, earlier.Reads, out int[] then);
                return earlier.Value.ValueIn(then);
            }
        }

        return state.Memory[address];
    }

    /// <summary>Executes a memory step and returns the value it read.</summary>
    private static int TakeEffect(MachineState state, ThreadProgram program, int index)
    {
        ThreadState thread = state.Threads[program.Index];
        Step step = program.Steps[thread.Begun[index].Step];
        _ = Operands.TryRead(thread, program, index, step.Reads, out int[] registers);
        int address = step.Address.ValueIn(registers);
        switch (step.Kind)
        {
            case StepKind.Load:
                return Read(state, program, index, registers);
            case StepKind.Store:
                state.Memory[address] = step.Value.ValueIn(registers);
                return 0;
            case StepKind.Exchange:
                int old = state.Memory[address];
                registers[step.Target] = old;
                state.Memory[address] = step.Value.ValueIn(registers);
                return old;
            case StepKind.SleepIfUnchanged when state.Memory[address] == step.Value.ValueIn(registers):
                state.Memory[step.Queue] = 1;
                return 0;
            default:
                return 0;
        }
    }

    /// <summary>Begins the steps that can begin, and does those that touch no memory; false when a guess was wrong.</summary>
    private bool TrySettle(ThreadState thread, ThreadProgram program, out string? brokenRule)
    {
        bool hasChanged;
        do
        {
            hasChanged = BeginSteps(thread, program);
            for (int i = 0; i < thread.Begun.Count; i++)
            {
                if (!thread.Begun[i].IsDone && !TryDecide(thread, program, i, ref hasChanged))
                {
                    brokenRule = null;
                    return false;
                }
            }

            hasChanged |= Forget(thread, program, out brokenRule);
        }
        while (hasChanged && brokenRule is null);
        thread.IsDone = thread.Begun.Count == 0 && thread.Next == program.Steps.Count;
        return true;
    }

    private bool BeginSteps(ThreadState thread, ThreadProgram program)
    {
        bool hasBegun = false;
        while (thread.Begun.Count < _window && thread.Next < program.Steps.Count && !IsHeldUpByBranch(thread, program))
        {
            thread.Begun.Add(new PendingStep(thread.Next++));
            hasBegun = true;
        }

        return hasBegun;
    }

    private static bool TryDecide(ThreadState thread, ThreadProgram program, int index, ref bool hasChanged)
    {
        PendingStep pending = thread.Begun[index];
        Step step = program.Steps[pending.Step];
        if (step.Kind is not (StepKind.Compute or StepKind.Branch)
            || !Operands.TryRead(thread, program, index, step.Reads, out int[] registers))
        {
            return true;
        }

        int value = step.Value.ValueIn(registers);
        if (step.Kind == StepKind.Branch)
        {
            if (pending.Guess is { } guess && guess != (value != 0))
            {
                return false;
            }

            if (pending.Guess is null)
            {
                thread.Next = NextOf(program, pending.Step, value != 0);
            }
        }

        thread.Begun[index] = pending with { IsDone = true, Result = value };
        hasChanged = true;
        return true;
    }

    /// <summary>Forgets the finished steps at the beginning, and checks the rules that must hold there.</summary>
    private static bool Forget(ThreadState thread, ThreadProgram program, out string? brokenRule)
    {
        brokenRule = null;
        bool hasForgotten = false;
        while (thread.Begun.Count > 0)
        {
            PendingStep first = thread.Begun[0];
            Step step = program.Steps[first.Step];
            if (step.Kind == StepKind.Check)
            {
                brokenRule = step.Value.ValueIn(thread.Registers) == 0 ? step.Code : brokenRule;
            }
            else if (!first.IsDone)
            {
                break;
            }
            else if (step.Target >= 0)
            {
                thread.Registers[step.Target] = first.Result;
            }

            thread.Begun.RemoveAt(0);
            hasForgotten = true;
        }

        return hasForgotten;
    }
}
