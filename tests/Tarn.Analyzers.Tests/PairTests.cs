using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Bugs that public projects had: told in the version before the fix, and silence in the version after it.</summary>
public sealed class PairTests
{
    private const string Expectation = "// expect TARN";

    private static readonly string s_pairs = Path.Combine(AppContext.BaseDirectory, "Pairs");

    public static TheoryData<string> Before => Files("*.before.cs");

    public static TheoryData<string> After => Files("*.after.cs");

    [Theory]
    [MemberData(nameof(Before))]
    public async Task Tells_the_bug(string file)
    {
        string source = await ReadAsync(file);
        Assert.Contains(Expectation, source, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(s_pairs, file.Replace(".before.", ".after.", StringComparison.Ordinal))));
        Assert.Empty(Expectations.Compare(await Analyzed.RunAsync(source)));
    }

    [Theory]
    [MemberData(nameof(After))]
    public async Task Is_silent_about_the_fix(string file)
    {
        string source = await ReadAsync(file);
        Assert.DoesNotContain(Expectation, source, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(s_pairs, file.Replace(".after.", ".before.", StringComparison.Ordinal))));
        Assert.Empty(Expectations.Compare(await Analyzed.RunAsync(source)));
    }

    private static TheoryData<string> Files(string pattern) =>
        [.. Directory.GetFiles(s_pairs, pattern).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    private static Task<string> ReadAsync(string file) => File.ReadAllTextAsync(Path.Combine(s_pairs, file));
}
