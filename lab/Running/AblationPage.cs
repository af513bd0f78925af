using System.Globalization;
using System.Text;

namespace Tarn.Lab.Running;

/// <summary>docs/design/ablation.md: what each mechanism of the engines is worth, from the records.</summary>
internal static class AblationPage
{
    public const string Path = "docs/design/ablation.md";

    /// <summary>The most works named in a cell.</summary>
    private const int MostNamed = 6;

    public static string Write(IReadOnlyList<AblationRecord> records)
    {
        var md = new StringBuilder();
        md.Append("""
            # What each mechanism is worth

            The library has no switches. A build without a mechanism is made from a copy of the sources, and both builds take turns in one
            process. This command measures some or all mechanisms, two to three minutes each, and records what differs under
            [lab/results/ablations](../../lab/results/ablations):

                dotnet run -c Release --project lab -- ablations [NAME...]

            This page is written from these records by `lab -- ablations --write`; a test compares them.

            A figure is the time, or the most memory retained, *with* the mechanism ÷ that without it: below 1, the mechanism saves. A time is
            listed if its interval excludes 1 by 3 %, and by more than the same code in another assembly differs from itself; memory is listed
            if it differs by a tenth. Everything else did not change. Of many works, those that change most are named.


            """.ReplaceLineEndings("\n"));
        md.Append("| mechanism | what it is | time, with ÷ without | retained, with ÷ without | measured |\n|---|---|---|---|---|\n");
        foreach (AblationRecord record in records)
        {
            md.Append(CultureInfo.InvariantCulture, $"| `{record.Name}` | {Ablation.Find(record.Name).Takes} | {Times(record)} | ")
                .Append(CultureInfo.InvariantCulture, $"{Retained(record)} | {Measured(record)} |\n");
        }

        Ablation[] elsewhere = [.. Ablation.All.Where(static ablation => ablation.Elsewhere is not null)];
        if (elsewhere.Length > 0)
        {
            md.Append("\n## What these loads do not show\n\n");
            foreach (Ablation ablation in elsewhere)
            {
                md.Append(CultureInfo.InvariantCulture, $"- `{ablation.Name}`: {ablation.Elsewhere}\n");
            }
        }

        string[] missing = [.. Ablation.All.Select(static ablation => ablation.Name).Except(records.Select(static record => record.Name))];
        if (missing.Length > 0)
        {
            md.Append("\n## Not recorded\n\n").AppendJoin(", ", missing.Select(static name => $"`{name}`")).Append(".\n");
        }

        return md.ToString();
    }

    private static string Times(AblationRecord record)
    {
        List<(string Title, Interval Time)> times =
            [.. record.Rows.Where(static row => row.Time is not null).Select(static row => (row.Title, row.Time!))];
        return Join(
            times.OrderByDescending(static row => Math.Abs(Math.Log(row.Time.Median))),
            static row => $"{row.Title} **{Number(row.Time.Median)}** ({Number(row.Time.Low)} to {Number(row.Time.High)})",
            record.Works);
    }

    private static string Retained(AblationRecord record) => Join(
        record.Rows.Where(static row => row.Retained is not null).OrderByDescending(static row => Math.Abs(Math.Log(row.Retained!.Value))),
        static row => $"{row.Title} **{Number(row.Retained!.Value)}**",
        works: null);

    private static string Join<T>(IEnumerable<T> ordered, Func<T, string> write, int? works)
    {
        T[] rows = [.. ordered];
        string more = rows.Length > MostNamed ? $"; {rows.Length - MostNamed} more" : "";
        return rows.Length > 0 ? string.Join("; ", rows.Take(MostNamed).Select(write)) + more : works is null ? "" : $"none of {works} works";
    }

    private static string Measured(AblationRecord record) =>
        string.Create(CultureInfo.InvariantCulture, $"{record.MeasuredAt:yyyy-MM-dd}, {record.Mode}, {record.LogicalCores} × {record.Processor}");

    private static string Number(double value) => value.ToString(value < 0.1 ? "0.000" : value < 10 ? "0.00" : "0.0", CultureInfo.InvariantCulture);
}
