using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>For each file of cases, the analyzers report exactly what its comments expect.</summary>
public sealed class CaseTests
{
    private static readonly string s_cases = Path.Combine(AppContext.BaseDirectory, "Cases");

    public static TheoryData<string> Files =>
        [
            .. Directory.GetFiles(s_cases, "*.cs", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(s_cases, path))
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Files))]
    public async Task Finds_exactly_the_expected_reports(string file)
    {
        string source = await File.ReadAllTextAsync(Path.Combine(s_cases, file));
        IReadOnlyList<string> wrong = Expectations.Compare(await Analyzed.RunAsync(source, Expectations.OptionsIn(source)));
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }
}
