using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>Streams that are written and disposed one by one. Only the time of their disposal counts.</summary>
/// <param name="name">What the report calls them.</param>
/// <param name="options">The options of the streams, with a pool that nothing else uses.</param>
/// <param name="source">The contents of each.</param>
internal sealed class DisposedStreams(string name, PooledMemoryStreamOptions options, byte[] source)
    : Trial(name, operationsPerIteration: 1)
{
    public override double Run(int iterations)
    {
        TimeSpan spent = default;
        for (int iteration = 0; iteration < iterations; iteration++)
        {
            PooledMemoryStream stream = new(options, source.Length);
            stream.Write(source);
            long start = Stopwatch.GetTimestamp();
            stream.Dispose();
            spent += Stopwatch.GetElapsedTime(start);

            // What is done in the background is none of the next stream's time.
            SpinWait.SpinUntil(() => options.Pool!.GetStatistics().InUseBytes == 0);
        }

        return spent.TotalNanoseconds;
    }
}
