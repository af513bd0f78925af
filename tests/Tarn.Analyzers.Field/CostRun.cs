using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Field;

/// <summary>
/// The time that the analyzer takes in a project beside the SDK's own, as the compiler's telemetry has it, and in its slowest file.
/// </summary>
/// <remarks>
/// Analyzers run one after the other. The first round includes just-in-time compilation, which a build server does once. Whoever asks the
/// compiler first for the meaning of code pays for it. Other work on the machine only adds to a round, so that the least times of many
/// rounds can be compared on a busy machine.
/// </remarks>
internal static class CostRun
{
    internal static async Task RunAsync(
        SourceTree tree, RestoredPackages? packages, string project, int rounds, TextWriter output, CancellationToken cancellation)
    {
        if (!File.Exists(tree.PathOf(project)))
        {
            throw new FileNotFoundException(
                $"The source tree '{tree.Root}' has no project file '{project}'. Give its path from the root of the tree.", project);
        }

        ProjectFile file = tree.Open(tree.PathOf(project));
        (double Their, double Our) least = (double.MaxValue, double.MaxValue);
        for (int round = 1; round <= rounds; round++)
        {
            IReadOnlyList<DiagnosticAnalyzer> ours = FieldAnalysis.CreateAnalyzers();
            IReadOnlyList<DiagnosticAnalyzer> others = SdkAnalyzers.Create();
            CSharpCompilation compilation = new Compiled(tree, packages).Get(file);
            CompilationWithAnalyzers run = Measured(compilation, [.. others, .. ours]);
            await run.GetAnalysisResultAsync(cancellation);
            double theirTime = await TimeOfAsync(run, others, cancellation);
            double ourTime = await TimeOfAsync(run, ours, cancellation);

            IReadOnlyList<DiagnosticAnalyzer> alone = SdkAnalyzers.Create();
            CompilationWithAnalyzers without = Measured(new Compiled(tree, packages).Get(file), alone);
            await without.GetAnalysisResultAsync(cancellation);
            double timeAlone = await TimeOfAsync(without, alone, cancellation);
            output.WriteLine(
                $"{compilation.AssemblyName}, {compilation.SyntaxTrees.Length} files, round {round}: {others.Count} analyzers of SDK "
                + $"{SdkAnalyzers.Version} {timeAlone:F0} ms alone, {theirTime:F0} ms beside this one, this one {ourTime:F0} ms, "
                + $"{ourTime / (ourTime + theirTime):P1}");
            least = (Math.Min(least.Their, theirTime), Math.Min(least.Our, ourTime));
        }

        output.WriteLine(
            $"least of {rounds} rounds: {least.Their:F0} ms beside this one, this one {least.Our:F0} ms, "
            + $"{least.Our / (least.Our + least.Their):P1}");

        (string slowest, double longest) = await FindSlowestAsync(new Compiled(tree, packages).Get(file), cancellation);
        output.WriteLine($"slowest file: {Path.GetRelativePath(tree.Root, slowest)}, {longest:F0} ms");
    }

    private static CompilationWithAnalyzers Measured(CSharpCompilation compilation, IReadOnlyList<DiagnosticAnalyzer> analyzers) =>
        FieldAnalysis.With(compilation, [.. analyzers], onCrash: null, isMeasured: true);

    private static async Task<double> TimeOfAsync(
        CompilationWithAnalyzers run, IReadOnlyList<DiagnosticAnalyzer> analyzers, CancellationToken cancellation)
    {
        double milliseconds = 0;
        foreach (DiagnosticAnalyzer analyzer in analyzers)
        {
            milliseconds += (await run.GetAnalyzerTelemetryInfoAsync(analyzer, cancellation)).ExecutionTime.TotalMilliseconds;
        }

        return milliseconds;
    }

    /// <summary>
    /// The file that takes this analyzer longest when files are analyzed one by one, as in an editor, after the compiler has bound each:
    /// the time of its own code, without the compiler's. A type in several files counts for the first of them. The file that a build adds
    /// stays out: its attributes belong to the assembly, so that asking for it asks for all files.
    /// </summary>
    private static async Task<(string File, double Milliseconds)> FindSlowestAsync(
        CSharpCompilation compilation, CancellationToken cancellation)
    {
        IReadOnlyList<DiagnosticAnalyzer> ours = FieldAnalysis.CreateAnalyzers();
        CompilationWithAnalyzers run = Measured(compilation, ours);
        (string File, double Milliseconds) slowest = (string.Empty, 0);
        double before = 0;
        foreach (SyntaxTree file in compilation.SyntaxTrees.Where(static one => Path.IsPathRooted(one.FilePath)))
        {
            SemanticModel model = compilation.GetSemanticModel(file);
            _ = model.GetDiagnostics(cancellationToken: cancellation);
            await run.GetAnalyzerSemanticDiagnosticsAsync(model, filterSpan: null, cancellation);
            double after = await TimeOfAsync(run, ours, cancellation);
            if (after - before > slowest.Milliseconds)
            {
                slowest = (file.FilePath, after - before);
            }

            before = after;
        }

        return slowest;
    }
}
