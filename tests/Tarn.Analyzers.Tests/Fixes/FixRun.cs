using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Tarn.Analyzers.Tests.Support;
using Tarn.CodeFixes;

namespace Tarn.Analyzers.Tests.Fixes;

/// <summary>A file in a workspace, as an editor has it: analyzed, the fix that is offered applied, analyzed again.</summary>
internal static class FixRun
{
    private static readonly ImmutableArray<CodeFixProvider> s_fixes =
        [
            .. typeof(BufferCodeFix).Assembly.GetTypes()
                .Where(static type => type.IsSubclassOf(typeof(CodeFixProvider)) && !type.IsAbstract)
                .Select(static type => (CodeFixProvider)Activator.CreateInstance(type)!),
        ];

    /// <summary>A project without files, whose references are bound once for all: whatever is added to it shares their symbols.</summary>
    private static readonly Project s_empty = CreateEmpty();

    internal static IEnumerable<CodeFixProvider> Fixes => s_fixes;

    /// <summary>The fix of a rule makes one text of another, which is silent: no error, no finding, and nothing more to fix.</summary>
    internal static async Task AssertFixedAsync(string rule, string before, string after)
    {
        Document document = Open(before);
        Diagnostic diagnostic = (await AnalyzeAsync(document, rule)).First(diagnostic => diagnostic.Id == rule);
        CodeAction action = Assert.Single(await FindActionsAsync(document, diagnostic));
        Assert.Equal(rule, action.EquivalenceKey);

        Document changed = await ApplyAsync(document, action);

        Assert.Equal(after, (await changed.GetTextAsync()).ToString());
        Assert.Empty(await AnalyzeAsync(changed, rule));
    }

    /// <summary>A rule has something to say, and no fix that is surely right.</summary>
    internal static async Task AssertNotOfferedAsync(string rule, string source)
    {
        Document document = Open(source);
        IEnumerable<Diagnostic> diagnostics = (await AnalyzeAsync(document, rule)).Where(diagnostic => diagnostic.Id == rule);
        Assert.NotEmpty(diagnostics);
        foreach (Diagnostic diagnostic in diagnostics)
        {
            Assert.Empty(await FindActionsAsync(document, diagnostic));
        }
    }

    /// <summary>All findings of a rule in a file are mended at once.</summary>
    internal static async Task AssertAllFixedAsync(string rule, string before, string after)
    {
        Document document = Open(before);
        ImmutableArray<Diagnostic> diagnostics = [.. (await AnalyzeAsync(document, rule)).Where(diagnostic => diagnostic.Id == rule)];
        Assert.True(diagnostics.Length > 1);
        CodeFixProvider fix = s_fixes.Single(fix => fix.FixableDiagnosticIds.Contains(rule));
        string key = (await FindActionsAsync(document, diagnostics[0]))[0].EquivalenceKey!;
        FixAllContext context =
            new(document, fix, FixAllScope.Document, key, [rule], new KnownDiagnostics(diagnostics), CancellationToken.None);

        CodeAction? action = await fix.GetFixAllProvider()!.GetFixAsync(context);
        Document changed = await ApplyAsync(document, Assert.IsAssignableFrom<CodeAction>(action));

        Assert.Equal(after, (await changed.GetTextAsync()).ToString());
        Assert.Empty(await AnalyzeAsync(changed, rule));
    }

    /// <summary>
    /// Applies each fix that is offered for each finding in a file, one at a time: the changed file compiles and has fewer findings of the
    /// rule. Returns the rules whose fixes were applied.
    /// </summary>
    internal static async Task<IReadOnlyList<string>> AssertHarmlessAsync(string source)
    {
        Document document = Open(source);
        ImmutableArray<Diagnostic> found = await AnalyzeWithAllRulesAsync(document);
        List<string> applied = [];
        foreach (Diagnostic diagnostic in found)
        {
            foreach (CodeAction action in await FindActionsAsync(document, diagnostic))
            {
                Document changed = await ApplyAsync(document, action);
                int left = (await AnalyzeWithAllRulesAsync(changed)).Count(one => one.Id == diagnostic.Id);
                Assert.True(
                    left < found.Count(one => one.Id == diagnostic.Id),
                    $"{diagnostic}\n{await changed.GetTextAsync()}\ninstead of\n{source}");
                applied.Add(diagnostic.Id);
            }
        }

        return applied;
    }

    private static async Task<ImmutableArray<Diagnostic>> AnalyzeWithAllRulesAsync(Document document)
    {
        Compilation compilation = (await document.Project.GetCompilationAsync())!;
        Analyzed.AssertCompiles(compilation);
        return await Analyzed.GetDiagnosticsAsync(
            Analyzed.TurnOn(compilation, string.Concat(s_fixes.SelectMany(static fix => fix.FixableDiagnosticIds))));
    }

    /// <summary>A project with these files.</summary>
    internal static Project Open(params IEnumerable<(string Name, string Source)> files) =>
        files.Aggregate(s_empty, static (project, file) => project.AddDocument(file.Name, file.Source, filePath: file.Name).Project);

    private static Document Open(string source) => s_empty.AddDocument("Case.cs", source, filePath: "Case.cs");

    private static Project CreateEmpty()
    {
        AdhocWorkspace workspace = new();
        Project empty = workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(),
            VersionStamp.Default,
            "Case",
            "Case",
            LanguageNames.CSharp,
            compilationOptions: Analyzed.CompilationOptions,
            parseOptions: new CSharpParseOptions(LanguageVersion.Latest),
            metadataReferences: Analyzed.References));
#pragma warning disable xUnit1031 // nothing that this waits for waits for a test
        Compilation compilation = empty.GetCompilationAsync().GetAwaiter().GetResult()!;
#pragma warning restore xUnit1031
        _ = compilation.GetSpecialType(SpecialType.System_Object);
        return empty;
    }

    private static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(Document document, string rule)
    {
        Compilation compilation = Analyzed.TurnOn((await document.Project.GetCompilationAsync())!, rule);
        Analyzed.AssertCompiles(compilation);
        AnalyzerOptions options = new([], new FixedOptions(new Dictionary<string, string>()));
        ImmutableArray<Diagnostic> found = await compilation.WithAnalyzers(Analyzed.Analyzers, options).GetAnalyzerDiagnosticsAsync();
        return [.. found.Where(diagnostic => diagnostic.Severity != DiagnosticSeverity.Hidden || diagnostic.Id == rule)];
    }

    private static async Task<IReadOnlyList<CodeAction>> FindActionsAsync(Document document, Diagnostic diagnostic)
    {
        List<CodeAction> actions = [];
        foreach (CodeFixProvider fix in s_fixes.Where(fix => fix.FixableDiagnosticIds.Contains(diagnostic.Id)))
        {
            await fix.RegisterCodeFixesAsync(
                new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), CancellationToken.None));
        }

        return actions;
    }

    private static async Task<Document> ApplyAsync(Document document, CodeAction action)
    {
        ImmutableArray<CodeActionOperation> operations = await action.GetOperationsAsync(CancellationToken.None);
        Solution solution = Assert.IsType<ApplyChangesOperation>(Assert.Single(operations)).ChangedSolution;
        return solution.GetDocument(document.Id)!;
    }
}
