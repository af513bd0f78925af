using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Replay;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>Asynchronous code, which often returns a buffer on another thread than the one that rented it.</summary>
internal sealed class RequestsExperiment : IExperiment
{
    private const string Group = "Asynchronous requests";
    private const double TimeTarget = 0.8;
    private const double AllocatedTarget = 0.01;

    // Each request allocates its tasks, whichever pool it uses.
    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(1);

    public string Id => "requests";

    public string Title => "Asynchronous requests";

    public double QuickSeconds => 5;

    public double FullSeconds => 15;

    public ExperimentResult Run(ExperimentContext context)
    {
        var pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "lab requests" });
        var ours = new AsyncRequests<TarnInstance>(PoolNames.TarnInstance, new(pool));
        var shared = new AsyncRequests<BclShared>(PoolNames.BclShared, default);
        RoundSettings rounds = context.IsFull ? new(41, TimeSpan.FromMilliseconds(100)) : new(11, TimeSpan.FromMilliseconds(80));
        int[] iterations = [.. new Trial[] { ours, shared }.Select(trial => Settle(trial, rounds.SampleTime))];
        ours.BeginCounting();
        shared.BeginCounting();
        RoundSamples samples = PairedRounds.Measure([ours, shared], iterations, rounds.Rounds, context.CreateRandom());
        long retained = pool.GetStatistics().RetainedBytes;
        double allowed = MixedLoad.AllowedRetained(ours.PeakInUseBytes, ThreadPool.ThreadCount);
        pool.Trim();
        long sharedRetained = RetainedBy(default(BclShared), rounds.SampleTime);
        context.Report(1);
        return new ExperimentResult(Describe(samples, ours, shared, [retained, sharedRetained], allowed))
        {
            Comparisons = [samples.Compare(0, 1, Id, Group, "A request", TimeTarget)],
            Figures =
            [
                new Figure
                {
                    Id = "requests-allocated",
                    Title = "Allocated by asynchronous requests with their tasks, of the bytes rented",
                    Value = (double)ours.AllocatedBytes / ours.RentedBytes,
                    Unit = "",
                    Bound = AllocatedTarget,
                },
                new Figure
                {
                    Id = "requests-retained",
                    Title = "Retained after asynchronous requests, of five times the most in use and 1 MiB a thread",
                    Value = retained / allowed,
                    Unit = "",
                    Bound = 1,
                },
            ],
        };
    }

    /// <summary>Runs until the pool is warm. Returns the number of requests that take the time of a sample.</summary>
    private static int Settle(Trial trial, TimeSpan sampleTime)
    {
        int iterations = AsyncRequests<BclShared>.Clients * 10;
        double spent = 0;
        double last = 0;
        while (spent < s_settling.TotalNanoseconds)
        {
            last = trial.Run(iterations);
            spent += last;
            iterations *= last < sampleTime.TotalNanoseconds ? 2 : 1;
        }

        return (int)Math.Max(1, iterations * sampleTime.TotalNanoseconds / last);
    }

    /// <summary>Returns the bytes of the arrays that a pool without statistics handed out in a short run and that stay alive.</summary>
    private static long RetainedBy<TPool>(TPool pool, TimeSpan sampleTime)
        where TPool : struct, IBytePool
    {
        var census = new PoolCensus();
        _ = Settle(new AsyncRequests<CountedPool<TPool>>("", new(pool, census)), sampleTime);
        return census.CountLivingBytes();
    }

    private Section Describe(
        RoundSamples samples, AsyncRequests<TarnInstance> ours, AsyncRequests<BclShared> shared, long[] retained, double allowed) => new()
        {
            Id = Id,
            Title = Title,
            Text = $"{AsyncRequests<BclShared>.Clients} asynchronous requests at a time on the thread pool. Each rents 4 KiB, awaits, "
                + "rents a body of up to 300 kB (log-uniform), awaits, rents up to eleven parts of 16 KiB, awaits, and returns everything "
                + "on its current thread. One in eight sends a buffer of 64 KiB to two tasks that return it. First and last bytes are "
                + "verified.",
            Tables =
            [
                new Table
                {
                    Id = "requests-table",
                    Title = "Time, allocation and memory",
                    Note = "Allocated includes the tasks of the requests, the same for both. The retained bytes of ArrayPool.Shared are "
                        + "those of arrays handed out in a run of a second that survive a collection: a lower bound.",
                    Columns =
                    [
                        new Column("Pool", ColumnKind.Text),
                        new Column("A request", ColumnKind.Nanoseconds),
                        new Column("Allocated of the bytes rented, %", ColumnKind.Number),
                        new Column("Most in use", ColumnKind.Bytes),
                        new Column("Retained", ColumnKind.Bytes),
                        new Column("Allowed", ColumnKind.Bytes),
                    ],
                    Rows =
                    [
                        [
                            ours.Name,
                            samples.Median(0),
                            100.0 * ours.AllocatedBytes / ours.RentedBytes,
                            (double)ours.PeakInUseBytes,
                            (double)retained[0],
                            allowed,
                        ],
                        [
                            shared.Name,
                            samples.Median(1),
                            100.0 * shared.AllocatedBytes / shared.RentedBytes,
                            (double)shared.PeakInUseBytes,
                            (double)retained[1],
                            null,
                        ],
                    ],
                },
            ],
        };
}
