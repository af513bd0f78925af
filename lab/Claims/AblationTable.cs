using System.Globalization;
using System.Text;

namespace Tarn.Lab.Claims;

/// <summary>
/// What each mechanism of the engines is worth, from the records: the table that documents show between the markers of <see cref="Id"/>.
/// </summary>
internal static class AblationTable
{
    public const string Id = "ablations";

    /// <summary>The most works named in a cell.</summary>
    private const int MostNamed = 6;

    /// <summary>A time, or an amount of memory, that differs by less than this times the noise is not worth a word.</summary>
    private const double LeastTime = 1.03;
    private const double LeastRetained = 1.1;

    /// <remarks>
    /// The works have noises of their own, which one run underestimates. So a difference counts only if it is larger than the same code
    /// showed in any of the records: of a time, the largest difference of two assemblies with the same code; of retained memory, the most
    /// ÷ the least with all mechanisms.
    /// </remarks>
    public static string Write(IReadOnlyList<AblationRecord> records)
    {
        ILookup<string, AblationRow> works = records.SelectMany(static record => record.Rows).ToLookup(static row => row.Title);
        Dictionary<string, (double Time, double Retained)> noise = works.ToDictionary(
            static work => work.Key,
            static work => (
                work.Max(static row => Math.Max(row.Again, 1 / row.Again)),
                (work.Max(static row => row.Retained) / work.Min(static row => row.Retained)) ?? 1));
        StringBuilder rows = new("\n\n| mechanism | what it is | time, with ÷ without | retained, with ÷ without | measured |\n");
        rows.Append("|---|---|---|---|---|\n");
        foreach (AblationRecord record in records)
        {
            rows.Append(CultureInfo.InvariantCulture, $"| `{record.Name}` | {record.Takes} | ")
                .Append(CultureInfo.InvariantCulture, $"{Times(record.Rows, noise)} | {Retained(record.Rows, noise)} | ")
                .Append(CultureInfo.InvariantCulture, $"{record.MeasuredAt:yyyy-MM-dd}, {record.Mode}, {record.Processor} |\n");
        }

        return rows.ToString();
    }

    private static string Times(IReadOnlyList<AblationRow> rows, Dictionary<string, (double Time, double Retained)> noise)
    {
        string named = Join(
            rows.Where(row => Differs(row.Time, LeastTime * noise[row.Title].Time) && (row.High < 1 || row.Low > 1)),
            static row => row.Time,
            static row => $"{row.Title} **{Number(row.Time)}** ({Number(row.Low)} to {Number(row.High)})");
        return named.Length > 0 ? named : string.Create(CultureInfo.InvariantCulture, $"none of {rows.Count} works");
    }

    private static string Retained(IReadOnlyList<AblationRow> rows, Dictionary<string, (double Time, double Retained)> noise) => Join(
        rows.Where(row => Retained(row) is { } ratio && Differs(ratio, LeastRetained * noise[row.Title].Retained)),
        static row => Retained(row)!.Value,
        static row => $"{row.Title} **{Number(Retained(row)!.Value)}**");

    private static double? Retained(AblationRow row) => row.Retained / row.RetainedWithout;

    private static bool Differs(double ratio, double least) => Math.Max(ratio, 1 / ratio) > least;

    /// <summary>Those that changed most first.</summary>
    private static string Join(IEnumerable<AblationRow> differing, Func<AblationRow, double> valueOf, Func<AblationRow, string> write)
    {
        AblationRow[] rows = [.. differing.OrderByDescending(row => Math.Abs(Math.Log(valueOf(row))))];
        string more = rows.Length > MostNamed ? $"; {rows.Length - MostNamed} more" : "";
        return string.Join("; ", rows.Take(MostNamed).Select(write)) + more;
    }

    private static string Number(double value) =>
        value.ToString(value < 0.1 ? "0.000" : value < 10 ? "0.00" : "0.0", CultureInfo.InvariantCulture);
}
