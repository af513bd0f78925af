using Tarn.Lab.Report;

namespace Tarn.Lab.Tests.Report;

/// <summary>Writes the sample report to look at: <c>TARN_SAMPLE_REPORT=directory dotnet test --filter WriteSample</c>.</summary>
public class WriteSample
{
    [SkippableFact]
    public void To_the_directory_asked_for()
    {
        var directory = Environment.GetEnvironmentVariable("TARN_SAMPLE_REPORT");
        Skip.If(string.IsNullOrEmpty(directory), "Set TARN_SAMPLE_REPORT to a directory to see the sample report.");

        Assert.NotEmpty(ReportWriter.WriteAll(SampleReport.Build(), directory!));
    }
}
