using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Many small streams on many threads at once, as in a server.</summary>
internal sealed class StreamThreadsExperiment : IExperiment
{
    private const string Group = "Streams on many threads";
    private const double Target = 1.0;
    private static readonly int[] s_threads = [2, 8, 32];

    public string Id => "stream-threads";

    public string Title => "Small streams on many threads";

    public double QuickSeconds => 6;

    public double FullSeconds => 60;

    public ExperimentResult Run(ExperimentContext context)
    {
        Crew[] crews = [.. s_threads.Select(threads => new Crew(threads))];
        IReadOnlyList<StreamContender> contenders = StreamContenders.Create();
        RoundSettings rounds = context.IsFull ? context.CrewRounds : new(9, TimeSpan.FromMilliseconds(15));
        Sweep sweep = Sweep.Run(context, rounds, s_threads, threads =>
            [.. contenders.Select(contender => StreamTrials.Mixed(contender, crews[Array.IndexOf(s_threads, threads)]))]);

        foreach (Crew crew in crews)
        {
            crew.Dispose();
        }

        StreamPeers.Release();
        return new ExperimentResult(Describe(sweep))
        {
            Comparisons = [.. s_threads.Zip(sweep.Samples, Compare).SelectMany(some => some)],
        };
    }

    private static IEnumerable<Comparison> Compare(int threads, RoundSamples samples) =>
        samples.CompareWith(
            StreamNames.Tarn,
            StreamPeers.Names,
            $"stream-threads-{threads}",
            Group,
            $"Streams of 1 to 16 KiB on {threads} threads",
            _ => Target);

    private Section Describe(Sweep sweep) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Every thread creates streams of 1 to 16 KiB, writes each in pieces of 1 KiB, reads it back and disposes it. No two in a "
            + "row have the same size. Times are core time for one stream: wall time multiplied by the cores in use."
            + StreamPeers.DescribeMissing(),
        Charts =
        [
            new Chart
            {
                Id = "stream-threads-throughput",
                Title = "Throughput",
                Description = "Streams a second, all threads together, against the number of threads.",
                Kind = ChartKind.Lines,
                X = new Axis("Threads", "", Logarithmic: true),
                Y = new Axis("Throughput", "op/s", Logarithmic: false),
                Series = sweep.ToSeries((threads, nanoseconds) => Math.Min(threads, Environment.ProcessorCount) * 1e9 / nanoseconds),
            },
        ],
        Tables = [sweep.Times("stream-threads-times", "One stream of 1 to 16 KiB", "Core time.", new Column("Threads", ColumnKind.Number))],
    };
}
