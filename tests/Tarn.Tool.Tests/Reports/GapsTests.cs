using System.Text.Json;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Reports;

/// <summary>What a recording lacks is in its verdict, and in every report.</summary>
public class GapsTests
{
    [Theory]
    [InlineData(RecordingCut.Time, "stopped after 10")]
    [InlineData(RecordingCut.Events, "with as many events as it may have")]
    [InlineData(RecordingCut.Bytes, "with as many bytes of events as it may have")]
    [InlineData(RecordingCut.Request, "was ended after")]
    [InlineData(RecordingCut.Outlived, "went on when the program")]
    [InlineData(RecordingCut.Broken, "broke off")]
    internal void A_cut_of_a_started_program_leaves_no_verdict(RecordingCut cut, string text)
    {
        Findings findings = TraceAnalysis.Of(new RecordingBuilder(cut: cut).Pair(0, 1).Build(10_000));

        Assert.StartsWith("No verdict: the recording is not whole.", Verdict.Of(findings), StringComparison.Ordinal);
        AssertToldEverywhere(findings, text);
        using JsonDocument json = JsonDocument.Parse(JsonReport.Write(findings));
        Assert.False(json.RootElement.GetProperty("isWhole").GetBoolean());
        Assert.Equal(cut.ToString().ToLowerInvariant(), Assert.Single(json.RootElement.GetProperty("cut").EnumerateArray()).GetString());
    }

    [Fact]
    public void Lost_events_leave_no_verdict()
    {
        Findings findings = TraceAnalysis.Of(new RecordingBuilder(lostEvents: 12).Pair(0, 1).Build(10_000));

        Assert.StartsWith("No verdict: ", Verdict.Of(findings), StringComparison.Ordinal);
        AssertToldEverywhere(findings, "12 events were lost");
    }

    [Fact]
    public void What_was_found_is_told_with_what_is_missing()
    {
        var recording = new RecordingBuilder(cut: RecordingCut.Broken);
        int buffer = recording.Rent(0);
        Findings findings = TraceAnalysis.Of(recording.Return(1, buffer).Return(2, buffer).Build(10));

        Assert.EndsWith("two owners may use it at once. The recording is not whole.", Verdict.Of(findings), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(RecordingCut.Time)]
    [InlineData(RecordingCut.Request)]
    internal void Whoever_attaches_for_a_while_is_told_for_how_long(RecordingCut cut)
    {
        Findings findings = TraceAnalysis.Of(new RecordingBuilder(isFromStart: false, hasEnded: false, cut: cut).Pair(0, 1).Build(10_000));

        Assert.StartsWith("No lost buffers in 10", Verdict.Of(findings), StringComparison.Ordinal);
        Assert.Empty(Words.Gaps(findings));
    }

    private static void AssertToldEverywhere(Findings findings, string text)
    {
        Assert.Contains(text, HtmlReport.Write(findings), StringComparison.Ordinal);
        Assert.Contains(text, MarkdownReport.Write(findings), StringComparison.Ordinal);
        Assert.Contains(text, JsonReport.Write(findings), StringComparison.Ordinal);
        Assert.Contains("No verdict", JsonReport.Write(findings), StringComparison.Ordinal);
        Assert.Contains("No verdict", HtmlReport.Write(findings), StringComparison.Ordinal);
    }
}
