using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>
/// Bugs that public projects had and fixed. The analyzers report each in the version before its fix, and report nothing in the version
/// after it.
/// </summary>
public sealed class PairTests
{
    private const string OutOfReach = "OutOfReach";

    private static readonly string s_pairs = Path.Combine(AppContext.BaseDirectory, "Pairs");

    public static TheoryData<string> Before => Files(string.Empty, "*.before.cs");

    public static TheoryData<string> After => Files(string.Empty, "*.after.cs");

    public static TheoryData<string> NotReached => Files(OutOfReach, "*.cs");

    [Theory]
    [MemberData(nameof(Before))]
    public async Task Reports_the_bug_before_its_fix(string file)
    {
        Analyzed analyzed = await AnalyzeAsync(file);
        Assert.True(Expectations.Any(analyzed), "A version before a fix expects nothing.");
        Assert.True(
            File.Exists(Path.Combine(s_pairs, file.Replace(".before.cs", ".after.cs", StringComparison.Ordinal))),
            "The version after the fix is missing.");
        AssertAsExpected(analyzed);
    }

    [Theory]
    [MemberData(nameof(After))]
    public async Task Reports_nothing_after_the_fix(string file)
    {
        Analyzed analyzed = await AnalyzeAsync(file);
        Assert.False(Expectations.Any(analyzed), "A version after a fix expects a finding.");
        AssertAsExpected(analyzed);
    }

    /// <summary>
    /// Bugs that only an analysis of several methods or types can find; see the README beside the pairs. Fails when one of them comes into
    /// reach.
    /// </summary>
    [Theory]
    [MemberData(nameof(NotReached))]
    public async Task Reports_nothing_about_bugs_out_of_reach(string file) => AssertAsExpected(await AnalyzeAsync(file));

    private static void AssertAsExpected(Analyzed analyzed)
    {
        IReadOnlyList<string> wrong = Expectations.Compare(analyzed);
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    private static async Task<Analyzed> AnalyzeAsync(string file) =>
        await Analyzed.RunAsync(await File.ReadAllTextAsync(Path.Combine(s_pairs, file)));

    private static TheoryData<string> Files(string folder, string pattern) =>
        [
            .. Directory.GetFiles(Path.Combine(s_pairs, folder), pattern).Select(path => Path.GetRelativePath(s_pairs, path))
                .Order(StringComparer.Ordinal),
        ];
}
