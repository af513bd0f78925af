using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>Attributes stacks to tests: to the innermost test on a stack. Code that a test awaits may run on a stack without it.</summary>
internal sealed class StackTests(StackTable stacks)
{
    private readonly Dictionary<int, string> _known = [];

    /// <summary>The tests on stacks, and on how many each is; stacks without a test are left out.</summary>
    public IReadOnlyList<TestCount> Count(IEnumerable<int> nodes) =>
        TestCount.Sum(nodes.Select(Find).Where(test => test.Length > 0).Select(test => new TestCount(test, 1)));

    private string Find(int stack)
    {
        if (!_known.TryGetValue(stack, out string? test))
        {
            _known.Add(stack, test = stacks.Walk(stack).Select(frame => frame.Test).FirstOrDefault(name => name.Length > 0, ""));
        }

        return test;
    }
}
