using Tarn.Lab.Model;

namespace Tarn.Lab.Baseline;

/// <summary>
/// Finds what changed between two runs. It compares ratios, not times, because ratios survive a change of machine speed. It reports a
/// change only if the two intervals do not overlap and the medians are more than 5 % apart; everything else is no difference.
/// </summary>
internal static class ChangeFinder
{
    public const double Floor = 0.05;

    /// <summary>Experiments that were not run now are not reported as removed: <c>--only</c> leaves most of them out.</summary>
    public static IReadOnlyList<Change> Find(LabReport before, LabReport now)
    {
        var earlier = before.Comparisons.ToDictionary(comparison => comparison.Id);
        var changes = new List<Change>();
        foreach (Comparison comparison in now.Comparisons)
        {
            earlier.TryGetValue(comparison.Id, out Comparison? old);
            changes.Add(new Change
            {
                Id = comparison.Id,
                Title = comparison.Title,
                Before = old?.Ratio ?? 0,
                Now = comparison.Ratio,
                Unit = "ratio",
                Kind = old is null ? ChangeKind.Added : Judge(old, comparison),
            });
        }

        var kept = now.Comparisons.Select(comparison => comparison.Id).ToHashSet();
        var groups = now.Comparisons.Select(comparison => comparison.Group).ToHashSet();
        changes.AddRange(before.Comparisons
            .Where(old => !kept.Contains(old.Id) && groups.Contains(old.Group))
            .Select(old =>
                new Change { Id = old.Id, Title = old.Title, Before = old.Ratio, Now = 0, Unit = "ratio", Kind = ChangeKind.Removed }));
        return changes;
    }

    public static ChangeKind Judge(Comparison before, Comparison now)
    {
        // With comparisons in this direction, a ratio that is not a number is no difference.
        bool apart = now.RatioLow > before.RatioHigh || before.RatioLow > now.RatioHigh;
        if (!(apart && Math.Abs((now.Ratio / before.Ratio) - 1) > Floor))
        {
            return ChangeKind.NoDifference;
        }

        return now.Ratio < before.Ratio ? ChangeKind.Better : ChangeKind.Worse;
    }
}
