using System.Globalization;

namespace Tarn.Pages;

/// <summary>
/// Writes measured numbers for people: three significant digits and the unit that fits. Sizes are binary (KiB), except round decimal
/// ones such as 100,000 bytes, which a reader would not recognise as 97.7 KiB.
/// </summary>
internal static class Quantity
{
    /// <summary>The text for a missing measurement.</summary>
    public const string Missing = "–";

    private static readonly string[] s_binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB"];
    private static readonly string[] s_decimalUnits = ["B", "kB", "MB", "GB", "TB"];
    private static readonly string[] s_times = ["ns", "µs", "ms", "s"];
    private static readonly string[] s_thousands = ["", "k", "M", "G", "T"];

    /// <summary>A value in one of the units an <see cref="Axis"/> or <see cref="Comparison"/> may carry.</summary>
    public static string Format(double value, string unit) => Format(value, unit, Significant);

    /// <summary>The same without trailing zeros, for the marks of an axis.</summary>
    public static string Tick(double value, string unit) => value == 0 ? "0" : Format(value, unit, Shortest);

    /// <summary>A cell as its column says; <see langword="null"/> and NaN are <see cref="Missing"/>.</summary>
    public static string Cell(object? cell, ColumnKind kind) => cell switch
    {
        null => Missing,
        string text => text,
        _ => ToDouble(cell) is var value && kind == ColumnKind.YesNo
            ? double.IsNaN(value) ? Missing : value == 0 ? "no" : "yes"
            : Format(value, UnitOf(kind)),
    };

    /// <summary>How to write the cells of a column: whole numbers stay whole unless one of them is not, as in a column of ratios.</summary>
    public static Func<object?, string> ForColumn(Table table, int index)
    {
        var kind = table.Columns[index].Kind;
        bool IsWhole(IReadOnlyList<object?> row) =>
            ToDouble(row.ElementAtOrDefault(index)) is var value && (double.IsNaN(value) || value == Math.Truncate(value));
        if (kind != ColumnKind.Number || table.Rows.All(IsWhole))
        {
            return cell => Cell(cell, kind);
        }

        return cell => cell is string text ? text : ToDouble(cell) is var value && double.IsFinite(value) ? Significant(value) : Missing;
    }

    public static string UnitOf(ColumnKind kind) => kind switch
    {
        ColumnKind.Nanoseconds => "ns",
        ColumnKind.Bytes => "B",
        _ => "",
    };

    /// <summary>Experiments hand cells over as doubles; a count that slipped through as an integer is still a number.</summary>
    public static double ToDouble(object? cell) =>
        cell is IConvertible and not string ? Convert.ToDouble(cell, CultureInfo.InvariantCulture) : double.NaN;

    /// <summary>A paired ratio justifies two decimals; small ratios keep two digits.</summary>
    public static string Ratio(double ratio) => !double.IsFinite(ratio) ? Missing
        : ratio is >= 0.0995 and < 9.995 ? ratio.ToString("0.00", CultureInfo.InvariantCulture) + "×"
        : Significant(ratio) + "×";

    private static string Format(double value, string unit, Func<double, string> digits)
    {
        if (!double.IsFinite(value))
        {
            return Missing;
        }

        return unit switch
        {
            "ns" => Scale(value, 1000, s_times, digits),
            "s" => Scale(value * 1e9, 1000, s_times, digits, smallest: value == 0 ? 3 : 0),
            "B" when IsRoundDecimal(value) => Scale(value, 1000, s_decimalUnits, Shortest),
            "B" => Scale(value, 1024, s_binaryUnits, value % 1024 == 0 || Math.Abs(value) < 1024 ? Shortest : digits),
            "op/s" => Scale(value, 1000, s_thousands, digits, suffix: "op/s"),
            "ratio" => Ratio(value),
            "" => value == Math.Truncate(value) ? Shortest(value) : digits(value),
            _ => $"{digits(value)} {unit}",
        };
    }

    private static string Scale(
        double value, double step, string[] units, Func<double, string> digits, int smallest = 0, string suffix = "")
    {
        var unit = smallest;
        // 999.6 would be written as 1000 of the smaller unit: the written value decides the unit, not the stored one.
        while (unit < units.Length - 1 && Math.Abs(value) >= step * (step == 1000 ? 0.9995 : 1))
        {
            value /= step;
            unit++;
        }

        return $"{digits(value)} {units[unit]}{suffix}";
    }

    private static string Significant(double value)
    {
        var size = Math.Abs(value);
        if (size == 0)
        {
            return "0";
        }

        if (size < 0.0005)
        {
            return value < 0 ? "> −0.001" : "< 0.001";
        }

        var format = size switch { >= 99.95 => "#,0", >= 9.995 => "0.0", >= 0.9995 => "0.00", _ => "0.000" };
        return value.ToString(format, CultureInfo.InvariantCulture);
    }

    private static string Shortest(double value) => value.ToString("#,0.###", CultureInfo.InvariantCulture);

    private static bool IsRoundDecimal(double value)
    {
        if (value < 1000 || value % 1000 != 0)
        {
            return false;
        }

        while (value % 10 == 0)
        {
            value /= 10;
        }

        return value < 100;
    }
}
