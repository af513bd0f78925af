using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Against;

/// <summary>The report's section of a comparison with another commit.</summary>
internal static class AgainstSection
{
    public static ExperimentResult CreateResult(string id, string title, IReadOnlyList<AgainstRow> rows) =>
        new(new Section
        {
            Id = id,
            Title = title,
            Text = $"The libraries of {Builds.This} and of the {Builds.Other} in one process, by turns. The column of {Builds.Same} is the "
                + "same code in another assembly: a difference smaller than that column's is noise. Newly allocated is of the bytes "
                + "rented once the pool is warm; retained is the most at the end of any run, of the most in use.",
            Tables =
            [
                new Table
                {
                    Id = $"{id}-table",
                    Title = "Every work",
                    Note = $"The ratios of {PoolNames.BclShared} are of this commit's time to its.",
                    Columns =
                    [
                        new Column("Work", ColumnKind.Text),
                        new Column("This", ColumnKind.Nanoseconds),
                        new Column("÷ other", ColumnKind.Number),
                        new Column("at least", ColumnKind.Number),
                        new Column("at most", ColumnKind.Number),
                        new Column("again ÷ this", ColumnKind.Number),
                        new Column("÷ Shared", ColumnKind.Number),
                        new Column("New, %", ColumnKind.Number),
                        new Column("Other's, %", ColumnKind.Number),
                        new Column("Retained", ColumnKind.Number),
                        new Column("Other's", ColumnKind.Number),
                        new Column("Shared's", ColumnKind.Number),
                    ],
                    Rows = [.. rows.Select(static row => row.ToCells())],
                },
            ],
        })
        {
            Comparisons = [.. rows.Select(static row => row.ToComparison())],
        };
}
