using System.Text.Json;
using Tarn.Lab.Claims;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Running;

/// <summary>What the library without one mechanism showed beside the library, as recorded under lab/results/ablations.</summary>
internal sealed record AblationRecord
{
    /// <summary>A ratio this near to 1 is no difference, whatever its interval.</summary>
    private const double LeastTime = 0.03;

    private const double LeastRetained = 0.1;

    public required string Name { get; init; }

    public required DateTimeOffset MeasuredAt { get; init; }

    public required string Processor { get; init; }

    public required int LogicalCores { get; init; }

    /// <summary><c>quick</c> or <c>full</c>.</summary>
    public required string Mode { get; init; }

    /// <summary>The number of works measured.</summary>
    public required int Works { get; init; }

    /// <summary>The works that the mechanism makes a difference to.</summary>
    public required IReadOnlyList<AblationRow> Rows { get; init; }

    public static string FolderOf(string repositoryRoot) => Path.Combine(repositoryRoot, "lab", "results", "ablations");

    /// <summary>Takes the rows that differ from a report of <c>--without</c>.</summary>
    /// <remarks>
    /// A time differs if its interval excludes 1 by <see cref="LeastTime"/>, and by more than the same code in another assembly differs from
    /// itself. Retained memory differs by a tenth or more.
    /// </remarks>
    public static AblationRecord Of(string name, LabReport report)
    {
        Table table = report.Sections.Single().Tables.Single();
        int again = ColumnOf(table, "again ÷ this");
        int retained = ColumnOf(table, "Retained");
        List<AblationRow> rows = [];
        foreach ((Comparison time, IReadOnlyList<object?> cells) in report.Comparisons.Zip(table.Rows))
        {
            double noise = Math.Abs(1 - Quantity.ToDouble(cells[again]!));
            bool differs = (time.RatioHigh < 1 - LeastTime || time.RatioLow > 1 + LeastTime) && Math.Abs(1 - time.Ratio) > noise;
            double? kept = cells[retained] is { } with && cells[retained + 1] is { } without
                ? Quantity.ToDouble(with) / Quantity.ToDouble(without)
                : null;
            kept = kept is { } ratio && Math.Abs(1 - ratio) >= LeastRetained ? kept : null;
            if (differs || kept is not null)
            {
                rows.Add(new AblationRow(time.Title, differs ? new Interval(time.Ratio, time.RatioLow, time.RatioHigh) : null, kept));
            }
        }

        return new AblationRecord
        {
            Name = name,
            MeasuredAt = report.Run.StartedAt,
            Processor = report.Run.Machine.Processor,
            LogicalCores = report.Run.Machine.LogicalCores,
            Mode = report.Run.Mode,
            Works = report.Comparisons.Count,
            Rows = rows,
        };
    }

    /// <summary>Reads the records of all mechanisms that have one, in the order of <see cref="Ablation.All"/>.</summary>
    /// <exception cref="InvalidDataException">A file is not a record, or is that of a mechanism which does not exist.</exception>
    public static IReadOnlyList<AblationRecord> ReadCommitted(string repositoryRoot)
    {
        string folder = FolderOf(repositoryRoot);
        string[] files = Directory.Exists(folder) ? Directory.GetFiles(folder, "*.json") : [];
        return
        [
            .. files.Select(Read).OrderBy(static record => Ablation.All.ToList().IndexOf(Ablation.Find(record.Name))),
        ];
    }

    public string WriteTo(string repositoryRoot)
    {
        string folder = Directory.CreateDirectory(FolderOf(repositoryRoot)).FullName;
        string path = Path.Combine(folder, Name + ".json");
        File.WriteAllText(path, JsonSerializer.Serialize(this, ReportJson.Options) + "\n");
        return path;
    }

    private static AblationRecord Read(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<AblationRecord>(File.ReadAllText(path), ReportJson.Options)
                ?? throw new InvalidDataException($"{path} holds no record of a mechanism.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is not a record of a mechanism: {exception.Message}", exception);
        }
    }

    private static int ColumnOf(Table table, string title) =>
        Enumerable.Range(0, table.Columns.Count).Single(index => table.Columns[index].Title == title);
}

/// <summary>One work that a mechanism makes a difference to.</summary>
/// <param name="Title">The work.</param>
/// <param name="Time">The time with the mechanism, ÷ that without; null if they do not differ.</param>
/// <param name="Retained">The most memory retained with the mechanism, ÷ that without; null if they do not differ.</param>
internal sealed record AblationRow(string Title, Interval? Time, double? Retained);

/// <summary>A median, and the 95 % interval of it.</summary>
internal sealed record Interval(double Median, double Low, double High);
