using System.Text.Json;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Claims;

/// <summary>What the library without one mechanism showed beside the library, as recorded under lab/results/ablations.</summary>
internal sealed record AblationRecord
{
    private static readonly JsonSerializerOptions s_json = new(ReportJson.Options) { WriteIndented = false };

    /// <summary>The name after <c>--without</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What a run without it lacks.</summary>
    public required string Takes { get; init; }

    public required DateTimeOffset MeasuredAt { get; init; }

    public required string Processor { get; init; }

    public required int LogicalCores { get; init; }

    /// <summary><c>quick</c> or <c>full</c>.</summary>
    public required string Mode { get; init; }

    public required IReadOnlyList<AblationRow> Rows { get; init; }

    public static string FolderOf(string repositoryRoot) => Path.Combine(repositoryRoot, "lab", "results", "ablations");

    /// <summary>Takes the rows from a report of <c>--without</c>.</summary>
    public static AblationRecord Of(string name, string takes, LabReport report)
    {
        Table table = report.Sections.Single().Tables.Single();
        int again = ColumnOf(table, "again ÷ this");
        int retained = ColumnOf(table, "Retained");
        return new AblationRecord
        {
            Name = name,
            Takes = takes,
            MeasuredAt = report.Run.StartedAt,
            Processor = report.Run.Machine.Processor,
            LogicalCores = report.Run.Machine.LogicalCores,
            Mode = report.Run.Mode,
            Rows =
            [
                .. report.Comparisons.Zip(table.Rows, (time, cells) => new AblationRow(
                    time.Title,
                    time.Ratio,
                    time.RatioLow,
                    time.RatioHigh,
                    NumberAt(cells, again)!.Value,
                    NumberAt(cells, retained),
                    NumberAt(cells, retained + 1))),
            ],
        };
    }

    /// <summary>Reads the records of all mechanisms that have one, by name.</summary>
    /// <exception cref="InvalidDataException">A file is not a record.</exception>
    public static IReadOnlyList<AblationRecord> ReadCommitted(string repositoryRoot)
    {
        string folder = FolderOf(repositoryRoot);
        return Directory.Exists(folder) ? [.. Directory.GetFiles(folder, "*.json").Order(StringComparer.Ordinal).Select(Read)] : [];
    }

    public string WriteTo(string repositoryRoot)
    {
        string folder = Directory.CreateDirectory(FolderOf(repositoryRoot)).FullName;
        string path = Path.Combine(folder, Name + ".json");
        File.WriteAllText(path, JsonSerializer.Serialize(this, s_json) + "\n");
        return path;
    }

    private static AblationRecord Read(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<AblationRecord>(File.ReadAllText(path), s_json)
                ?? throw new InvalidDataException($"{path} holds no record of a mechanism.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is not a record of a mechanism: {exception.Message}", exception);
        }
    }

    private static int ColumnOf(Table table, string title) =>
        Enumerable.Range(0, table.Columns.Count).Single(index => table.Columns[index].Title == title);

    private static double? NumberAt(IReadOnlyList<object?> cells, int column) =>
        cells[column] is { } cell ? Quantity.ToDouble(cell) : null;
}

/// <summary>One work with a mechanism and without it.</summary>
/// <param name="Title">The work.</param>
/// <param name="Time">The time with the mechanism ÷ that without: the median of the rounds.</param>
/// <param name="Low">The lower end of its 95 % interval.</param>
/// <param name="High">The upper end.</param>
/// <param name="Again">The time of the same code in another assembly, ÷ its time.</param>
/// <param name="Retained">The most memory retained with the mechanism, of the most in use; null where it was not counted.</param>
/// <param name="RetainedWithout">The same without the mechanism.</param>
internal sealed record AblationRow(
    string Title, double Time, double Low, double High, double Again, double? Retained, double? RetainedWithout);
