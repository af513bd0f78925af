using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Tarn.Analyzers.Tests.Support;
using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests.Fixes;

/// <summary>All findings of a rule in a project with all shapes of all rules, fixed in one go, as <c>dotnet format</c> does it.</summary>
public sealed class FixAllTests
{
    private static readonly Solution s_solution = FixRun.Open(EveryExample.Files).Solution;

    /// <summary>All that is found before a fix, once for all rules.</summary>
    private static readonly Lazy<Task<ImmutableArray<Diagnostic>>> s_found =
        new(static () => AnalyzeAsync(s_solution, string.Join(' ', EveryExample.Names)));

    /// <summary>All rules, or one of them in the short form: each analyzes all shapes twice.</summary>
    public static TheoryData<string> Rules =>
        [.. EveryExample.Names.Select(static name => name[..7]).Distinct().Where(static rule => StressLength.IsLong || rule is "TARN001")];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task All_shapes_of_a_rule_are_fixed_in_one_go(string rule)
    {
        ImmutableArray<Diagnostic> before = Of(rule, await s_found.Value);
        CodeFixProvider fix = FixRun.Fixes.Single(fix => fix.FixableDiagnosticIds.Contains(rule));
        string[] fixable = [.. await FixableAsync(s_solution, fix, before)];
        Assert.True(fixable.Length > 1, "There is only one shape to fix.");

        FixAllContext context = new(
            DocumentOf(s_solution, before[0]),
            fix,
            FixAllScope.Solution,
            // None, as dotnet format has it if the first finding that it sees is of another rule.
            codeActionEquivalenceKey: null!,
            [rule],
            new KnownDiagnostics(before),
            CancellationToken.None);
        CodeAction? action = await fix.GetFixAllProvider()!.GetFixAsync(context);
        Solution changed = await ApplyAsync(Assert.IsAssignableFrom<CodeAction>(action));

        ImmutableArray<Diagnostic> after = Of(rule, await AnalyzeAsync(changed, rule));
        // What remains had no fix before. One fix may end two findings.
        Assert.Empty(await FixableAsync(changed, fix, after));
        Assert.InRange(after.Length, 0, before.Length - fixable.Length);
        IEnumerable<Document> examples = s_solution.Projects.Single().Documents;
        foreach (Document document in examples.Where(one => one.Name.StartsWith(rule, StringComparison.Ordinal)))
        {
            SourceText text = await changed.GetDocument(document.Id)!.GetTextAsync();
            Assert.Equal(EveryExample.IsRefused(document.Name), text.ContentEquals(await document.GetTextAsync()));
        }
    }

    /// <summary>The findings in a solution, which has no errors.</summary>
    /// <param name="solution">The solution.</param>
    /// <param name="rules">Names the rules that are turned on although they are off by default.</param>
    private static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(Solution solution, string rules)
    {
        Compilation compilation = Analyzed.TurnOn((await solution.Projects.Single().GetCompilationAsync())!, rules);
        Analyzed.AssertCompiles(compilation);
        return await Analyzed.GetDiagnosticsAsync(compilation);
    }

    private static ImmutableArray<Diagnostic> Of(string rule, ImmutableArray<Diagnostic> found) =>
        [.. found.Where(diagnostic => diagnostic.Id == rule)];

    /// <summary>Where those findings are for which a fix is offered.</summary>
    private static async Task<IReadOnlyList<string>> FixableAsync(
        Solution solution, CodeFixProvider fix, IEnumerable<Diagnostic> diagnostics)
    {
        List<string> fixable = [];
        foreach (Diagnostic diagnostic in diagnostics)
        {
            await fix.RegisterCodeFixesAsync(new CodeFixContext(
                DocumentOf(solution, diagnostic),
                diagnostic,
                (_, _) => fixable.Add(diagnostic.Location.GetLineSpan().ToString()),
                CancellationToken.None));
        }

        return fixable;
    }

    private static Document DocumentOf(Solution solution, Diagnostic diagnostic) =>
        solution.Projects.Single().Documents.Single(document => document.FilePath == diagnostic.Location.GetLineSpan().Path);

    private static async Task<Solution> ApplyAsync(CodeAction action) =>
        Assert.IsType<ApplyChangesOperation>(Assert.Single(await action.GetOperationsAsync(CancellationToken.None))).ChangedSolution;
}
