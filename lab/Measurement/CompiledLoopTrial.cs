using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A loop that is passed as a whole, because the measurement is about how it was compiled: <see cref="LoopTrial{TWork}"/> would compile a
/// loop of its own around the work.
/// </summary>
/// <param name="name">The contender's name.</param>
/// <param name="loop">Does the work a given number of times.</param>
internal sealed class CompiledLoopTrial(string name, Action<int> loop) : Trial(name, operationsPerIteration: 1)
{
    public override double Run(int iterations)
    {
        long start = Stopwatch.GetTimestamp();
        loop(iterations);
        return Clock.NanosecondsSince(start);
    }
}
