using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Work in a loop on the calling thread. A struct type argument gives every contender machine code and a profile of its own.
/// </summary>
internal sealed class LoopTrial<TWork>(string name, TWork work, int operationsPerIteration = 1) : Trial(name, operationsPerIteration)
    where TWork : struct, IWork
{
    private TWork _work = work;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public override double Run(int iterations)
    {
        // By reference, not copied to a local: the work's fields are read from memory, as a user's fields would be, instead of being folded
        // into the loop.
        ref TWork current = ref _work;
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < iterations; i++)
        {
            current.Once();
        }

        return Clock.NanosecondsSince(start);
    }
}
