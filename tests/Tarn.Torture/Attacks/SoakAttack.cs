using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Storms over a pool, a heap and streams at once, for as long as there is time. The retained bytes stay within a bound of the bytes in
/// use, and the memory of the process reaches a plateau.
/// </summary>
internal sealed class SoakAttack : IAttack
{
    private const int Threads = 4;
    private const long Mebibyte = 1 << 20;

    /// <summary>Fewer samples cannot show a plateau.</summary>
    private const int LeastSamples = 30;

    private static readonly TimeSpan s_betweenSamples = TimeSpan.FromMilliseconds(100);

    /// <inheritdoc/>
    public string Name => "soak";

    /// <inheritdoc/>
    public string Description => "storms over all parts at once; retained bytes stay bounded and reach a plateau";

    /// <inheritdoc/>
    public bool IsContinuous => true;

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        TimeSpan duration = context.Part(double.MaxValue);
        TimeSpan idleTimeout = TimeSpan.FromSeconds(1);
        BufferPoolOptions options = new() { Name = "soak", Checks = BufferChecks.None, IdleTimeout = idleTimeout };
        BufferPool<long> pool = BufferPool<long>.Create(options);
        BufferPool<byte> bytes = BufferPool<byte>.Create(options);
        using NativeHeap heap = new(new NativeHeapOptions { Name = "soak", Checks = BufferChecks.None, IdleTimeout = idleTimeout });
        PoolStorm arrays = new(pool, Threads, duration) { ClockTicks = true };
        HeapStorm blocks = new(heap, Threads, duration) { ClockTicks = true };
        StreamStorm streams = new(new PooledMemoryStreamOptions { Pool = bytes }, Threads, duration) { ClockTicks = true };
        List<Sample> samples = [];
        int seed = context.Random.Next();
        Task[] others = [Start(() => blocks.Run(seed + 1)), Start(() => streams.Run(seed + 2))];
        try
        {
            arrays.Run(seed, () =>
            {
                samples.Add(Sample.Take(pool, bytes, heap));
                Thread.Sleep(s_betweenSamples);
            });
        }
        finally
        {
            Task.WaitAll(others);
        }

        VerifyBound(samples);
        VerifyPlateau(context, samples);
        context.Count("operations", arrays.Operations + blocks.Operations + streams.Operations);
        context.Count("threads", arrays.Lives + blocks.Lives + streams.Lives);
        context.Count("samples", samples.Count);
        context.CountMost("MiB in use at most", samples.Max(static sample => sample.InUse) / Mebibyte);
        context.CountMost("MiB retained at most", samples.Max(static sample => sample.Retained) / Mebibyte);
    }

    private static Task Start(Action run) => Task.Factory.StartNew(run, TaskCreationOptions.LongRunning);

    /// <summary>
    /// The bound adds up four times the bytes in use, as samples miss peaks and each size has its own; the cache of each thread of a pool
    /// or heap, with as many threads that just died; and the slabs that one block of each size keeps.
    /// </summary>
    private static void VerifyBound(List<Sample> samples)
    {
        long inUse = 0;
        foreach (Sample sample in samples)
        {
            inUse = Math.Max(inUse, sample.InUse);
            long bound = (4 * inUse) + (2 * 3 * Threads * Mebibyte / 2) + (32 * Mebibyte);
            Require.That(sample.Retained <= bound, $"{sample.Retained} bytes are retained where {inUse} were in use: more than {bound}.");
        }
    }

    /// <summary>The last quarter takes no more than the second one did, apart from fluctuations.</summary>
    private static void VerifyPlateau(AttackContext context, List<Sample> samples)
    {
        if (samples.Count < LeastSamples)
        {
            context.Skip($"the plateau: {samples.Count} samples are fewer than {LeastSamples}");
            return;
        }

        int quarter = samples.Count / 4;
        Verify("Bytes retained", static sample => sample.Retained, slack: 32 * Mebibyte);
        Verify("File descriptors", static sample => sample.FileDescriptors, slack: 8);
        if (ResidentMemory.IsKnown)
        {
            Verify("Bytes resident", static sample => sample.Resident, slack: 64 * Mebibyte);
        }

        void Verify(string what, Func<Sample, long> of, long slack)
        {
            long second = Median(samples.Skip(quarter).Take(quarter).Select(of));
            long last = Median(samples.Skip(3 * quarter).Select(of));
            Require.That(last <= (second * 5 / 4) + slack, $"{what} rise: {second} in the second quarter of the time, {last} in the last.");
        }
    }

    private static long Median(IEnumerable<long> numbers)
    {
        long[] sorted = [.. numbers.Order()];
        return sorted[sorted.Length / 2];
    }

    /// <summary>
    /// The memory in use and retained at one moment, in bytes. Resident bytes are measured after a collection: the storms allocate
    /// gigabytes a second, and the collector lets garbage grow to several times the live bytes before it collects by itself.
    /// </summary>
    private sealed record Sample(long InUse, long Retained, long Resident, long FileDescriptors)
    {
        private const string Descriptors = "/proc/self/fd";

        internal static Sample Take(BufferPool<long> pool, BufferPool<byte> bytes, NativeHeap heap)
        {
            (BufferPoolStatistics longs, BufferPoolStatistics octets) = (pool.GetStatistics(), bytes.GetStatistics());
            NativeHeapStatistics blocks = heap.GetStatistics();
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            return new Sample(
                longs.InUseBytes + octets.InUseBytes + blocks.InUseBytes,
                longs.RetainedBytes + octets.RetainedBytes + blocks.RetainedBytes,
                ResidentMemory.IsKnown ? ResidentMemory.Bytes : 0,
                Directory.Exists(Descriptors) ? Directory.GetFileSystemEntries(Descriptors).Length : 0);
        }
    }
}
