namespace Tarn.Torture.Attacks;

/// <summary>Memory of random kind for the streams of a storm, theirs alone.</summary>
internal static class StreamMemory
{
    /// <summary>Makes a pool or a heap, has it used, and ends it.</summary>
    internal static void Use(Random random, VirtualMemory? system, Action<PooledMemoryStreamOptions> use)
    {
        PooledMemoryStreamOptions options = new()
        {
            Clearing = (StreamClearing)random.Next(Enum.GetValues<StreamClearing>().Length),
            ParallelCopyThreshold = random.Next(4) == 0 ? 100_000 : 0,
        };
        BufferChecks checks = random.Next(3) == 0 ? BufferChecks.Returns : BufferChecks.None;
        long cap = random.Next(2) == 0 ? 1 << 20 : 1 << 28;
        if (system is null && random.Next(2) == 0)
        {
            use(new PooledMemoryStreamOptions(options)
            {
                Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "torture", Checks = checks, MaxRetainedBytes = cap }),
            });
            return;
        }

        using NativeHeap heap =
            new(new NativeHeapOptions { Name = "torture", Checks = checks, MaxRetainedBytes = cap, Memory = system });
        use(new PooledMemoryStreamOptions(options) { Heap = heap });
    }
}
