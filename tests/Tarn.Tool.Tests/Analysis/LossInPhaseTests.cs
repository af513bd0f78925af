using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Tests.Analysis;

/// <summary>Losses in a short phase of a long recording, as those of a test in a run of many.</summary>
public class LossInPhaseTests
{
    private const int End = 25_000;
    private const long PhaseMicroseconds = 998_000;

    [Theory]
    [InlineData(true, 12_000, 1, LossEvidence.NoneReturnedOfPhase, Certainty.Likely)]
    [InlineData(true, 12_000, 2, LossEvidence.GrowingInPhase, Certainty.Likely)]
    [InlineData(true, 24_000, 1, LossEvidence.NoneReturnedToTheEnd, Certainty.Likely)]
    [InlineData(true, 24_000, 2, LossEvidence.Growing, Certainty.Likely)]
    [InlineData(false, 12_000, 1, LossEvidence.NoneReturnedOfPhase, Certainty.Possible)]
    [InlineData(false, 12_000, 2, LossEvidence.Overdue, Certainty.Possible)]
    internal void Five_hundred_rents_within_a_second_of_which_all_or_half_are_lost(
        bool hasEnded, int begin, int lostOf, LossEvidence evidence, Certainty certainty)
    {
        RecordingBuilder recording = WithOthers(hasEnded);
        for (int rent = 0; rent < 500; rent++)
        {
            double at = begin + (2 * rent);
            if (rent % lostOf == 0)
            {
                recording.Rent(at, "App.Phase");
            }
            else
            {
                recording.Pair(at, hold: 0.1, "App.Phase");
            }
        }

        LostSite lost = Assert.Single(TraceAnalysis.Of(recording.Build(End)).Lost);

        Assert.Equal((evidence, certainty), (lost.Evidence, lost.Certainty));
        Assert.InRange(lost.Buffers, 500 / lostOf * 9 / 10, 500 / lostOf);
        Assert.Equal(PhaseMicroseconds, lost.ActiveMicroseconds);
    }

    [Theory]
    [InlineData(7, false, Certainty.Possible)]
    [InlineData(8, true, Certainty.Possible)]
    [InlineData(64, true, Certainty.Possible)]
    [InlineData(65, true, Certainty.Likely)]
    internal void What_is_set_up_once_is_held_if_it_is_little_possibly_lost_if_it_is_more_and_likely_if_it_is_much(
        int count, bool isTold, Certainty certainty)
    {
        RecordingBuilder recording = WithOthers(hasEnded: true);
        for (int rent = 0; rent < count; rent++)
        {
            recording.Rent(100 + rent, "App.Start");
        }

        IReadOnlyList<LostSite> lost = TraceAnalysis.Of(recording.Build(End)).Lost;

        Assert.Equal(isTold ? [certainty] : [], lost.Select(site => site.Certainty));
        Assert.All(lost, site => Assert.Contains("as in a cache", Words.Evidence(site), StringComparison.Ordinal));
    }

    [Fact]
    public void Buffers_in_use_when_the_process_ends_are_not_lost()
    {
        RecordingBuilder recording = WithOthers(hasEnded: true);
        for (int at = 20_000; at < End; at += 10)
        {
            // Each is out for 100 ms, so ten have not come back at the end.
            int buffer = recording.Rent(at, "App.Late");
            if (at + 100 < End)
            {
                recording.Return(at + 100, buffer, "App.Late");
            }
        }

        Assert.Empty(TraceAnalysis.Of(recording.Build(End)).Lost);
    }

    private static RecordingBuilder WithOthers(bool hasEnded)
    {
        var recording = new RecordingBuilder(hasEnded: hasEnded);
        for (int at = 0; at < End - 10; at += 10)
        {
            recording.Pair(at, hold: 5, "App.Others");
        }

        return recording;
    }
}
