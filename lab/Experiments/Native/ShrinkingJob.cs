using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>A process's memory through a load that shrinks to a tenth and continues at that size.</summary>
internal sealed class ShrinkingJob : MemoryCourseJob
{
    public const int Threads = 4;
    public const long LoadBytes = 400L << 20;

    public override string Name => "shrinking";

    protected override MemorySamples Work<TAllocator>(TAllocator allocator, TimeSpan load, TimeSpan after, int seed)
    {
        var work = new ShrinkingLoad<TAllocator>(allocator, Threads, LoadBytes, seed);
        var samples = new MemorySamples();
        work.Run(load, after, isShrunk =>
        {
            if (isShrunk)
            {
                samples.EndLoad();
            }

            samples.Take();
        });
        return samples;
    }
}
