using Tarn.Tool.Allocations;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>Of a recording that has not all events, nothing is said about what it lacks.</summary>
public sealed class UnseenAllocationsTests
{
    [Theory]
    [InlineData(0, 0, "Nothing is worth pooling: the process allocated too little to be sampled.")]
    [InlineData(0, 10, "Nothing is worth pooling: of")]
    [InlineData(3, 0, "Whether anything is worth pooling is not known: 3 events were lost. Sample for a shorter time with --for.")]
    [InlineData(3, 10, "Whether anything is worth pooling is not known: 3 events were lost.")]
    [InlineData(3, 5_000, "1 place is worth pooling:")]
    [InlineData(0, 5_000, "1 place is worth pooling:")]
    public void Nothing_is_worth_pooling_only_if_everything_was_seen(int lost, int samples, string verdict)
    {
        CandidateReport report = CandidateAnalysis.Of(Recording(lost, samples), new SourceTree("/"));

        Assert.StartsWith(verdict, report.Verdict, StringComparison.Ordinal);
        Assert.Equal(lost > 0, report.Unknown.Contains("3 events were lost, so all sizes are too low."));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public void Of_a_recording_that_broke_off_the_rest_is_not_judged(int samples) => Assert.Equal(
        "Whether anything is worth pooling is not known: the events broke off.",
        CandidateAnalysis.Of(Recording(0, samples, RecordingCut.Broken), new SourceTree("/")).Verdict);

    [Fact]
    public void What_is_in_use_is_not_guessed() => Assert.StartsWith(
        "3 events were lost, so what is in use is not known.", InUseWords.WhyNot(Recording(3, 10)), StringComparison.Ordinal);

    private static AllocationRecording Recording(int lost, int samples, RecordingCut cut = RecordingCut.None) => new()
    {
        ProcessId = 4711,
        Facts = new ProcessFacts("", "Shop.Api", ".NET 10.0.1"),
        At = DateTimeOffset.UnixEpoch,
        Duration = TimeSpan.FromSeconds(30),
        Sampled = TimeSpan.FromSeconds(30),
        Windows = 1,
        IsRandom = true,
        Types = ["System.Byte[]"],
        Stacks = new StackTable([new("Shop.Feed.Build", "Shop.Api", "/src/Feed.cs", 120)], [new(0, 0)]),
        Samples = [.. Enumerable.Repeat(new AllocationSample(0, 65_560, false, 1, 2, 1e9), samples)],
        Collections = [],
        Fates = null,
        HasCollected = false,
        LostEvents = lost,
        Cut = cut,
    };
}
