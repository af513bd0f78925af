using System.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>How much of the time a process is sampled.</summary>
public sealed class SamplingPaceTests
{
    /// <summary>The ending of a session alone needs fifty times its time, and so do the samples.</summary>
    [Theory]
    [InlineData(0, 40, 2_000)]
    [InlineData(100, 0, 0.4)]
    [InlineData(1 << 20, 40, 6_194)]
    public void A_window_costs_at_most_a_fiftieth_of_the_time_before_the_next_one(long bytes, int ending, double milliseconds) =>
        Assert.Equal(
            milliseconds, SamplingPace.Needed(bytes, TimeSpan.FromMilliseconds(ending)).TotalMilliseconds, tolerance: milliseconds * 0.001);

    /// <summary>A window of 1 s with 25,000 samples had 0.8 s of work.</summary>
    [Theory]
    [InlineData(25_000, 1_000, 10_000, 12.25)]
    [InlineData(0, 1_000, 10_000, 10)]
    [InlineData(100_000, 1_000, 10_000, 7)]
    [InlineData(0, 10, 10_000, 7)]
    [InlineData(0, 1_000, 0, 1)]
    public void A_window_stands_for_the_work_up_to_the_next_one_without_what_sampling_cost(
        int samples, int window, int period, double weight) =>
        Assert.Equal(
            weight,
            SamplingPace.Weigh(samples, TimeSpan.FromMilliseconds(window), TimeSpan.FromMilliseconds(period), time: 7),
            tolerance: 0.001);

    [Fact]
    public void A_process_that_ends_in_a_gap_ends_the_recording()
    {
        using Process child = Process.Start(new ProcessStartInfo("dotnet", [Recording.Child.Assembly, "nothing"]))!;
        using var pace = new SamplingPace(child.Id, TimeSpan.FromSeconds(1));
        using SampledWindow window = Sample(pace);

        Assert.False(pace.Wait(window, left: null, CancellationToken.None));
        Assert.True(pace.HasEnded);
        Assert.True(window.Period > TimeSpan.Zero);
    }

    [Fact]
    public void The_end_of_the_time_and_a_request_end_a_gap()
    {
        using var pace = new SamplingPace(Environment.ProcessId, TimeSpan.FromSeconds(1));
        using SampledWindow window = Sample(pace);

        Assert.False(pace.Wait(window, left: TimeSpan.FromMilliseconds(1), CancellationToken.None));
        Assert.False(pace.Wait(window, left: null, new CancellationToken(canceled: true)));
        Assert.False(pace.HasEnded);
    }

    /// <summary>A window that nobody would wait out: ending it took a minute.</summary>
    private static SampledWindow Sample(SamplingPace pace)
    {
        pace.Begin();
        pace.End();
        return new SampledWindow(new StackedEvents(), new AllocationEvents(isRandom: true, isFollowed: false))
        {
            HasCollected = false,
            Cut = RecordingCut.Bytes,
            Length = TimeSpan.FromMilliseconds(10),
            Ending = TimeSpan.FromMinutes(1),
        };
    }
}
