using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Analysis;
using Tarn.Tool.Tests.Commands;
using Tarn.Tool.Tests.Recording;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Programs;

/// <summary><c>dotnet build</c> of a project of this repository: the SDK starts processes, and its compiler rents a lot.</summary>
public class CompilerTests
{
    [SkippableFact]
    public async Task The_compiler_that_a_build_starts_is_recorded()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "it builds a project; the long form does it");
        using var folder = new TemporaryDirectory();
        string project = Path.Combine(Child.Root, "src", "Tarn.Pages", "Tarn.Pages.csproj");

        ToolProcess record = await ToolProcess.RunAsync(
            folder.Path,
            "record", "--with-sdk", "--for", "60s", "-o", "build.tarn",
            "--", "dotnet", "build", project, "--artifacts-path", "artifacts", "-p:RunAnalyzers=false");

        Assert.True(record.ExitCode == 0, record.Output + record.Error);
        BufferTrace[] traces = [.. Directory.GetFiles(folder.Path, "*.tarn").Select(TraceFile.Read)];
        BufferTrace compiler = Assert.Single(traces, trace => trace.Origin.Program == "csc");
        Assert.InRange(compiler.Rented, 100, int.MaxValue);
        Assert.True(compiler.Details!.HasEnded);
        Assert.Contains(
            compiler.Details.Stacks.Frames, frame => frame.Method.StartsWith("Microsoft.CodeAnalysis.", StringComparison.Ordinal));
        Assert.All(traces, trace => Assert.Equal(trace.Rented, TraceAnalysis.Of(trace).Rented));
    }
}
