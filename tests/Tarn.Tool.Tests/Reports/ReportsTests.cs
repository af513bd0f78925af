using System.Text.Json;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Tests.Reports;

public class ReportsTests
{
    private static readonly Findings s_findings = TraceAnalysis.Of(SampleRecording.Build());

    [Fact]
    public void The_json_has_the_lists_with_frames_counts_and_bytes()
    {
        using JsonDocument json = JsonDocument.Parse(JsonReport.Write(s_findings));
        JsonElement root = json.RootElement;

        Assert.Equal(JsonReport.Format, root.GetProperty("format").GetInt32());
        JsonElement lost = root.GetProperty("lost")[0];
        Assert.Equal("growing", lost.GetProperty("evidence").GetString());
        Assert.Equal(s_findings.Lost[0].Bytes, lost.GetProperty("bytes").GetInt64());
        JsonElement frame = lost.GetProperty("frames")[0];
        Assert.Equal("App.Uploads.Read", frame.GetProperty("method").GetString());
        Assert.Equal("/src/App.cs", frame.GetProperty("file").GetString());
        Assert.True(frame.GetProperty("line").GetInt32() > 0);
        JsonElement second = root.GetProperty("returnedTwice")[0].GetProperty("frames")[0];
        Assert.Equal("App.Message.Dispose", second.GetProperty("method").GetString());
        Assert.True(root.GetProperty("held").GetArrayLength() > 0);
        Assert.True(root.GetProperty("allocated").GetArrayLength() > 0);
    }

    [Fact]
    public void The_markdown_begins_with_the_verdict_and_names_the_lines()
    {
        string[] lines = MarkdownReport.Write(s_findings).Split('\n');

        Assert.Equal(Verdict.Of(s_findings), lines[2]);
        Assert.Contains(lines, line => line.StartsWith("- `App.Uploads.Read in App.cs:", StringComparison.Ordinal));
        Assert.Contains("## Returned twice", lines);
    }

    [Fact]
    public void The_profile_holds_every_allocated_byte()
    {
        using JsonDocument json = JsonDocument.Parse(SpeedscopeReport.Write(s_findings));
        JsonElement profile = json.RootElement.GetProperty("profiles")[0];

        Assert.Equal("bytes", profile.GetProperty("unit").GetString());
        long[] weights = [.. profile.GetProperty("weights").EnumerateArray().Select(weight => weight.GetInt64())];
        Assert.Equal(s_findings.Allocated.Sum(site => site.Bytes), weights.Sum());
        Assert.Equal(weights.Length, profile.GetProperty("samples").GetArrayLength());
        int frames = json.RootElement.GetProperty("shared").GetProperty("frames").GetArrayLength();
        Assert.All(
            profile.GetProperty("samples").EnumerateArray().SelectMany(sample => sample.EnumerateArray()),
            frame => Assert.InRange(frame.GetInt32(), 0, frames - 1));
    }
}
