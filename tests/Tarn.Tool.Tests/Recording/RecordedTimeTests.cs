using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Tool.Analysis;
using Tarn.Tool.Tests.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>A recording begins and ends when it began and ended, whenever its events were: rates and ages are of that time.</summary>
public class RecordedTimeTests
{
    private const int First = 10_000;
    private const int Last = 12_000;
    private const int End = 45_000;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Rates_and_ages_are_of_the_whole_recording(bool isRead)
    {
        var recording = new RecordingBuilder(hasEnded: false);
        for (int at = First; at <= Last; at += 100)
        {
            recording.Rent(at, length: 1_000);
        }

        BufferTrace trace = recording.Build(End);
        Findings findings = TraceAnalysis.Of(isRead ? DetailsFileTests.Reread(trace) : trace);

        Assert.Equal(End, findings.Duration.TotalMilliseconds);
        Assert.Equal(1_000, findings.Grace.TotalMilliseconds);
        LostSite lost = Assert.Single(findings.Lost);
        Assert.Equal((End - First) * 1_000, lost.OldestMicroseconds);
        Assert.Equal((End - Last) * 1_000, lost.YoungestMicroseconds);
        Assert.Equal(lost.Bytes / (44.0 / 60), findings.LostBytesPerMinute(lost.Certainty), tolerance: 0.01);
        Assert.Equal(End / 1e3, findings.Timeline[^1].Seconds);
        Assert.All(findings.Timeline, point => Assert.Equal(point.Seconds * 1_000 > First, point.OutBytes > 0));
    }

    [SkippableFact]
    public async Task A_program_is_recorded_from_its_first_instruction_to_its_last()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        var options = new RecordingOptions { Detail = RecordingDetail.Stacks, MostEvents = BufferTrace.MostEvents };
        ProcessStartInfo start = Child.StartScenario("quiet ends");
        start.RedirectStandardOutput = false;
        using var folder = new Tarn.Lab.Tests.TemporaryDirectory();
        string told = folder.File("told");
        start.ArgumentList.Add(told);
        var watch = Stopwatch.StartNew();

        ProgramRecording recording = await ProgramRecorder.RunAsync(start, processes: null, options);

        double[] quiet = [.. File.ReadAllLines(told).Select(line => double.Parse(line, CultureInfo.InvariantCulture))];
        Findings findings = TraceAnalysis.Of(Assert.Single(recording.Traces));
        Assert.InRange(findings.Duration.TotalMilliseconds, quiet[0] + quiet[1], watch.Elapsed.TotalMilliseconds);
        HeldSite kept = Assert.Single(findings.Held, site => site.HeldAtEnd == 1 && site.Site.Frames[0].Method.Contains("QuietEnds"));
        Assert.InRange(kept.LongestMicroseconds, quiet[1] * 1_000, watch.Elapsed.TotalMicroseconds);
    }
}
