using System.Globalization;
using Tarn.Lab.Contenders;
using Tarn.Lab.Model;
using Tarn.Lab.Published;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>The times of all loops of one table, in both builds and with both collectors.</summary>
internal sealed class FrameResults
{
    private static readonly FrameCell s_optimized = new(FrameCell.Workstation, LoopCode.Release, "", 0);
    private readonly IReadOnlyDictionary<FrameCell, double> _nanoseconds;

    /// <param name="nanoseconds">The nanoseconds of one iteration of a loop.</param>
    public FrameResults(IReadOnlyDictionary<FrameCell, double> nanoseconds) => _nanoseconds = nanoseconds;

    private IEnumerable<string> Ways => _nanoseconds.Keys.Select(cell => cell.Way).Distinct();

    private IEnumerable<int> Sizes => _nanoseconds.Keys.Select(cell => cell.Size).Distinct().Order();

    /// <summary>Measures in a process with each collector.</summary>
    public static FrameResults Measure(ExperimentContext context, FrameLoops loops)
    {
        Random random = context.CreateRandom();
        var nanoseconds = new Dictionary<FrameCell, double>();
        foreach ((int done, string collector) in FrameCell.Collectors.Index())
        {
            foreach ((FrameCell cell, double value) in FrameLoopsJob.Start(loops, collector, context.IsFull, random.Next()))
            {
                nanoseconds.Add(cell, value);
            }

            context.Report((done + 1.0) / FrameCell.Collectors.Count);
        }

        return new FrameResults(nanoseconds);
    }

    /// <summary>The document's table for a frame, with the published loops beside ours.</summary>
    public Table OfFrames(string id, string note, PublishedTable published, PublishedTable publishedInDebug) => new()
    {
        Id = id,
        Title = $"{Frames.Size:N0} bytes, loops in {LoopSeconds} s",
        Note = $"{note} Calculated from shorter loops. Published: {published.Source}.",
        Columns =
        [
            new Column("Way", ColumnKind.Text),
            .. Settings.Select(setting => new Column(setting.Heading, ColumnKind.Number)),
            new Column("Published, Release", ColumnKind.Number),
            new Column("Published, Debug", ColumnKind.Number),
        ],
        Rows =
        [
            .. Ways.Select(way => (IReadOnlyList<object?>)
            [
                way,
                .. Settings.Select(setting =>
                    (object?)Value(setting with { Way = way, Size = Frames.Size }, (_, nanoseconds) => Frames.LoopsOf(nanoseconds))),
                Loops(published, way),
                Loops(publishedInDebug, way),
            ]),
        ],
    };

    /// <summary>A table of loops for each code and collector.</summary>
    public IReadOnlyList<Table> BySize(string id, string note) =>
    [
        .. Settings.Select(setting => BySize(
            $"{id}-{setting.Code.ToString().ToLowerInvariant()}-{setting.Collector}",
            $"{setting.Heading}, loops in {LoopSeconds} s",
            note,
            setting,
            (_, nanoseconds) => Frames.LoopsOf(nanoseconds))),
    ];

    /// <summary>A table of a value other than loops, for optimized code and the workstation collector.</summary>
    /// <param name="id">The table's.</param>
    /// <param name="title">The table's.</param>
    /// <param name="note">The table's.</param>
    /// <param name="value">Converts a size and its nanoseconds to the cell's value.</param>
    public Table BySize(string id, string title, string note, Func<double, double, double> value) =>
        BySize(id, title, note, s_optimized, value);

    /// <summary>One line for each way, for optimized code and the workstation collector.</summary>
    /// <param name="value">Converts a size and its nanoseconds to the drawn value.</param>
    public IEnumerable<Series> ToSeries(Func<double, double, double> value) =>
        Ways.Select(way => new Series(
            way,
            PoolNames.RoleOf(way),
            [
                .. Sizes.Select(size => s_optimized with { Way = way, Size = size })
                    .Where(_nanoseconds.ContainsKey)
                    .Select(cell => new Point(cell.Size, value(cell.Size, _nanoseconds[cell]))),
            ]));

    private static string LoopSeconds => Frames.LoopTime.TotalSeconds.ToString(CultureInfo.InvariantCulture);

    private static IEnumerable<FrameCell> Settings =>
        FrameCell.Collectors.SelectMany(collector => Enum.GetValues<LoopCode>().Select(code => new FrameCell(collector, code, "", 0)));

    private static double? Loops(PublishedTable published, string way) =>
        published.Find(way, Frames.Size) is { } figure ? Frames.LoopsOf(figure.Middle) : null;

    private Table BySize(string id, string title, string note, FrameCell setting, Func<double, double, double> value) => new()
    {
        Id = id,
        Title = title,
        Note = note,
        Columns = [new Column("Size", ColumnKind.Bytes), .. Ways.Select(way => new Column(way, ColumnKind.Number))],
        Rows =
        [
            .. Sizes.Where(size => setting.Code == LoopCode.Release || size <= FrameLoops.MostInDebug).Select(size =>
                (IReadOnlyList<object?>)[(double)size, .. Ways.Select(way =>
                    (object?)Value(setting with { Way = way, Size = size }, value))]),
        ],
    };

    /// <summary>Returns a value; null if the way is not measured, such as a gigabyte on the stack.</summary>
    private double? Value(FrameCell cell, Func<double, double, double> value) =>
        _nanoseconds.TryGetValue(cell, out double nanoseconds) ? value(cell.Size, nanoseconds) : null;
}
