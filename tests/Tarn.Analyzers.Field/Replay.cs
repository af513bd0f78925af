using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Tarn.Analyzers.Field;

/// <summary>Analyzes the unreduced files of fix commits and of their parents.</summary>
/// <remarks>
/// A bug counts as found if one of its rules has a report in a member before the fix that it does not have, or has less often, in that
/// member after the fix. Whatever is reported about these files after the fix is left; whether it is false is for a reader to say.
/// </remarks>
internal sealed class Replay(Repositories repositories, RestoredPackages? packages, TimeSpan longest, TextWriter output, bool details)
{
    private static readonly string[] s_widths = ["method", "type", "compilation", "none"];

    internal async Task RunAsync(IReadOnlyList<FixCommit> commits, CancellationToken cancellation)
    {
        List<ReplayedFix> fixes = [];
        foreach (FixCommit commit in commits)
        {
            ReplayedFix fix = await RunAsync(commit, cancellation);
            fixes.Add(fix);
            if (details)
            {
                Write(fix);
            }
            else
            {
                output.Write('.');
            }
        }

        output.WriteLine();
        foreach (IGrouping<string, ReplayedFix> half in fixes.GroupBy(static fix => fix.Commit.Half))
        {
            IEnumerable<string> parts =
                from width in s_widths
                let inside = half.Where(fix => fix.Commit.SeenWithin == width).ToList()
                select $"{width} {inside.Count(static fix => fix.IsFound)} of {inside.Count}";
            output.WriteLine(
                $"{half.Key}: found {half.Count(static fix => fix.IsFound)} of {half.Count()} ({string.Join(", ", parts)}), "
                + $"missed {half.Count(static fix => !fix.IsFound)}, "
                + $"of them not finished {half.Count(static fix => fix.Problem is not null)}, "
                + $"left after the fixes {half.Sum(static fix => fix.After.Count)}");
        }
    }

    private async Task<ReplayedFix> RunAsync(FixCommit commit, CancellationToken cancellation)
    {
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        try
        {
            (SourceTree before, SourceTree after) = repositories.GetSources(commit.Repository, commit.Commit);
            limit.CancelAfter(longest);
            return new ReplayedFix(
                commit, await AnalyzeAsync(before, commit.Files, limit.Token), await AnalyzeAsync(after, commit.Files, limit.Token), null);
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return new ReplayedFix(commit, [], [], $"not finished within {longest.TotalSeconds:F0} seconds");
        }
        catch (Exception problem) when (problem is InvalidOperationException or AggregateException or IOException)
        {
            return new ReplayedFix(commit, [], [], problem.ToString());
        }
    }

    /// <summary>The findings in some files, each analyzed with its project; what is hidden, users do not meet.</summary>
    private async Task<IReadOnlyList<FieldFinding>> AnalyzeAsync(
        SourceTree tree, IReadOnlyList<string> files, CancellationToken cancellation)
    {
        List<FieldFinding> findings = [];
        Compiled compiled = new(tree, packages);
        foreach (IGrouping<string, string> project in files.Where(file => File.Exists(tree.PathOf(file)))
            .GroupBy(file => tree.ProjectOf(tree.PathOf(file)).Path))
        {
            CSharpCompilation compilation = compiled.Get(tree.Open(project.Key));
            HashSet<string> known = [.. compilation.SyntaxTrees.Select(static one => one.FilePath)];
            compilation = compilation.AddSyntaxTrees(
                project.Select(tree.PathOf).Where(file => !known.Contains(file)).Select(Compiled.Parse));
            findings.AddRange(
                (await FieldAnalysis.AnalyzeAsync(compilation, tree, cancellation))
                    .Where(found => found.Severity > DiagnosticSeverity.Hidden && project.Contains(found.File)));
        }

        return findings;
    }

    private void Write(ReplayedFix fix)
    {
        string state = fix.Problem is not null ? "NOT FINISHED" : fix.IsFound ? "FOUND" : "MISSED";
        string rules = string.Join(' ', fix.Commit.Rules);
        output.WriteLine($"{state} {fix.Commit.Repository} {fix.Commit.Commit[..8]} {rules}: {fix.Commit.What}");
        IEnumerable<string> lines =
        [
            .. fix.Before.Select(static one => $"  before {one}"),
            .. fix.After.Select(static one => $"  after  {one}"),
            .. fix.Problem is null ? (string[])[] : [$"  {fix.Problem}"],
        ];
        foreach (string line in lines)
        {
            output.WriteLine(line);
        }
    }
}
