using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tarn.Analyzers.Field;

/// <summary>Prints the findings in all projects of a tree that name a pool.</summary>
internal static class TreeRun
{
    private static readonly string[] s_pools =
        [
            "ArrayPool", "MemoryPool", "IMemoryOwner", "BufferManager", "MemoryOwner", "SpanOwner", "RecyclableMemoryStream", "IArrayPool",
            "ArrayPoolBufferWriter",
        ];

    internal static async Task RunAsync(
        SourceTree tree, RestoredPackages? packages, string? only, bool all, TextWriter output, CancellationToken cancellation)
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
            foreach (FieldFinding finding in await FieldAnalysis.AnalyzeAsync(compiled.Get(project), tree, cancellation))
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

    internal static bool NamesPool(string text) => s_pools.Any(pool => text.Contains(pool, StringComparison.Ordinal));
}
