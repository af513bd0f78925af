using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments;

/// <summary>The same contenders measured at several points of one scale: buffer sizes, numbers of threads.</summary>
internal sealed class Sweep(IReadOnlyList<int> points, IReadOnlyList<RoundSamples> samples)
{
    public IReadOnlyList<int> Points { get; } = points;

    /// <summary>In the order of <see cref="Points"/>.</summary>
    public IReadOnlyList<RoundSamples> Samples { get; } = samples;

    private IReadOnlyList<string> Contenders => Samples[0].Contenders;

    public static Sweep Run(ExperimentContext context, IReadOnlyList<int> points, Func<int, IReadOnlyList<Trial>> createTrials) =>
        Run(context, context.Rounds, points, createTrials);

    public static Sweep Run(
        ExperimentContext context, RoundSettings settings, IReadOnlyList<int> points, Func<int, IReadOnlyList<Trial>> createTrials)
    {
        Random random = context.CreateRandom();
        List<IReadOnlyList<Trial>> trials = [.. points.Select(createTrials)];
        WarmUp.Run([.. trials.SelectMany(some => some)]);

        var samples = new List<RoundSamples>();
        foreach (IReadOnlyList<Trial> some in trials)
        {
            samples.Add(PairedRounds.Measure(some, settings, random));
            context.Report((double)samples.Count / points.Count);
        }

        return new Sweep(points, samples);
    }

    public IEnumerable<Comparison> Compare(
        int ours, int peer, Func<int, string> id, string group, Func<int, string> title, double? target = null) =>
        Points.Zip(Samples, (point, samples) => samples.Compare(ours, peer, id(point), group, title(point), target));

    /// <summary>The first contender, which is ours, against one peer at every point; empty if this system lacks the peer.</summary>
    public IEnumerable<Comparison> CompareWith(
        string peer, string id, string group, Func<int, string> title, Func<int, double?> target) =>
        Points.Zip(Samples).SelectMany(at => at.Second.CompareWith(
            Contenders[0], [peer], $"{id}-{ByteSize.Id(at.First)}", group, title(at.First), _ => target(at.First)));

    /// <summary>One line a contender; <paramref name="value"/> converts a point and its nanoseconds to the drawn value.</summary>
    public IReadOnlyList<Series> ToSeries(Func<int, double, double> value) =>
    [
        .. Contenders.Select((name, contender) => new Series(
            name,
            PoolNames.RoleOf(name),
            [.. Points.Zip(Samples, (point, samples) => new Point(point, value(point, samples.Median(contender))))])),
    ];

    public Chart TimeAgainstSize(ExperimentContext context, string id, string title, string description) => new()
    {
        Id = id,
        Title = title,
        Description = description,
        Kind = ChartKind.Lines,
        X = new Axis("Size", "B", Logarithmic: true),
        Y = new Axis("Time", "ns", Logarithmic: true),
        Series = ToSeries((_, nanoseconds) => nanoseconds),
        Marks = context.CacheMarks,
    };

    public Table Times(string id, string title, string note, Column point) => new()
    {
        Id = id,
        Title = title,
        Note = note,
        Columns = [point, .. Contenders.Select(name => new Column(name, ColumnKind.Nanoseconds))],
        Rows =
        [
            .. Points.Zip(Samples, (at, samples) =>
                (IReadOnlyList<object?>)[(double)at, .. Contenders.Select((_, contender) => (object?)samples.Median(contender))]),
        ],
    };
}
