namespace Tarn.Analyzers.Field;

/// <summary>A fix commit, and what the analyzer reports in its files before and after it.</summary>
/// <param name="Commit">The commit.</param>
/// <param name="Before">The findings before the fix.</param>
/// <param name="After">The findings after the fix.</param>
/// <param name="Problem">Why the files were not analyzed; null if they were.</param>
internal sealed record ReplayedFix(
    FixCommit Commit, IReadOnlyList<FieldFinding> Before, IReadOnlyList<FieldFinding> After, string? Problem)
{
    /// <summary>Whether a report of one of the commit's rules is gone from a member, or from all of them.</summary>
    internal bool IsFound =>
        Before.Where(one => Commit.Rules.Contains(one.Rule))
            .CountBy(static one => (one.Rule, one.Member))
            .Any(before => before.Value > After.Count(one => (one.Rule, one.Member) == before.Key));
}
