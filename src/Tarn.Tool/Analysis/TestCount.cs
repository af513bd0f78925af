namespace Tarn.Tool.Analysis;

/// <summary>A test and how many of a call site's buffers it is behind.</summary>
internal sealed record TestCount(string Test, int Count)
{
    /// <summary>The counts of each test as one, the largest first.</summary>
    public static IReadOnlyList<TestCount> Sum(IEnumerable<TestCount> counts) =>
    [
        .. counts.GroupBy(one => one.Test).Select(group => new TestCount(group.Key, group.Sum(one => one.Count)))
            .OrderByDescending(one => one.Count).ThenBy(one => one.Test, StringComparer.Ordinal),
    ];
}
