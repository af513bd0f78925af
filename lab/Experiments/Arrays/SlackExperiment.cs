using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>How much longer the buffer is than requested, for every length.</summary>
internal sealed class SlackExperiment : IExperiment
{
    private const double WorstBound = 0.20;
    private const double MeanBound = 0.10;
    private const int PointsPerDoubling = 16;

    // Below the smallest array of the BCL's pools, a share is meaningless: for one byte requested, fifteen more are given.
    private const int ShortestCounted = 16;
    private static readonly (int From, int To)[] s_ranges =
        [
            (1, ShortestCounted - 1), (ShortestCounted, 1 << 10), ((1 << 10) + 1, 64 << 10), ((64 << 10) + 1, 1 << 20),
            ((1 << 20) + 1, 4 << 20),
        ];

    public string Id => "slack";

    public string Title => "Slack";

    public double QuickSeconds => 1;

    public double FullSeconds => 1;

    public ExperimentResult Run(ExperimentContext context)
    {
        int[] ours = Measure(BufferPool<byte>.Create());
        context.Report(0.5);
        int[] peer = Measure(ArrayPool<byte>.Shared);
        (double worst, double mean) = Summarize(ours, ShortestCounted, ours.Length - 1);
        return new ExperimentResult(Describe(context, ours, peer))
        {
            Figures =
            [
                new Figure { Id = "slack-worst", Title = "Worst slack, share of the buffer", Value = worst, Unit = "", Bound = WorstBound },
                new Figure { Id = "slack-mean", Title = "Mean slack, share of the buffer", Value = mean, Unit = "", Bound = MeanBound },
            ],
        };
    }

    /// <summary>Returns the length given for each requested length; index 0 is unused.</summary>
    private static int[] Measure(ArrayPool<byte> pool)
    {
        var given = new int[s_ranges[^1].To + 1];
        for (int asked = 1; asked < given.Length; asked++)
        {
            byte[] buffer = pool.Rent(asked);
            given[asked] = buffer.Length;
            pool.Return(buffer);
        }

        return given;
    }

    private static double ShareOf(int[] given, int asked) => (given[asked] - asked) / (double)given[asked];

    private static (double Worst, double Mean) Summarize(int[] given, int from, int to)
    {
        double worst = 0;
        double sum = 0;
        for (int asked = from; asked <= to; asked++)
        {
            double share = ShareOf(given, asked);
            worst = Math.Max(worst, share);
            sum += share;
        }

        return (worst, sum / (to - from + 1));
    }

    private Section Describe(ExperimentContext context, int[] ours, int[] peer) => new()
    {
        Id = Id,
        Title = Title,
        Text = $"Every length from 1 B to {ByteSize.Text(s_ranges[^1].To)} is rented once, and the buffer's length is noted. Slack is the "
            + "part of the buffer that was not requested, as a share of the buffer: memory that is paid for but not used. The verdict "
            + $"counts lengths from {ShortestCounted} B.",
        Charts =
        [
            new Chart
            {
                Id = "slack-share",
                Title = "Share of the buffer that was not requested",
                Description = "Slack as a share of the buffer against the requested length.",
                Kind = ChartKind.Lines,
                X = new Axis("Length asked", "B", Logarithmic: true),
                Y = new Axis("Slack", "", Logarithmic: false),
                Series = [ToSeries(PoolNames.TarnShared, ours), ToSeries(PoolNames.BclShared, peer)],
                Marks = context.CacheMarks,
            },
        ],
        Tables =
        [
            new Table
            {
                Id = "slack-ranges",
                Title = "Worst and mean",
                Note = "Shares of the buffer, 1 being all of it.",
                Columns =
                [
                    new Column("Lengths", ColumnKind.Text),
                    new Column("Worst, " + PoolNames.TarnShared, ColumnKind.Number),
                    new Column("Mean, " + PoolNames.TarnShared, ColumnKind.Number),
                    new Column("Worst, " + PoolNames.BclShared, ColumnKind.Number),
                    new Column("Mean, " + PoolNames.BclShared, ColumnKind.Number),
                ],
                Rows = [.. s_ranges.Select(range => ToRow(range, ours, peer))],
            },
        ],
    };

    private static IReadOnlyList<object?> ToRow((int From, int To) range, int[] ours, int[] peer)
    {
        (double worst, double mean) = Summarize(ours, range.From, range.To);
        (double peerWorst, double peerMean) = Summarize(peer, range.From, range.To);
        return [$"{range.From:N0} to {range.To:N0} B", worst, mean, peerWorst, peerMean];
    }

    /// <summary>
    /// Evenly spaced on a logarithmic axis, each point the worst of its stretch, so that no peak falls between two points.
    /// </summary>
    private static Series ToSeries(string name, int[] given)
    {
        var points = new List<Point>();
        int from = ShortestCounted;
        while (from < given.Length)
        {
            int to = Math.Min(Math.Max(from, (int)(from * Math.Pow(2, 1.0 / PointsPerDoubling)) - 1), given.Length - 1);
            points.Add(new Point(from, Summarize(given, from, to).Worst));
            from = to + 1;
        }

        return new Series(name, PoolNames.RoleOf(name), points);
    }
}
