using Tarn.Lab.Tests.Report;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Analysis;

namespace Tarn.Tool.Tests.Reports;

/// <summary>The page of the sample recording, and of an empty one.</summary>
public sealed class ReportChromium : SystemChromium
{
    internal const string Empty = "empty.html";

    protected override async Task WritePagesAsync(string directory)
    {
        await File.WriteAllTextAsync(Path.Combine(directory, "report.html"), HtmlReport.Write(TraceAnalysis.Of(SampleRecording.Build())));
        await File.WriteAllTextAsync(Path.Combine(directory, Empty), HtmlReport.Write(TraceAnalysis.Of(new RecordingBuilder().Build(0))));
    }
}
