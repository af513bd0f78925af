using System.Diagnostics;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Field;

/// <summary>
/// The time that the analyzer takes in a project beside the SDK's own, as the compiler's telemetry has it, and in its slowest file.
/// </summary>
/// <remarks>
/// Analyzers run one after the other. The first round includes just-in-time compilation, which a build server does once. Whoever asks the
/// compiler first for the meaning of code pays for it.
/// </remarks>
internal static class CostRun
{
    internal static async Task RunAsync(
        SourceTree tree, string project, int rounds, TextWriter output, CancellationToken cancellation)
    {
        ProjectFile file = tree.Open(tree.PathOf(project));
        for (int round = 1; round <= rounds; round++)
        {
            IReadOnlyList<DiagnosticAnalyzer> ours = FieldAnalysis.CreateAnalyzers();
            IReadOnlyList<DiagnosticAnalyzer> others = SdkAnalyzers.Create();
            CSharpCompilation compilation = new Compiled(tree).Get(file);
            CompilationWithAnalyzers run = With(compilation, [.. others, .. ours]);
            await run.GetAnalysisResultAsync(cancellation);
            double theirTime = await TimeOfAsync(run, others, cancellation);
            double ourTime = await TimeOfAsync(run, ours, cancellation);
            output.WriteLine(
                $"{compilation.AssemblyName}, {compilation.SyntaxTrees.Length} files, round {round}: {others.Count} analyzers of SDK "
                + $"{SdkAnalyzers.Version} {theirTime:F0} ms, this one {ourTime:F0} ms, {ourTime / (ourTime + theirTime):P1}");
        }

        (string slowest, double longest) = await FindSlowestAsync(new Compiled(tree).Get(file), cancellation);
        output.WriteLine($"slowest file: {Path.GetRelativePath(tree.Root, slowest)}, {longest:F0} ms");
    }

    private static CompilationWithAnalyzers With(CSharpCompilation compilation, DiagnosticAnalyzer[] analyzers) =>
        compilation.WithAnalyzers(
            [.. analyzers],
            new CompilationWithAnalyzersOptions(
                new AnalyzerOptions([]), onAnalyzerException: null, concurrentAnalysis: false, logAnalyzerExecutionTime: true));

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
    /// The file that takes longest when files are analyzed one by one, as in an editor, after the compiler has bound each. The file that a
    /// build adds stays out: its attributes belong to the assembly, so that asking for it asks for all files.
    /// </summary>
    private static async Task<(string File, double Milliseconds)> FindSlowestAsync(
        CSharpCompilation compilation, CancellationToken cancellation)
    {
        CompilationWithAnalyzers run = With(compilation, [.. FieldAnalysis.CreateAnalyzers()]);
        (string File, double Milliseconds) slowest = (string.Empty, 0);
        foreach (SyntaxTree file in compilation.SyntaxTrees.Where(static one => Path.IsPathRooted(one.FilePath)))
        {
            SemanticModel model = compilation.GetSemanticModel(file);
            _ = model.GetDiagnostics(cancellationToken: cancellation);
            long start = Stopwatch.GetTimestamp();
            await run.GetAnalyzerSemanticDiagnosticsAsync(model, filterSpan: null, cancellation);
            double milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
            if (milliseconds > slowest.Milliseconds)
            {
                slowest = (file.FilePath, milliseconds);
            }
        }

        return slowest;
    }
}
