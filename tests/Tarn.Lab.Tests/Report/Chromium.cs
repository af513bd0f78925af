using Tarn.Lab.Report;

namespace Tarn.Lab.Tests.Report;

/// <summary>The sample report in the system's Chromium.</summary>
public sealed class Chromium : SystemChromium
{
    protected override async Task WritePagesAsync(string directory)
    {
        ReportWriter.WriteAll(SampleReport.Build(), directory);
        ReportWriter.WriteAll(SampleReport.Empty(), Path.Combine(directory, "empty"));
        foreach (var chart in SampleReport.Build().Sections.SelectMany(s => s.Charts))
        {
            await File.WriteAllTextAsync(Path.Combine(directory, chart.Id + ".svg"), SvgPicture.Standalone(chart));
        }
    }
}
