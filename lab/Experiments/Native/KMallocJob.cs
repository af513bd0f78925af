using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// The rounds of the KMalloc benchmark in a process that does nothing else, as the document's programs did. This matters to malloc: freed
/// blocks at the end of its heap go back to the system each round, but stay if anything else was allocated after them.
/// </summary>
internal sealed class KMallocJob : IChildJob
{
    public const string NotTouched = "not touched";
    public const string Written = "written";
    private const int Samples = 7;

    // Few enough that compiling allocates nothing after blocks of the real size.
    private const int WarmUpBlocks = 64;
    private const int WarmUpPasses = 3;

    // As in the document.
    private const int WarmUpRounds = 10;
    private static readonly TimeSpan s_sampleTime = TimeSpan.FromMilliseconds(15);

    public string Name => "kmalloc-rounds";

    /// <summary>Ours in this benchmark: the heap, the heap with a size that the compiler knows, and one without statistics.</summary>
    public static IReadOnlyList<string> Ours { get; } =
        [NativeNames.TarnHeap, NativeNames.TarnConstant, NativeNames.TarnNoStatistics];

    public static IReadOnlyDictionary<string, double> Start(string contender) => ChildProcess.Run("kmalloc-rounds", contender);

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        using var uncounted = new NativeHeap(new NativeHeapOptions { Name = "lab kmalloc without statistics", Statistics = false });
        return Find(arguments[0], uncounted).Accept(new Rounds());
    }

    private static NativeContender Find(string name, NativeHeap uncounted) => name switch
    {
        NativeNames.TarnConstant => NativeContender.Of(name, default(TarnConstant<Block>)),
        NativeNames.TarnNoStatistics => NativeContender.Of(name, new TarnNoStatistics(uncounted)),
        _ => NativeContenders.Find(name),
    };

    private sealed class Rounds : INativeVisitor<IReadOnlyDictionary<string, double>>
    {
        public IReadOnlyDictionary<string, double> Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            WarmUp.Run([CreateNotTouched(name, allocator, WarmUpBlocks), CreateWritten(name, allocator, WarmUpBlocks)], WarmUpPasses);
            if (Ours.Contains(name))
            {
                WarmUpSlowPaths();
            }

            return new Dictionary<string, double>
            {
                [NotTouched] = Measure(CreateNotTouched(name, allocator, KMalloc.Blocks)),
                [Written] = Measure(CreateWritten(name, allocator, KMalloc.Blocks)),
            };
        }

        private static LoopTrial<KMallocRound<TAllocator>> CreateNotTouched<TAllocator>(string name, TAllocator allocator, int blocks)
            where TAllocator : struct, INativeAllocator => new(name, new(allocator, KMalloc.BlockSize, blocks), blocks);

        private static LoopTrial<KMallocRoundWritten<TAllocator>> CreateWritten<TAllocator>(string name, TAllocator allocator, int blocks)
            where TAllocator : struct, INativeAllocator => new(name, new(allocator, KMalloc.BlockSize, blocks), blocks);

        /// <summary>
        /// So few blocks never leave a thread's magazines, so the slow paths are warmed up on a separate heap, which is then disposed.
        /// </summary>
        private static void WarmUpSlowPaths()
        {
            using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab kmalloc warm-up" });
            var allocator = new TarnHeapInstance(heap);
            WarmUp.Run([CreateNotTouched(NativeNames.TarnHeapInstance, allocator, KMalloc.Blocks)], WarmUpPasses);
        }

        private static double Measure(Trial trial)
        {
            trial.Run(WarmUpRounds);
            int rounds = PairedRounds.Calibrate(trial, s_sampleTime);
            return MedianInterval.Of([.. Enumerable.Range(0, Samples).Select(_ => trial.NanosecondsPerOperation(rounds))]).Median;
        }
    }

    /// <summary>A block of the document: <see cref="KMalloc.BlockSize"/> bytes.</summary>
    [InlineArray(KMalloc.BlockSize / sizeof(int))]
    private struct Block
    {
        private int _first;
    }
}
