using Tarn.Lab.Claims;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Claims;

public class AblationTableTests
{
    private static readonly string[] s_columns = ["Work", "÷ other", "again ÷ this", "Retained", "Other's"];

    /// <summary>A difference is one that its interval supports, that is larger than the noise, and that is worth a word.</summary>
    [Fact]
    public void Only_works_that_differ_are_named()
    {
        string row = RowOf(Of(
            Row("slower", 1.2),
            Row("within 3 %", 0.975, spread: 0.001),
            Row("an interval around 1", 0.9, spread: 0.2),
            Row("as the noise", 0.9, again: 1.12),
            Row("keeps less", 1, retained: 2, other: 4),
            Row("keeps about as much", 1, retained: 3.9, other: 4),
            Row("both", 0.5, retained: 4, other: 2)));

        Assert.Equal("both **0.50** (0.50 to 0.51); slower **1.20** (1.19 to 1.21) | keeps less **0.50**; both **2.00** ", row);
    }

    /// <summary>What the same code shows in any record is noise in all.</summary>
    [Fact]
    public void The_noise_of_a_work_is_the_largest_of_all_records()
    {
        AblationRecord first = Of(Row("work", 0.8, retained: 2, other: 3), Row("other", 0.8, retained: 2, other: 3));
        AblationRecord second = Of(
            Row("work", 1, again: 0.7, retained: 4, other: 4),
            Row("other", 1, again: 0.9, retained: 2.5, other: 2.5));

        Assert.Equal("other **0.80** (0.79 to 0.81) | other **0.67** ", RowOf(first, second));
    }

    [Fact]
    public void The_table_names_the_works_that_change_most()
    {
        var many = Of([.. Enumerable.Range(0, 8).Select(static work => Row($"work {work}", 0.9 - (work * 0.1)))]);
        var none = Of(Row("same", 1)) with { Name = "useless" };

        var lines = AblationTable.Write([many, none]).Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.Equal(4, lines.Length);
        Assert.StartsWith("| `luck` | a mechanism | work 7 **0.20** (0.20 to 0.20); work 6 **0.30**", lines[2], StringComparison.Ordinal);
        Assert.Contains("; 2 more |  | 2026-11-21, full, ", lines[2], StringComparison.Ordinal);
        Assert.StartsWith("| `useless` | a mechanism | none of 1 works |  | ", lines[3], StringComparison.Ordinal);
    }

    [Fact]
    public void Records_are_read_back_as_they_were_written()
    {
        using var repository = new TemporaryDirectory();
        var written = Of(Row("both", 0.5, retained: 4, other: 2));
        written.WriteTo(repository.Path);
        (written with { Name = "chance" }).WriteTo(repository.Path);

        var records = AblationRecord.ReadCommitted(repository.Path);

        Assert.Equal(["chance", "luck"], records.Select(static record => record.Name));
        Assert.Equal(written.Rows, records[1].Rows);
        Assert.Equal(written.MeasuredAt, records[1].MeasuredAt);
    }

    [Theory]
    [InlineData("not json")]
    [InlineData("null")]
    [InlineData("{}")]
    public void A_file_that_is_no_record_is_reported(string text)
    {
        using var repository = new TemporaryDirectory();
        string path = Of(Row("any", 0.5)).WriteTo(repository.Path);
        File.WriteAllText(path, text);

        var refusal = Assert.Throws<InvalidDataException>(() => AblationRecord.ReadCommitted(repository.Path));

        Assert.StartsWith(path, refusal.Message, StringComparison.Ordinal);
    }

    /// <summary>A mechanism that was renamed, or fell, must not stay in the table.</summary>
    [Fact]
    public void The_committed_records_are_of_mechanisms_that_exist()
    {
        var records = AblationRecord.ReadCommitted(BuiltProgram.FindRepository());

        Assert.NotEmpty(records);
        Assert.All(records, static record => Assert.Equal(Ablation.Find(record.Name).Takes, record.Takes));
    }

    /// <summary>The cells of time and memory of the first record.</summary>
    private static string RowOf(params AblationRecord[] records)
    {
        string row = AblationTable.Write(records).Split('\n', StringSplitOptions.RemoveEmptyEntries)[2];
        string begin = "| `luck` | a mechanism | ";
        Assert.StartsWith(begin, row, StringComparison.Ordinal);
        return row[begin.Length..row.LastIndexOf("| 2026", StringComparison.Ordinal)];
    }

    private static AblationRecord Of(params (Comparison Time, object?[] Cells)[] rows) => AblationRecord.Of(
        "luck",
        "a mechanism",
        SampleReport.Empty() with
        {
            Comparisons = [.. rows.Select(static row => row.Time)],
            Sections =
            [
                new Section
                {
                    Id = "against",
                    Title = "Against",
                    Text = "",
                    Tables =
                    [
                        new Table
                        {
                            Id = "against-table",
                            Title = "Every work",
                            Columns = [.. s_columns.Select(static title => new Column(title, ColumnKind.Number))],
                            Rows = [.. rows.Select(static row => row.Cells)],
                        },
                    ],
                },
            ],
        });

    private static (Comparison Time, object?[] Cells) Row(
        string title, double ratio, double spread = 0.01, double again = 1, double? retained = null, double? other = null) =>
        (SampleReport.Compare(title, ratio, spread: spread), [title, ratio, again, retained, other]);
}
