namespace Tarn.Tests.Schedules.Checking;

/// <summary>The program of one thread of a protocol: steps in the order of its source.</summary>
internal sealed class ThreadProgram(string name, int index)
{
    private readonly List<Step> _steps = [];
    private readonly List<string> _registers = [];
    private SourcePlace? _place;

    internal string Name => name;

    internal int Index => index;

    internal IReadOnlyList<Step> Steps => _steps;

    internal int RegisterCount => _registers.Count;

    /// <summary>The steps that follow stand for the text of this method.</summary>
    internal void From(string file, string method) => _place = new SourcePlace(file, method);

    /// <summary>A local variable; 0 at first.</summary>
    internal Expression Register(string registerName)
    {
        int number = _registers.Count;
        _registers.Add(registerName);
        return new Expression(1u << number, registers => registers[number]);
    }

    /// <summary>Reads a location into a register. With <paramref name="until"/>, stands for a loop that reads until that holds.</summary>
    internal void Load(
        Expression target, Expression address, string code, StepOrder order = StepOrder.Plain, Expression? until = null) =>
        Add(new Step(StepKind.Load, code) { Target = NumberOf(target), Address = address, Order = order, Until = until ?? 1 });

    internal void Store(Expression address, Expression value, string code, StepOrder order = StepOrder.Plain) =>
        Add(new Step(StepKind.Store, code) { Address = address, Value = value, Order = order });

    /// <summary>
    /// Reads into <paramref name="target"/> and writes in one step, once <paramref name="until"/> holds for the value read.
    /// </summary>
    internal void Exchange(Expression target, Expression address, Expression value, string code, Expression? until = null) =>
        Add(new Step(StepKind.Exchange, code) { Target = NumberOf(target), Address = address, Value = value, Until = until ?? 1 });

    /// <summary>The kernel's part of a sleep: records it in <paramref name="queue"/> if the word still has the value seen.</summary>
    internal void SleepIfUnchanged(int queue, Expression word, Expression seen, string code) =>
        Add(new Step(StepKind.SleepIfUnchanged, code) { Address = word, Value = seen, Queue = queue });

    /// <summary>Every other thread passes a full barrier, in any order, before the next step.</summary>
    internal void ProcessWideBarrier(Protocol protocol, string code)
    {
        foreach (ThreadProgram other in protocol.Threads.Where(other => other != this))
        {
            Add(new Step(StepKind.FenceOther, code) { Value = other.Index });
        }
    }

    internal void Set(Expression target, Expression value, string code = "(counts)") =>
        Add(new Step(StepKind.Compute, code) { Target = NumberOf(target), Value = value });

    /// <summary>A condition that must hold, described by <paramref name="rule"/>.</summary>
    internal void Check(Expression holds, string rule) => Add(new Step(StepKind.Check, $"({rule})") { Value = holds });

    internal void If(Expression condition, Action then, Action? otherwise = null)
    {
        int branch = Branch(condition);
        then();
        if (otherwise is null)
        {
            End(branch);
            return;
        }

        int jump = Branch(0);
        End(branch);
        otherwise();
        End(jump);
    }

    internal void While(Expression condition, Action body)
    {
        int first = _steps.Count;
        int branch = Branch(condition);
        body();
        Add(new Step(StepKind.Branch, "(loops)") { Next = first });
        End(branch);
    }

    private static int NumberOf(Expression register) => System.Numerics.BitOperations.TrailingZeroCount(register.Reads);

    private int Branch(Expression condition)
    {
        Add(new Step(StepKind.Branch, "(branches)") { Value = condition });
        return _steps.Count - 1;
    }

    private void End(int branch) => _steps[branch] = _steps[branch] with { Next = _steps.Count };

    private void Add(Step step) => _steps.Add(step with { Place = step.Code.StartsWith('(') ? null : _place });
}
