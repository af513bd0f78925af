using System.Globalization;
using System.Text;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report;

/// <summary>Tables for other programs: raw numbers in the base unit, which the header names; RFC 4180 quoting.</summary>
internal static class CsvWriter
{
    private static readonly string[] s_comparisonHeader =
    [
        "id", "group", "title", "ours", "peer", "unit", "ours value", "peer value",
        "ratio", "ratio low", "ratio high", "rounds", "target", "outcome", "target is",
    ];

    public static string Write(Table table)
    {
        var csv = new StringBuilder();
        AppendRow(csv, table.Columns.Select(Header));
        foreach (var row in table.Rows)
        {
            AppendRow(csv, table.Columns.Select((column, i) => Cell(row.ElementAtOrDefault(i), column.Kind)));
        }

        return csv.ToString();
    }

    public static string Write(IReadOnlyList<Comparison> comparisons)
    {
        var csv = new StringBuilder();
        AppendRow(csv, s_comparisonHeader);
        foreach (var c in comparisons)
        {
            AppendRow(csv,
            [
                c.Id, c.Group, c.Title, c.Ours, c.Peer, c.Unit, Number(c.OursValue), Number(c.PeerValue),
                Number(c.Ratio), Number(c.RatioLow), Number(c.RatioHigh), Number(c.Rounds),
                c.Target is { } target ? Number(target) : "", ComparisonWords.Word(c), ComparisonWords.TargetWord(c),
            ]);
        }

        return csv.ToString();
    }

    private static string Header(Column column) =>
        Quantity.UnitOf(column.Kind) is { Length: > 0 } unit ? $"{column.Title} ({unit})" : column.Title;

    private static string Cell(object? cell, ColumnKind kind) => cell switch
    {
        null => "",
        string text => text,
        _ when kind == ColumnKind.YesNo => double.IsNaN(Quantity.ToDouble(cell)) ? "" : Quantity.Cell(cell, kind),
        _ => Number(Quantity.ToDouble(cell)),
    };

    private static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    private static void AppendRow(StringBuilder csv, IEnumerable<string> fields) => csv.AppendJoin(',', fields.Select(Quote)).Append('\n');

    private static string Quote(string field) =>
        field.AsSpan().IndexOfAny(",\"\r\n") < 0 ? field : $"\"{field.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
