using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>A process's memory through a load and the idle time after everything was freed.</summary>
internal sealed class FreedMemoryJob : MemoryCourseJob
{
    public const int Threads = 4;
    public const long LoadBytes = 192L << 20;

    public override string Name => "freed-memory";

    protected override MemorySamples Work<TAllocator>(TAllocator allocator, TimeSpan load, TimeSpan after, int seed)
    {
        var samples = new MemorySamples();
        using var work = new NativeMemoryLoad<TAllocator>(allocator, Threads, LoadBytes, new Random(seed));
        samples.TakeFor(load);
        work.Stop();
        samples.EndLoad();
        samples.TakeFor(after);
        return samples;
    }
}
