using System.Diagnostics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// The same work with a pause before each operation, in which the calling thread is busy with other work and other threads go to sleep.
/// Pauses are not on the clock.
/// </summary>
internal sealed class RestedTrial(string name, Action<int> loop, TimeSpan pause) : Trial(name, operationsPerIteration: 1)
{
    public override double Run(int iterations)
    {
        double spent = 0;
        for (int i = 0; i < iterations; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(begin) < pause)
            {
                Thread.SpinWait(8);
            }

            long start = Stopwatch.GetTimestamp();
            loop(1);
            spent += Clock.NanosecondsSince(start);
        }

        return spent;
    }
}
