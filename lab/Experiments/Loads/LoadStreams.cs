using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>Streams cleared on the disposing thread and in the background, where one thread rents and another returns.</summary>
/// <param name="Samples">In the order of <see cref="s_zeroings"/>.</param>
/// <param name="Disposals">The same, of large streams that are disposed one by one.</param>
/// <param name="PeakInUseBytes">The same.</param>
/// <param name="RetainedBytes">The same.</param>
internal sealed record LoadStreams(
    RoundSamples Samples, RoundSamples Disposals, IReadOnlyList<long> PeakInUseBytes, IReadOnlyList<long> RetainedBytes)
{
    private const int Large = 16 << 20;
    private const int Threads = 2;
    private static readonly StreamClearing[] s_zeroings = [StreamClearing.Background, StreamClearing.OnReturn];

    public static LoadStreams Measure(ExperimentContext context, Random random)
    {
        BufferPool<byte>[] pools =
            [.. s_zeroings.Select(zeroing => BufferPool<byte>.Create(new BufferPoolOptions { Name = $"lab {zeroing}" }))];
        long[][] peaks = [.. s_zeroings.Select(_ => new long[1])];
        byte[] source = WrittenStreams<TarnStreamWith>.CreateSource();
        Trial[] trials =
        [
            .. s_zeroings.Select((zeroing, index) => new LoopTrial<WrittenStreams<TarnStreamWith>>(
                NameOf(zeroing),
                new(new(new PooledMemoryStreamOptions { Pool = pools[index], Clearing = zeroing }), pools[index], source, peaks[index]))),
        ];
        WarmUp.Run(trials);
        RoundSettings rounds = context.IsFull ? new(25, TimeSpan.FromMilliseconds(60)) : new(9, TimeSpan.FromMilliseconds(40));
        RoundSamples samples = PairedRounds.Measure(trials, rounds, random);
        long[] retained = [.. pools.Select(static pool => pool.GetStatistics().RetainedBytes)];
        Array.ForEach(pools, static pool => pool.Trim());
        return new LoadStreams(samples, MeasureDisposals(context, random, pools), [.. peaks.Select(static peak => peak[0])], retained);
    }

    private static RoundSamples MeasureDisposals(ExperimentContext context, Random random, BufferPool<byte>[] pools)
    {
        byte[] source = new byte[Large];
        Trial[] trials =
        [
            .. s_zeroings.Select((zeroing, index) => new DisposedStreams(
                NameOf(zeroing), new PooledMemoryStreamOptions { Pool = pools[index], Clearing = zeroing }, source)),
        ];
        // Each iteration takes much longer than what is timed of it.
        Array.ForEach(trials, static trial => trial.Run(iterations: 60));
        RoundSamples samples = PairedRounds.Measure(trials, iterations: [5, 5], context.IsFull ? 25 : 9, random);
        Array.ForEach(pools, static pool => pool.Trim());
        return samples;
    }

    public IEnumerable<Figure> ToFigures() =>
    [
        new Figure
        {
            Id = "loads-streams-time",
            Title = "Time of a stream cleared in the background, of one cleared on release",
            Value = Samples.Ratio(0, 1).Median,
            Unit = "",
            Bound = 1,
        },
        new Figure
        {
            Id = "loads-streams-disposal",
            Title = $"Time of disposing {ByteSize.Text(Large)} cleared in the background, of disposing them cleared on release",
            Value = Disposals.Ratio(0, 1).Median,
            Unit = "",
        },
        .. s_zeroings.Select((zeroing, index) => new Figure
        {
            Id = $"loads-streams-retained-{zeroing.ToString().ToLowerInvariant()}",
            Title = $"Retained, of five times the most in use and 1 MiB a thread. {NameOf(zeroing)}",
            Value = RetainedBytes[index] / MixedLoad.AllowedRetained(PeakInUseBytes[index], Threads),
            Unit = "",
            Bound = 1,
        }),
    ];

    public Table ToTable() => new()
    {
        Id = "loads-streams",
        Title = "Streams uniform to 1 MB, written and disposed",
        Note = "In use includes memory that waits to be cleared, at most 64 MiB.",
        Columns =
        [
            new Column("Stream", ColumnKind.Text),
            new Column("One stream", ColumnKind.Nanoseconds),
            new Column("Streams a second", ColumnKind.Number),
            new Column($"Disposal of {ByteSize.Text(Large)}", ColumnKind.Nanoseconds),
            new Column("Most in use", ColumnKind.Bytes),
            new Column("Retained", ColumnKind.Bytes),
        ],
        Rows =
        [
            .. s_zeroings.Select((zeroing, index) => (IReadOnlyList<object?>)
            [
                NameOf(zeroing),
                Samples.Median(index),
                Math.Round(1e9 / Samples.Median(index)),
                Disposals.Median(index),
                (double)PeakInUseBytes[index],
                (double)RetainedBytes[index],
            ]),
        ],
    };

    private static string NameOf(StreamClearing zeroing) => $"{StreamNames.Tarn}, StreamClearing.{zeroing}";
}
