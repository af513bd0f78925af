using System.Security.Cryptography;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Tarn.Analyzers.Field;

/// <summary>Puts bugs into a tree, one at a time, and counts those that the analyzer finds.</summary>
/// <remarks>
/// A bug counts as found if one of its rules reports something in the file that it does not report without the bug. A bug in a member that
/// does not compile, or that the change keeps from compiling, is not counted.
/// </remarks>
internal sealed class MutationRun(SourceTree tree, RestoredPackages? packages, int every, TextWriter output, bool details)
{
    private readonly SortedDictionary<string, (int Found, int All)> _counts = new(StringComparer.Ordinal);

    internal async Task RunAsync(string? only, CancellationToken cancellation)
    {
        Compiled compiled = new(tree, packages);
        HashSet<string> done = [];
        foreach (ProjectFile project in tree.Projects.Where(one => only is null || one.Path.Contains(only, StringComparison.Ordinal)))
        {
            HashSet<string> files = [.. project.GetSources().Where(static file => TreeRun.NamesPool(File.ReadAllText(file)))];
            files.ExceptWith(done);
            if (files.Count == 0)
            {
                continue;
            }

            done.UnionWith(files);
            CSharpCompilation compilation = compiled.Get(project);
            foreach (SyntaxTree file in compilation.SyntaxTrees.Where(one => files.Contains(one.FilePath)))
            {
                await RunAsync(compilation, file, cancellation);
            }
        }

        foreach ((string kind, (int found, int all)) in _counts)
        {
            output.WriteLine($"{kind}: {found} of {all}");
        }

        output.WriteLine($"together: {_counts.Values.Sum(static one => one.Found)} of {_counts.Values.Sum(static one => one.All)}");
    }

    private async Task RunAsync(CSharpCompilation compilation, SyntaxTree file, CancellationToken cancellation)
    {
        SemanticModel model = compilation.GetSemanticModel(file);
        int errors = Errors(model, span: null);
        IReadOnlyList<Mutant> mutants =
        [
            .. Mutants.Of(model).Concat(FieldMutants.Of(model))
                .Where(one => IsChosen(one) && HasSameLines(one) && Errors(model, one.Member.Span) == 0),
        ];
        if (mutants.Count == 0)
        {
            return;
        }

        IReadOnlyList<Diagnostic> before = await FieldAnalysis.AnalyzeFileAsync(compilation, file, cancellation);
        foreach (Mutant mutant in mutants)
        {
            SyntaxTree changed = file.WithRootAndOptions(mutant.Root, file.Options);
            CSharpCompilation next = compilation.ReplaceSyntaxTree(file, changed);
            if (Errors(next.GetSemanticModel(changed), span: null) > errors)
            {
                continue;
            }

            IReadOnlyList<Diagnostic> after = await FieldAnalysis.AnalyzeFileAsync(next, changed, cancellation);
            bool found = Reports(after, mutant.Rule).Except(Reports(before, mutant.Rule)).Any();
            (int Found, int All) count = _counts.GetValueOrDefault(mutant.Kind);
            _counts[mutant.Kind] = (count.Found + (found ? 1 : 0), count.All + 1);
            if (details && !found)
            {
                int line = mutant.Place.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
                output.WriteLine($"{Path.GetRelativePath(tree.Root, file.FilePath)}:{line}: {mutant.Rule} {mutant.Kind}");
            }
        }
    }

    /// <summary>What is reported where. Bugs are put into lines that exist, so that others keep their numbers.</summary>
    private static IEnumerable<string> Reports(IReadOnlyList<Diagnostic> diagnostics, string rules) =>
        diagnostics.Where(one => rules.Contains(one.Id, StringComparison.Ordinal))
            .Select(static one => $"{one.Severity} {one.Location.GetLineSpan().StartLinePosition} {one.GetMessage(null)}");

    /// <summary>Chooses a part of all bugs, the same ones each time.</summary>
    private bool IsChosen(Mutant mutant)
    {
        string file = Path.GetRelativePath(tree.Root, mutant.Place.SyntaxTree.FilePath);
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{file}:{mutant.Place.SpanStart}:{mutant.Kind}"));
        return BitConverter.ToUInt32(hash) % every == 0;
    }

    private static bool HasSameLines(Mutant mutant) =>
        mutant.Root.GetText().Lines.Count == mutant.Place.SyntaxTree.GetText().Lines.Count;

    /// <summary>How many errors the compiler has in a part of a file, or in all of it.</summary>
    private static int Errors(SemanticModel model, TextSpan? span) =>
        model.GetDiagnostics(span).Count(static one => one.Severity == DiagnosticSeverity.Error);
}
