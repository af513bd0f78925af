using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Tests.Fixes;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Pages;

/// <summary>The documents describe the rules as the analyzers apply them.</summary>
public sealed class RulePageTests
{
    private static readonly DiagnosticDescriptor[] s_rules =
        [
            .. Analyzed.Analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics).DistinctBy(static rule => rule.Id)
                .OrderBy(static rule => rule.Id, StringComparer.Ordinal),
        ];

    public static TheoryData<string> Pages => [.. RulePage.Ids];

    [Fact]
    public void Each_rule_has_a_page_and_each_page_a_rule()
    {
        IEnumerable<int> numbers = [1, 2, 3, .. Enumerable.Range(5, 5), 11, 13, 15, .. Enumerable.Range(101, 3)];
        Assert.Equal(numbers.Select(static number => $"TARN{number:D3}"), s_rules.Select(static rule => rule.Id));
        Assert.Equal(s_rules.Select(static rule => rule.Id), RulePage.Ids);
    }

    [Fact]
    public void The_release_notes_state_the_same_for_each_rule()
    {
        string[] rows =
        [
            .. File.ReadLines(Sources.At("src/Tarn.Analyzers/AnalyzerReleases.Unshipped.md"))
                .Where(static line => line.StartsWith("TARN", StringComparison.Ordinal)),
        ];

        Assert.Equal(s_rules.Select(static rule => $"{rule.Id} | {rule.Category} | {SeverityOf(rule)} | {rule.Title}"), rows);

        static string SeverityOf(DiagnosticDescriptor rule) => rule.IsEnabledByDefault ? $"{rule.DefaultSeverity}" : "Disabled";
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_states_title_severity_and_fix(string id)
    {
        RulePage page = RulePage.Read(id);
        DiagnosticDescriptor rule = s_rules.Single(rule => rule.Id == id);

        Assert.Equal($"# {id}: {rule.Title}", page.Heading);
        Assert.StartsWith(
            rule.DefaultSeverity == DiagnosticSeverity.Info ? "information" : rule.DefaultSeverity.ToString().ToLowerInvariant(),
            page.Severity,
            StringComparison.Ordinal);
        Assert.Equal(FixRun.Fixes.Any(fix => fix.FixableDiagnosticIds.Contains(id)), page.SaysFix);
        Assert.Equal(["What it finds", "Why it hurts", "Wrong", "Right", "When to suppress", "Options"], page.Sections);
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task A_wrong_example_shows_its_rule_and_a_right_one_nothing(string id)
    {
        RulePage page = RulePage.Read(id);

        Assert.NotEmpty(page.ExamplesOf("Wrong"));
        foreach (string wrong in page.ExamplesOf("Wrong"))
        {
            Assert.Equal([id], (await ShownAsync(wrong, id)).Distinct());
        }

        Assert.NotEmpty(page.ExamplesOf("Right"));
        foreach (string right in page.ExamplesOf("Right"))
        {
            Assert.Empty(await ShownAsync(right, id));
        }
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_rule_s_description_is_what_its_page_says(string id)
    {
        string description = s_rules.Single(rule => rule.Id == id).Description.ToString(null);

        Assert.Equal(RulePage.Read(id).Description, RulePage.WordsOf(description));
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Findings_link_to_the_page_where_the_build_says_it_is(string id)
    {
        string source = $"{RulePage.Read(id).ExamplesOf("Wrong").First()}// {id}\n";

        Assert.Equal("", await LinkAsync(null));
        Assert.Equal($"https://example.org/rules/{id}.md", await LinkAsync("https://example.org/rules"));
        Assert.Equal($"file:///C:/my%20packages/rules/{id}.md", await LinkAsync(@"C:\my packages\rules\"));
        Assert.Equal("", await LinkAsync("rules"));

        async Task<string> LinkAsync(string? pages)
        {
            Dictionary<string, string> options = [];
            if (pages is not null)
            {
                options.Add("build_property.TarnRulePages", pages);
            }

            Analyzed analyzed = await Analyzed.RunAsync(source, options);
            return analyzed.Diagnostics.First(found => found.Id == id).Descriptor.HelpLinkUri;
        }
    }

    [Fact]
    public async Task The_overview_has_a_row_for_each_rule_and_examples_that_show_nothing()
    {
        string text = await File.ReadAllTextAsync(Sources.At("docs/analyzer.md"));

        Assert.All(s_rules, rule => Assert.Contains($"| [{rule.Id}](rules/{rule.Id}.md) |", text, StringComparison.Ordinal));
        foreach (string example in RulePage.ExamplesIn(text))
        {
            Assert.Empty(await ShownAsync(example, ""));
        }
    }

    [Fact]
    public async Task The_readme_s_first_example_shows_the_message_beside_it()
    {
        string text = await File.ReadAllTextAsync(Sources.At("src/Tarn.Analyzers/README.md"));
        int start = text.IndexOf("\n    ", StringComparison.Ordinal) + 1;
        string example = text[start..text.IndexOf("\n\nBy then", StringComparison.Ordinal)];
        // On one line with what is before it, so that it has the lines that a reader counts.
        string source = "using System.Buffers; using System.IO; static class Readme { static int Parse(byte[] buffer) => buffer[0]; "
            + $"static int Read(Stream stream) {{ {example}\n}} }}";

        Diagnostic found = Assert.Single((await Analyzed.RunAsync(source)).Diagnostics);

        Assert.EndsWith($"// warning {found.Id}: {found.GetMessage(null)}", example, StringComparison.Ordinal);
        Assert.Equal(example.Split('\n').Length, found.Location.GetLineSpan().StartLinePosition.Line + 1);
    }

    /// <summary>The rules that an editor shows; the hidden one on its own page only.</summary>
    private static async Task<IEnumerable<string>> ShownAsync(string source, string id)
    {
        // The name turns on a rule that is off by default.
        Analyzed analyzed = await Analyzed.RunAsync($"{source}// {id}\n");
        return analyzed.Diagnostics.Where(found => found.Severity != DiagnosticSeverity.Hidden || found.Id == id)
            .Select(static found => found.Id);
    }
}
