using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Facts;

/// <summary>The order and wording of changes since the baseline: regressions first, and unchanged figures named as such.</summary>
internal static class ChangeOrder
{
    public static IEnumerable<Change> Sort(IEnumerable<Change> changes) => changes.OrderBy(change => change.Kind switch
    {
        ChangeKind.Worse => 0,
        ChangeKind.Better => 1,
        ChangeKind.Added => 2,
        ChangeKind.Removed => 3,
        _ => 4,
    });

    public static string Word(ChangeKind kind) => kind switch
    {
        ChangeKind.NoDifference => "no difference",
        ChangeKind.Better => "better",
        ChangeKind.Worse => "worse",
        ChangeKind.Added => "added",
        _ => "removed",
    };

    /// <summary>The value in the baseline; missing for a figure that the baseline lacks.</summary>
    public static string Before(Change change) =>
        change.Kind == ChangeKind.Added ? Quantity.Missing : Quantity.Format(change.Before, change.Unit);

    public static string Now(Change change) =>
        change.Kind == ChangeKind.Removed ? Quantity.Missing : Quantity.Format(change.Now, change.Unit);

    public static string Quotient(Change change) => HasBoth(change) ? Quantity.Ratio(change.Now / change.Before) : Quantity.Missing;

    /// <summary>Whether one run's figure can be divided by the other's.</summary>
    public static bool HasBoth(Change change) => change.Kind is not ChangeKind.Added and not ChangeKind.Removed && change.Before != 0;
}
