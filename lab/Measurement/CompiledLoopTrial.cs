using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A loop that is handed over whole, because how it was compiled is what is measured: <see cref="LoopTrial{TWork}"/> would compile a
/// loop of its own around the work.
/// </summary>
/// <param name="name">What it is called.</param>
/// <param name="loop">Does the work as often as it is told.</param>
internal sealed class CompiledLoopTrial(string name, Action<int> loop) : Trial(name, operationsPerIteration: 1)
{
    public override double Run(int iterations)
    {
        long start = Stopwatch.GetTimestamp();
        loop(iterations);
        return Clock.NanosecondsSince(start);
    }
}
