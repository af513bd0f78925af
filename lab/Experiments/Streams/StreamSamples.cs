using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>The samples of a <see cref="StreamSeries"/>, for each size in order.</summary>
internal sealed record StreamSamples(StreamSeries Series, IReadOnlyList<int> Sizes, IReadOnlyList<RoundSamples> Samples)
{
    private IReadOnlyList<string> Contenders => [.. Samples.SelectMany(samples => samples.Contenders).Distinct()];

    public Table ToTable() => new()
    {
        Id = $"streams-{Series.Id}-times",
        Title = Capitalize(Series.Title),
        Note = "Five streams created, written, read and disposed.",
        Columns = [new Column("Size", ColumnKind.Bytes), .. Contenders.Select(name => new Column(name, ColumnKind.Nanoseconds))],
        Rows =
        [
            .. Sizes.Zip(Samples, (size, samples) =>
                (IReadOnlyList<object?>)[(double)size, .. Contenders.Select(name => (object?)MedianOf(samples, name))]),
        ],
    };

    public Chart ToChart(ExperimentContext context) => new()
    {
        Id = $"streams-{Series.Id}-time",
        Title = Capitalize(Series.Title),
        Description = "Nanoseconds for five streams against the size of one, both logarithmic.",
        Kind = ChartKind.Lines,
        X = new Axis("Size", "B", Logarithmic: true),
        Y = new Axis("Time", "ns", Logarithmic: true),
        Series = [.. Contenders.Where(IsDrawn).Select(name => new Series(name, PoolNames.RoleOf(name), [.. PointsOf(name)]))],
        Marks = context.CacheMarks,
    };

    /// <summary>
    /// Whether a contender is drawn. A picture of fifteen lines is unreadable, so those that receive the size are only in the table.
    /// </summary>
    private static bool IsDrawn(string name) => name != StreamNames.Sized(name.Split(',')[0]);

    private IEnumerable<Point> PointsOf(string name) =>
        Sizes.Zip(Samples).Where(at => at.Second.IndexOf(name) >= 0).Select(at => new Point(at.First, MedianOf(at.Second, name)!.Value));

    private static double? MedianOf(RoundSamples samples, string name) =>
        samples.IndexOf(name) is >= 0 and int index ? samples.Median(index) : null;

    private static string Capitalize(string title) => char.ToUpperInvariant(title[0]) + title[1..];
}
