using System.Buffers;
using System.Diagnostics;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>One-time costs: of a thread's first rent, of a pool's first rent, and of creating a pool.</summary>
internal sealed class FirstUseExperiment : IExperiment
{
    private const string Group = "First use";
    private const int Size = 1 << 10;

    /// <summary>Enough for a thread to join the pool's directory.</summary>
    private const int SomePairs = 10;
    private const int WarmUpRounds = 60;
    private const int FewThreads = 10;
    private const int ManyThreads = 4_000;
    private const int SmallestStack = 128 << 10;

    /// <summary>
    /// Joining must take the same time however many threads are alive. The rest is their effect on the processor's caches.
    /// </summary>
    private const double ManyThreadsBound = 1.5;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(250);

    // Kept so that the collector does not take a pool while the next one is measured.
    private object? _kept;

    public string Id => "first-use";

    public string Title => "First use";

    public double QuickSeconds => 6;

    public double FullSeconds => 15;

    public ExperimentResult Run(ExperimentContext context)
    {
        int rounds = context.IsFull ? 1_001 : 201;
        Random random = context.CreateRandom();

        // Buffers left by threads of other experiments would pass from each of these threads to the next.
        BufferPool<byte>.Shared.Trim();
        RoundSamples thread = MeasureThreads(rounds, random, pairs: 1);
        context.Report(0.3);
        RoundSamples joining = MeasureThreads(rounds, random, SomePairs);
        context.Report(0.5);
        RoundSamples pool = MeasurePools(
            rounds, random, static () => OnFreshPool(BufferPool<byte>.Create()), static () => OnFreshPool(ArrayPool<byte>.Create()));
        context.Report(0.75);
        RoundSamples create = MeasurePools(
            rounds, random, () => Creating(BufferPool<byte>.Create), () => Creating(ArrayPool<byte>.Create));
        context.Report(0.9);
        RoundSamples both = MeasurePools(
            rounds,
            random,
            () => CreatingAndUsing(static () => BufferPool<byte>.Create()),
            () => CreatingAndUsing(ArrayPool<byte>.Create));
        double few = MedianOfNewThreads(FewThreads, rounds);
        double many = MedianOfNewThreads(ManyThreads, rounds);

        Comparison[] comparisons =
        [
            thread.Compare(0, 1, "first-use-thread", Group, "First rent and return of a new thread"),
            joining.Compare(0, 1, "first-use-thread-ten", Group, "First ten rents and returns of a new thread"),
            pool.Compare(0, 1, "first-use-pool", Group, "First rent and return of a new pool"),
            create.Compare(0, 1, "first-use-create", Group, "Making a pool"),
            both.Compare(0, 1, "first-use-create-and-pool", Group, "Making a pool, with its first rent and return"),
        ];

        return new ExperimentResult(Describe(comparisons, few, many))
        {
            Comparisons = comparisons,
            Figures =
            [
                new Figure
                {
                    Id = "first-use-many-threads",
                    Title = $"{TitleWith(ManyThreads)}, of that with {FewThreads}",
                    Value = many / few,
                    Unit = "",
                    Bound = ManyThreadsBound,
                },
            ],
        };
    }

    private Section Describe(Comparison[] comparisons, double few, double many) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Costs that are paid once. A new thread rents and returns its first buffer from the shared pool, after other threads have "
            + "used it and left a counted buffer; a new thread does so ten times, and in doing so gets a cache of its own, or that of an "
            + "ended thread; a new pool allocates its first buffer; a pool is created, which is where the BCL's does most of its work; and "
            + "both together. The code is already compiled: the cost of a "
            + "process's very first call is the JIT's, the same for any library. Ten rents of a new thread are measured again while "
            + $"{FewThreads} and while {ManyThreads:N0} other threads that have done the same are alive.",
        Tables =
        [
            new Table
            {
                Id = "first-use-times",
                Title = "Medians",
                Columns =
                [
                    new Column("Work", ColumnKind.Text),
                    new Column("Ours", ColumnKind.Nanoseconds),
                    new Column("BCL", ColumnKind.Nanoseconds),
                ],
                Rows =
                [
                    .. comparisons.Select(
                        comparison => (IReadOnlyList<object?>)[comparison.Title, comparison.OursValue, comparison.PeerValue]),
                    [TitleWith(FewThreads), few, null],
                    [TitleWith(ManyThreads), many, null],
                ],
            },
        ],
    };

    private static string TitleWith(int threads) => $"First ten rents and returns of a new thread while {threads:N0} others live";

    /// <summary>Measures a new thread's first ten rents and returns while other threads that have used the pool are alive.</summary>
    private static double MedianOfNewThreads(int others, int rounds)
    {
        using var used = new CountdownEvent(others);
        using var end = new ManualResetEventSlim();
        Thread[] threads = [.. Enumerable.Range(0, others).Select(_ => new Thread(UseAndLive, SmallestStack) { IsBackground = true })];
        Array.ForEach(threads, static thread => thread.Start());
        used.Wait();
        double[] samples = [.. Enumerable.Range(0, rounds).Select(static _ => OnFreshThread<TarnShared>(SomePairs))];
        end.Set();
        Array.ForEach(threads, static thread => thread.Join());
        return MedianInterval.Of(samples).Median;

        void UseAndLive()
        {
            RentAndReturn<TarnShared>(SomePairs);
            used.Signal();
            end.Wait();
        }
    }

    private static RoundSamples MeasureThreads(int rounds, Random random, int pairs) =>
        Measure(
            rounds,
            random,
            [PoolNames.TarnShared, PoolNames.BclShared],
            [() => OnFreshThread<TarnShared>(pairs), () => OnFreshThread<BclShared>(pairs)]);

    private static RoundSamples MeasurePools(int rounds, Random random, Func<double> ours, Func<double> theirs) =>
        Measure(rounds, random, [PoolNames.TarnInstance, PoolNames.BclCreated], [ours, theirs]);

    /// <summary>As <see cref="PairedRounds"/>, for work that runs only once and times itself.</summary>
    private static RoundSamples Measure(int rounds, Random random, string[] names, Func<double>[] contenders)
    {
        for (int round = 0; round < WarmUpRounds; round++)
        {
            foreach (Func<double> contender in contenders)
            {
                contender();
            }

            if (round % (WarmUpRounds / 3) == 0)
            {
                Thread.Sleep(s_pause);
            }
        }

        Thread.Sleep(s_pause);
        double[][] samples = [.. contenders.Select(_ => new double[rounds])];
        foreach ((int round, int contender) in Turns.Take(contenders.Length, rounds, random))
        {
            samples[contender][round] = contenders[contender]();
        }

        return new RoundSamples(names, samples);
    }

    private static double OnFreshThread<TPool>(int pairs)
        where TPool : struct, IBytePool
    {
        double nanoseconds = 0;
        var thread = new Thread(() =>
        {
            long start = Stopwatch.GetTimestamp();
            RentAndReturn<TPool>(pairs);
            nanoseconds = Clock.NanosecondsSince(start);
        });
        thread.Start();
        thread.Join();
        return nanoseconds;
    }

    private static void RentAndReturn<TPool>(int pairs)
        where TPool : struct, IBytePool
    {
        TPool pool = default;
        for (int pair = 0; pair < pairs; pair++)
        {
            pool.Return(pool.Rent(Size));
        }
    }

    private static double OnFreshPool(ArrayPool<byte> pool)
    {
        long start = Stopwatch.GetTimestamp();
        pool.Return(pool.Rent(Size));
        return Clock.NanosecondsSince(start);
    }

    private double CreatingAndUsing(Func<ArrayPool<byte>> create)
    {
        long start = Stopwatch.GetTimestamp();
        ArrayPool<byte> pool = create();
        pool.Return(pool.Rent(Size));
        double nanoseconds = Clock.NanosecondsSince(start);
        _kept = pool;
        return nanoseconds;
    }

    private double Creating(Func<object> create)
    {
        long start = Stopwatch.GetTimestamp();
        _kept = create();
        return Clock.NanosecondsSince(start);
    }
}
