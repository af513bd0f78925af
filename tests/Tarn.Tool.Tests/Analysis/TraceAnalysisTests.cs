using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Analysis;

public class TraceAnalysisTests
{
    [Fact]
    public void A_site_that_returns_everything_loses_nothing()
    {
        var recording = new RecordingBuilder();
        for (int at = 0; at < 10_000; at += 10)
        {
            recording.Pair(at, hold: 5);
        }

        Findings findings = TraceAnalysis.Of(recording.Build(10_000));

        Assert.Empty(findings.Lost);
        Assert.Empty(findings.ReturnedTwice);
        Assert.Equal("No lost buffers: all 1,000 that were rented came back. None was returned twice.", Verdict.Of(findings));
        HeldSite held = Assert.Single(findings.Held);
        Assert.Equal((1_000, 0, 5_000, 5_000), (held.Rented, held.HeldAtEnd, held.LongestMicroseconds, held.MeanMicroseconds));
    }

    [Fact]
    public void A_site_that_keeps_some_throughout_loses_them()
    {
        var recording = new RecordingBuilder(hasEnded: false);
        for (int at = 0; at < 10_000; at += 10)
        {
            if (at % 100 == 0)
            {
                recording.Rent(at);
            }
            else
            {
                recording.Pair(at, hold: 5);
            }
        }

        Findings findings = TraceAnalysis.Of(recording.Build(10_000));

        LostSite lost = Assert.Single(findings.Lost);
        // The last second is in use, up to what is exactly that old.
        Assert.Equal((LossEvidence.Growing, Certainty.Likely, 90), (lost.Evidence, lost.Certainty, lost.Buffers));
        Assert.Equal("App.Rents in App.cs:10", lost.Site.Name);
        Assert.Equal(90 * 1_024, lost.Bytes);
        Assert.Equal("1 call site loses 600 KiB a minute to the garbage collector.", Verdict.Of(findings));
    }

    [Theory]
    [InlineData(true, LossEvidence.NoneReturnedToTheEnd, Certainty.Likely)]
    [InlineData(false, LossEvidence.NoneReturned, Certainty.Possible)]
    internal void A_site_that_returns_none_loses_them_for_certain_only_when_the_process_has_ended(
        bool hasEnded, LossEvidence evidence, Certainty certainty)
    {
        var recording = new RecordingBuilder(hasEnded: hasEnded);
        for (int at = 0; at < 8_000; at += 500)
        {
            recording.Rent(at);
        }

        LostSite lost = Assert.Single(TraceAnalysis.Of(recording.Build(10_000)).Lost);

        Assert.Equal((evidence, certainty), (lost.Evidence, lost.Certainty));
    }

    [Fact]
    public void A_few_buffers_rented_at_once_and_held_are_held_and_not_lost()
    {
        var recording = new RecordingBuilder();
        for (int buffer = 0; buffer < 7; buffer++)
        {
            recording.Rent(milliseconds: buffer);
        }

        Findings findings = TraceAnalysis.Of(recording.Pair(9_000, 1, "App.Other").Build(10_000));

        Assert.Empty(findings.Lost);
        HeldSite held = findings.Held[0];
        Assert.Equal((7, 10_000_000), (held.HeldAtEnd, held.LongestMicroseconds));
        Assert.Equal(
            "No lost buffers: 1 of 8 that were rented came back, and the others were in use to the end. None was returned twice.",
            Verdict.Of(findings));
    }

    [Fact]
    public void Buffers_that_are_out_no_longer_than_others_were_are_held()
    {
        var recording = new RecordingBuilder(hasEnded: false);
        for (int at = 0; at < 20_000; at += 100)
        {
            // Each is out for 6 s, so the last 60 have not come back.
            int buffer = recording.Rent(at);
            if (at + 6_000 < 20_000)
            {
                recording.Return(at + 6_000, buffer);
            }
        }

        Assert.Empty(TraceAnalysis.Of(recording.Build(20_000)).Lost);
    }

    [Fact]
    public void One_buffer_of_many_that_is_out_for_long_is_possibly_lost()
    {
        var recording = new RecordingBuilder(hasEnded: false);
        recording.Rent(100);
        for (int at = 200; at < 10_000; at += 10)
        {
            recording.Pair(at, hold: 5);
        }

        Findings findings = TraceAnalysis.Of(recording.Build(10_000));

        LostSite lost = Assert.Single(findings.Lost);
        Assert.Equal((LossEvidence.Overdue, Certainty.Possible, 1), (lost.Evidence, lost.Certainty, lost.Buffers));
        Assert.StartsWith("1 call site may lose ", Verdict.Of(findings), StringComparison.Ordinal);
    }

    [Fact]
    public void With_lost_events_no_finding_is_more_than_possible_and_the_reports_say_so()
    {
        var recording = new RecordingBuilder(lostEvents: 12);
        for (int at = 0; at < 9_000; at += 100)
        {
            recording.Rent(at);
        }

        int buffer = recording.Rent(9_500);
        Findings findings = TraceAnalysis.Of(recording.Return(9_510, buffer).Return(9_520, buffer).Build(10_000));

        Assert.Equal(Certainty.Possible, Assert.Single(findings.Lost).Certainty);
        Assert.Equal(Certainty.Possible, Assert.Single(findings.ReturnedTwice).Certainty);
        Assert.Contains("12 events were lost", MarkdownReport.Write(findings), StringComparison.Ordinal);
        Assert.Contains("12 events were lost", HtmlReport.Write(findings), StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_return_is_found_with_the_first()
    {
        var recording = new RecordingBuilder();
        int buffer = recording.Rent(0);
        recording.Return(1, buffer, "App.Finally").Return(2, buffer, "App.Dispose");

        ReturnedTwiceSite twice = Assert.Single(TraceAnalysis.Of(recording.Build(10)).ReturnedTwice);

        Assert.Equal(("App.Dispose in App.cs:30", "App.Finally in App.cs:20"), (twice.Site.Name, twice.First.Name));
        Assert.Equal((Certainty.Likely, 1, 1_024), (twice.Certainty, twice.Times, twice.Bytes));
    }

    [Fact]
    public void A_buffer_rented_before_the_recording_is_no_second_return()
    {
        var recording = new RecordingBuilder(isFromStart: false);

        Findings findings = TraceAnalysis.Of(recording.Return(1, buffer: 500).Pair(2, 1).Build(10));

        Assert.Empty(findings.ReturnedTwice);
        Assert.Empty(findings.NeverRented);
    }

    [Fact]
    public void An_array_that_was_never_rented_is_found_where_every_rent_is_known()
    {
        Findings findings = TraceAnalysis.Of(new RecordingBuilder().Pair(0, 1).Return(2, buffer: 500, "App.Foreign").Build(10));

        Assert.Equal("App.Foreign in App.cs:30", Assert.Single(findings.NeverRented).Site.Name);
    }

    [Fact]
    public void A_rent_that_is_reported_before_the_return_is_no_second_return()
    {
        var recording = new RecordingBuilder();
        int buffer = recording.Rent(0, thread: 1);
        recording.Rent(1, thread: 2, buffer: buffer);
        recording.Return(2, buffer, thread: 2).Return(3, buffer, thread: 1);

        Findings findings = TraceAnalysis.Of(recording.Build(10));

        Assert.Empty(findings.ReturnedTwice);
        Assert.Empty(findings.Lost);
    }

    [Fact]
    public void Allocations_are_counted_by_site_in_bytes_of_the_element()
    {
        var recording = new RecordingBuilder().Pair(0, 1);
        recording.Allocate(2, "App.Big", length: 100).Allocate(3, "App.Big", length: 100, PoolAction.TooLong);
        recording.Allocate(4, "App.Small", length: 10);

        Findings findings = TraceAnalysis.Of(recording.Drop(5).Build(10, element: "System.Int32"));

        Assert.Equal(
            [("App.Big in App.cs:30", 2, 800L, 1), ("App.Small in App.cs:40", 1, 40L, 0)],
            findings.Allocated.Select(site => (site.Site.Name, site.Buffers, site.Bytes, site.TooLong)));
        Assert.Equal((1, 3, 1), (findings.Pools[0].Rented, findings.Pools[0].Allocated, findings.Pools[0].Dropped));
        Assert.Equal("ArrayPool<int> 0000004d", findings.Pools[0].Name);
        Assert.Equal(840, findings.Timeline.Sum(point => point.AllocatedBytes));
        Assert.Equal(4_096, findings.Timeline.Sum(point => point.DroppedBytes));
    }

    [Fact]
    public void A_trace_for_replays_is_refused()
    {
        BufferTrace trace = new(new RecordingBuilder().Build(1).Origin, []);

        string message = Assert.Throws<InvalidDataException>(() => TraceAnalysis.Of(trace)).Message;
        Assert.Contains("tarn record", message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_recording_has_a_verdict_and_reports()
    {
        Findings findings = TraceAnalysis.Of(new RecordingBuilder().Build(0));

        Assert.Equal("No buffer was rented while the recording ran.", Verdict.Of(findings));
        Assert.NotEmpty(JsonReport.Write(findings));
        Assert.NotEmpty(HtmlReport.Write(findings));
    }
}
