using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Against;

/// <summary>Native blocks: pairs, eight deep, ten thousand at once, workloads, random large sizes, and blocks between threads.</summary>
internal static class AgainstHeaps
{
    private const int ManyBlocks = 10_000;
    private const int SettlingReplacements = 2000;
    private static readonly int[] s_sizes = [16, 100, 1 << 10, 16 << 10, 256 << 10, 320 << 10, 1 << 20, 16 << 20];
    private static readonly int[] s_deepSizes = [100, 4 << 10, 64 << 10];
    private static readonly int[] s_manySizes = [64, 1 << 10];
    private static readonly (int Smallest, int Largest)[] s_random = [(320 << 10, 3 << 20), (320 << 10, 32 << 20)];

    private static readonly (int Threads, int Largest)[] s_exchanged = [(2, 256 << 10), (8, 16 << 10), (8, 256 << 10), (32, 256 << 10)];

    public static IEnumerable<AgainstRow> Measure(ExperimentContext context)
    {
        Sweep pairs = Sweep.Run(context.Part(1, 5), s_sizes, size => NativeTrials.Pairs(Builds.Heaps, size));
        Sweep deep = Sweep.Run(context.Part(2, 5), s_deepSizes, size => NativeTrials.DeepPairs(Builds.Heaps, size));
        Sweep many = Sweep.Run(context.Part(3, 5), s_manySizes, size =>
            [.. Builds.Heaps.Select(heap => heap.Accept(new ManyVisitor(size)))]);
        return
        [
            .. Rows("native-pair", "Native pair", pairs),
            .. Rows("native-deep", "Native, eight deep,", deep),
            .. Rows("native-many", "Native, ten thousand of", many),
            .. NativeWorkloads.All.Select((workload, index) =>
            {
                AgainstRow row = MeasureWorkload(context, workload);
                context.Part(4, 5).Report((index + 1.0) / NativeWorkloads.All.Count);
                return row;
            }),
            .. s_random.Select(sizes => MeasureRandom(context, sizes.Smallest, sizes.Largest)),
            .. s_exchanged.Select(load => MeasureExchanged(context, load.Threads, load.Largest)),
        ];
    }

    /// <summary>Large buffers of random sizes, with what each build's heap retains.</summary>
    private static AgainstRow MeasureRandom(ExperimentContext context, int smallest, int largest)
    {
        int seed = context.CreateRandom().Next();
        Trial[] trials = [.. Builds.CreateHeaps().Select(
            heap => heap.Heap.Accept(new RandomVisitor(heap.RetainedBytes, smallest, largest, seed)))];
        Array.ForEach(trials, static trial => trial.Run(SettlingReplacements));
        RoundSamples samples = PairedRounds.Measure(trials, context.Rounds, context.CreateRandom());
        return new AgainstRow(
            $"native-random-{ByteSize.Id(largest)}", $"Native, random sizes to {ByteSize.Text(largest)}", samples)
        {
            Retained = [.. trials.Cast<IRetainingTrial>().Select(static trial => trial.RetainedOfPeak)],
        };
    }

    /// <summary>
    /// Blocks that any thread allocates and any other frees, with what each build's heap retains. Several heaps of each build take their
    /// turns, because two heaps of the same build differ: each keeps the room that its threads happened to get.
    /// </summary>
    private static AgainstRow MeasureExchanged(ExperimentContext context, int threads, int largest)
    {
        using var crew = new Crew(threads, isPinned: false);
        int heaps = context.IsFull ? 10 : 3;
        RoundSettings rounds = context.Rounds with { Rounds = Math.Max(3, context.Rounds.Rounds / heaps) };
        Random random = context.CreateRandom();
        List<RoundSamples> samples = [];
        List<double[]> retained = [];
        for (int heap = 0; heap < heaps; heap++)
        {
            int seed = random.Next();
            Trial[] trials = [.. Builds.CreateHeaps().Select(
                created => created.Heap.Accept(new ExchangedVisitor(created.RetainedBytes, crew, largest, seed)))];
            Array.ForEach(trials, static trial => trial.Run(SettlingReplacements));
            samples.Add(PairedRounds.Measure(trials, rounds, random));
            retained.Add([.. trials.Cast<IRetainingTrial>().Select(static trial => trial.RetainedOfPeak)]);
        }

        return new AgainstRow(
            $"native-exchanged-{threads}-{ByteSize.Id(largest)}",
            $"Native, all to all to {ByteSize.Text(largest)} on {threads} threads",
            RoundSamples.Join(samples))
        {
            Retained = [.. retained[0].Select((_, build) => retained.Max(heap => heap[build]))],
        };
    }

    private static AgainstRow MeasureWorkload(ExperimentContext context, NativeWorkloadEntry workload)
    {
        double length = context.IsFull ? workload.FullLength : workload.QuickLength / 2;
        var settings = new WorkloadSettings { Length = length, Seed = context.SeedOffset };
        Trial[] trials = [.. Builds.Heaps.Select(heap => heap.Accept(new WorkloadVisitor(workload.Name, settings)))];
        foreach (Trial trial in trials)
        {
            trial.Run(1);
        }

        RoundSamples samples = PairedRounds.Measure(trials, [.. trials.Select(_ => 1)], context.IsFull ? 11 : 9, context.CreateRandom());
        return new AgainstRow("workload-" + workload.Name, $"Workload {workload.Name}", samples);
    }

    private static IEnumerable<AgainstRow> Rows(string id, string title, Sweep sweep) =>
        sweep.Points.Zip(sweep.Samples, (size, samples) =>
            new AgainstRow($"{id}-{ByteSize.Id(size)}", $"{title} {ByteSize.Text(size)}", samples));

    private sealed class ManyVisitor(int size) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator =>
            new LoopTrial<KMallocRound<TAllocator>>(name, new(allocator, size, ManyBlocks), ManyBlocks);
    }

    private sealed class RandomVisitor(Func<long> retained, int smallest, int largest, int seed) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator =>
            new RandomLargeTrial<TAllocator>(name, allocator, retained, smallest, largest, seed);
    }

    private sealed class ExchangedVisitor(Func<long> retained, Crew crew, int largest, int seed) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator =>
            new ExchangedBlocksTrial<TAllocator>(name, allocator, retained, crew, largest, seed);
    }

    private sealed class WorkloadVisitor(string workload, WorkloadSettings settings) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator => new WorkloadTrial<TAllocator>(name, workload, allocator, settings);
    }
}
