using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tarn.Analyzers.Field;

/// <summary>Prints the findings in all projects of a tree that name a pool, and the projects that take too long.</summary>
internal sealed class TreeRun(SourceTree tree, RestoredPackages? packages, TimeSpan limit, TextWriter output)
{
    private static readonly string[] s_pools =
        [
            "ArrayPool", "MemoryPool", "IMemoryOwner", "BufferManager", "MemoryOwner", "SpanOwner", "RecyclableMemoryStream", "IArrayPool",
            "ArrayPoolBufferWriter",
        ];

    internal async Task RunAsync(string? only, bool all, CancellationToken cancellation)
    {
        Compiled compiled = new(tree, packages);
        HashSet<FieldFinding> findings = [];
        HashSet<string> files = [];
        int projects = 0;
        foreach (ProjectFile project in tree.Projects.Where(one => only is null || one.Path.Contains(only, StringComparison.Ordinal)))
        {
            string[] sources = [.. project.GetSources()];
            if (!sources.Any(static file => NamesPool(File.ReadAllText(file))))
            {
                continue;
            }

            projects++;
            files.UnionWith(sources);
            foreach (FieldFinding finding in await AnalyzeAsync(compiled.Get(project), project, cancellation))
            {
                // A file that several projects compile is one place.
                if ((all || (finding.Severity > DiagnosticSeverity.Hidden && finding.Rule != "TARN013")) && findings.Add(finding))
                {
                    output.WriteLine(finding);
                }
            }
        }

        string counts = string.Join(
            ", ", findings.CountBy(static one => (one.Rule, one.Severity)).OrderBy(static one => one.Key)
                .Select(static one => $"{one.Key.Rule} {one.Key.Severity} {one.Value}"));
        int lines = files.Sum(static file => File.ReadLines(file).Count());
        output.WriteLine($"{projects} projects, {files.Count} files, {lines} lines: {counts}");
    }

    /// <summary>Returns the findings in a project; none if it takes longer than the limit, which is printed.</summary>
    private async Task<IReadOnlyList<FieldFinding>> AnalyzeAsync(
        CSharpCompilation compilation, ProjectFile project, CancellationToken cancellation)
    {
        using CancellationTokenSource limited = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limited.CancelAfter(limit);
        try
        {
            return await FieldAnalysis.AnalyzeAsync(compilation, tree, limited.Token);
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            output.WriteLine($"{Path.GetRelativePath(tree.Root, project.Path)}: no verdict within {limit.TotalSeconds:F0} s");
            return [];
        }
    }

    internal static bool NamesPool(string text) => s_pools.Any(pool => text.Contains(pool, StringComparison.Ordinal));
}
