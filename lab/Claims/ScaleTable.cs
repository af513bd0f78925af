using System.Globalization;
using System.Text;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Claims;

/// <summary>
/// What passes each lock, from the newest recorded run of the experiment <c>scale</c>: the table that documents show between the markers of
/// <see cref="Id"/>.
/// </summary>
internal static class ScaleTable
{
    public const string Id = "scale-places";

    /// <summary>The visits of a place in a million calls that make it worth a row.</summary>
    private const double LeastVisits = 1000;

    /// <returns>The table; a sentence if no run has one.</returns>
    public static string Read(string repositoryRoot)
    {
        string folder = Path.Combine(repositoryRoot, "lab", "results");
        (LabReport Report, Table Table)? newest = (
            from path in Directory.Exists(folder) ? Directory.GetFiles(folder, ReportWriter.Results, SearchOption.AllDirectories) : []
            let report = ReportReader.Read(path)
            from table in report.Sections.SelectMany(static section => section.Tables)
            where table.Id == Id
            orderby report.Run.StartedAt descending
            select ((LabReport, Table)?)(report, table)).FirstOrDefault();
        return newest is { } recorded ? Write(recorded.Report.Run, recorded.Table) : "\n\nNo run is recorded.\n";
    }

    private static string Write(RunInfo run, Table table)
    {
        int[] columns = [.. table.Columns.Select(static (column, index) => (column, index))
            .Where(static one => one.column.Kind == ColumnKind.Number).Select(static one => one.index)];
        StringBuilder rows = new("\n\n");
        rows.Append(CultureInfo.InvariantCulture, $"Counted on {run.StartedAt:yyyy-MM-dd}, on {run.Machine.LogicalCores} processors:\n\n");
        rows.Append("| ").AppendJoin(" | ", table.Columns.Select(static column => column.Title)).Append(" |\n");
        rows.AppendJoin("", table.Columns.Select(static _ => "|---")).Append("|\n");
        foreach (IReadOnlyList<object?> row in table.Rows.Where(row => columns.Any(column => NumberAt(row, column) >= LeastVisits)))
        {
            rows.Append("| ").AppendJoin(" | ", row.Select(Text)).Append(" |\n");
        }

        return rows.ToString();
    }

    private static string Text(object? cell) => cell as string ?? Quantity.ToDouble(cell!).ToString("#,0", CultureInfo.InvariantCulture);

    private static double NumberAt(IReadOnlyList<object?> row, int column) => row[column] is { } cell ? Quantity.ToDouble(cell) : 0;
}
