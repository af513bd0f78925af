using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Fixes;

/// <summary>All findings of a rule in a project with all shapes of all rules, fixed in one go, as <c>dotnet format</c> does it.</summary>
public sealed class FixAllTests
{
    public static TheoryData<string> Rules => [.. EveryExample.Names.Select(static name => name[..7]).Distinct()];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task All_shapes_of_a_rule_are_fixed_in_one_go(string rule)
    {
        Solution solution = Open();
        ImmutableArray<Diagnostic> before = await AnalyzeAsync(solution, rule);
        CodeFixProvider fix = FixRun.Fixes.Single(fix => fix.FixableDiagnosticIds.Contains(rule));
        string[] fixable = [.. await FixableAsync(solution, fix, before)];
        Assert.True(fixable.Length > 1, "There is only one shape to fix.");

        FixAllContext context = new(
            DocumentOf(solution, before[0]),
            fix,
            FixAllScope.Solution,
            // None, as dotnet format has it if the first finding that it sees is of another rule.
            codeActionEquivalenceKey: null!,
            [rule],
            new KnownDiagnostics(before),
            CancellationToken.None);
        CodeAction? action = await fix.GetFixAllProvider()!.GetFixAsync(context);
        Solution changed = await ApplyAsync(Assert.IsAssignableFrom<CodeAction>(action));

        ImmutableArray<Diagnostic> after = await AnalyzeAsync(changed, rule);
        // What remains had no fix before. One fix may end two findings.
        Assert.Empty(await FixableAsync(changed, fix, after));
        Assert.InRange(after.Length, 0, before.Length - fixable.Length);
        IEnumerable<Document> examples = solution.Projects.Single().Documents;
        foreach (Document document in examples.Where(one => one.Name.StartsWith(rule, StringComparison.Ordinal)))
        {
            SourceText text = await changed.GetDocument(document.Id)!.GetTextAsync();
            Assert.Equal(EveryExample.IsRefused(document.Name), text.ContentEquals(await document.GetTextAsync()));
        }
    }

    private static Solution Open()
    {
        AdhocWorkspace workspace = new();
        Project project = workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(),
            VersionStamp.Default,
            "Examples",
            "Examples",
            LanguageNames.CSharp,
            compilationOptions: Analyzed.CompilationOptions,
            parseOptions: new CSharpParseOptions(LanguageVersion.Latest),
            metadataReferences: Analyzed.References));
        foreach ((string name, string source) in EveryExample.Files)
        {
            project = project.AddDocument(name, source, filePath: name).Project;
        }

        return project.Solution;
    }

    /// <summary>The findings of a rule in a solution, which has no errors.</summary>
    private static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(Solution solution, string rule)
    {
        Compilation compilation = Analyzed.TurnOn((await solution.Projects.Single().GetCompilationAsync())!, rule);
        Analyzed.AssertCompiles(compilation);
        return [.. (await Analyzed.GetDiagnosticsAsync(compilation)).Where(diagnostic => diagnostic.Id == rule)];
    }

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
