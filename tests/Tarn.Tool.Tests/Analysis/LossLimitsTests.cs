using Tarn.Tool.Analysis;

namespace Tarn.Tool.Tests.Analysis;

/// <summary>The limits at which an unreturned buffer begins to count as lost: one less of what they ask for is no loss.</summary>
public class LossLimitsTests
{
    /// <summary>In a short time, few that do not come back are such as a program sets up once.</summary>
    [Theory]
    [InlineData(3_900, 0, false)]
    [InlineData(4_000, 0, true)]
    [InlineData(3_900, 1, true)]
    public void Few_suffice_where_others_come_back_or_over_seconds(int end, int returned, bool isLost)
    {
        var recording = new RecordingBuilder();
        for (int at = 0; at <= 2_800; at += 700)
        {
            recording.Rent(at, "App.Few");
        }

        for (int pair = 0; pair < returned; pair++)
        {
            recording.Pair(10, hold: 1, "App.Few");
        }

        Assert.Equal(isLost ? [5] : [], TraceAnalysis.Of(recording.Build(end)).Lost.Select(site => site.Buffers));
    }

    /// <summary>In three of four parts of the time, and three of them.</summary>
    [Theory]
    [InlineData(0, 1_400, 2_800, true)]
    [InlineData(0, 100, 2_800, false)]
    [InlineData(1_400, 2_800, -1, false)]
    public void Three_that_are_spread_over_the_time_are_lost(int first, int second, int third, bool isLost)
    {
        RecordingBuilder recording = new RecordingBuilder().Pair(0, hold: 1, "App.Few");
        foreach (int at in new[] { first, second, third }.Where(static at => at >= 0))
        {
            recording.Rent(at, "App.Few");
        }

        Assert.Equal(isLost ? [3] : [], TraceAnalysis.Of(recording.Build(3_900)).Lost.Select(site => site.Buffers));
    }

    [Fact]
    public void A_phase_with_losses_of_a_process_that_goes_on_is_overdue_even_if_few_come_back()
    {
        var recording = new RecordingBuilder(hasEnded: false);
        for (int rent = 0; rent < 12; rent++)
        {
            recording.Rent(80 * rent, "App.Phase");
        }

        LostSite lost = Assert.Single(TraceAnalysis.Of(recording.Pair(5, hold: 1, "App.Phase").Build(25_000)).Lost);

        Assert.Equal((LossEvidence.Overdue, Certainty.Possible, 12), (lost.Evidence, lost.Certainty, lost.Buffers));
    }

    [Fact]
    public void What_is_rented_in_one_moment_is_no_growth()
    {
        var recording = new RecordingBuilder();
        for (int rent = 0; rent < 20; rent++)
        {
            recording.Rent(1, "App.Moment");
        }

        Findings findings = TraceAnalysis.Of(recording.Build(25_000));

        Assert.Empty(findings.Lost);
        Assert.Equal(20, Assert.Single(findings.Held).HeldAtEnd);
    }

    [Fact]
    public void Times_out_are_counted_by_powers_of_two_of_microseconds()
    {
        const double Microsecond = 0.001;
        RecordingBuilder recording = new RecordingBuilder().Pair(0, hold: 0).Pair(10, hold: Microsecond).Pair(20, hold: 5 * Microsecond);

        Findings findings = TraceAnalysis.Of(recording.Build(100));

        Assert.Equal([(0, 1), (1, 1), (2, 0), (4, 1)], findings.Holds.Select(static bar => (bar.From, bar.Count)));
        PoolUse pool = Assert.Single(findings.Pools);
        Assert.Equal((3, 3), (pool.Rented, pool.Returned));
    }

    [Fact]
    public void Of_a_pool_rents_and_returns_are_counted_apart()
    {
        var recording = new RecordingBuilder();
        recording.Rent(1);
        recording.Pair(2, hold: 1);

        PoolUse pool = Assert.Single(TraceAnalysis.Of(recording.Build(100)).Pools);

        Assert.Equal((2, 1, 2 * 1_024), (pool.Rented, pool.Returned, pool.RentedBytes));
    }

    [Theory]
    [InlineData("M:15", "M:10", true)]
    [InlineData("M:16", "M:10", false)]
    [InlineData("N:10", "M:10", false)]
    public void A_call_on_a_line_beside_is_the_same(string call, string other, bool isSame) =>
        Assert.Equal(isSame, new SiteIdentity("A ← B", ["A:1", call]).IsDeeperThan(new SiteIdentity("C", [other])));

    [Fact]
    public void A_site_without_known_calls_is_no_part_of_another() =>
        Assert.False(new SiteIdentity("A ← B", ["A:1", "B:2"]).IsDeeperThan(new SiteIdentity("C", [])));
}
