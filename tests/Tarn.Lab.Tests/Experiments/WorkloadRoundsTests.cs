using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Tests.Experiments;

public class WorkloadRoundsTests
{
    private const int Seed = 11;
    private static readonly NativeWorkloadEntry s_workload = new("made-up", "thing", 1, 1, Target: 1.0);
    private static readonly string[] s_contenders = ["ours", "peer", "other"];

    [Fact]
    public void Every_contender_runs_once_a_round_and_not_always_in_the_same_order()
    {
        var started = new List<string>();
        var done = 0;

        WorkloadRounds.Measure(
            s_workload, s_contenders, "ours", 20, new Random(Seed), name => { started.Add(name); return Result(1, 1); }, () => done++);

        Assert.All(started.Chunk(3), round => Assert.Equal(s_contenders.Order(), round.Order()));
        Assert.True(started.Chunk(3).Select(round => string.Join(' ', round)).Distinct().Count() > 3);
        Assert.Equal(60, done);
    }

    [Fact]
    public void Medians_and_ratios_are_of_the_rounds()
    {
        var times = new Dictionary<string, Queue<double>>
        {
            ["ours"] = new([10, 20, 90]),
            ["peer"] = new([20, 80, 90]),
            ["other"] = new([1, 2, 3]),
        };

        var rounds = WorkloadRounds.Measure(
            s_workload, s_contenders, "ours", 3, new Random(Seed), name => Result(times[name].Dequeue(), 1), () => { });

        Assert.Equal(4, rounds.Median("ours", run => run.NanosecondsPerOperation));
        var comparison = rounds.CompareTimes("ours", "peer", "group");
        Assert.Equal(("workloads-made-up", "ns", 1.0, 3), (comparison.Id, comparison.Unit, comparison.Target, comparison.Rounds));
        Assert.Equal((0.5, 0.25, 1.0), (comparison.Ratio, comparison.RatioLow, comparison.RatioHigh));
    }

    [Fact]
    public void Peaks_below_a_mebibyte_count_as_one()
    {
        var peaks = new Dictionary<string, double> { ["ours"] = 100, ["peer"] = 300_000, ["other"] = 4 << 20 };

        var rounds =
            WorkloadRounds.Measure(s_workload, s_contenders, "ours", 3, new Random(Seed), name => Result(1, peaks[name]), () => { });

        Assert.Equal(1, rounds.ComparePeaks("ours", "peer", "group").Ratio);
        Assert.Equal(0.25, rounds.ComparePeaks("ours", "other", "group").Ratio);
        Assert.Equal("B", rounds.ComparePeaks("ours", "other", "group").Unit);
        Assert.Equal(100, rounds.Median("ours", run => run.PeakBytes));
    }

    [Fact]
    public void A_failing_peer_is_left_out_and_reported()
    {
        var runs = 0;

        var rounds = WorkloadRounds.Measure(
            s_workload, s_contenders, "ours", 4, new Random(Seed),
            name => name == "peer" && ++runs == 2 ? throw new InvalidOperationException("exit code 139") : Result(1, 1), () => { });

        Assert.Equal(2, runs);
        Assert.False(rounds.Has("peer"));
        Assert.Null(rounds.Median("peer", run => run.PeakBytes));
        Assert.Equal(["peer was left out of made-up: exit code 139"], rounds.Failures);
        Assert.True(rounds.Has("other"));
    }

    [Fact]
    public void Ours_may_not_fail()
    {
        Assert.Throws<InvalidOperationException>(() => WorkloadRounds.Measure(
            s_workload, s_contenders, "ours", 4, new Random(Seed),
            name => name == "ours" ? throw new InvalidOperationException() : Result(1, 1), () => { }));
    }

    private static WorkloadMeasurement Result(double nanoseconds, double peak) => new()
    {
        Nanoseconds = nanoseconds,
        Operations = 5,
        PeakBytes = peak,
        FreedBytes = 0,
        ManagedBytes = 0,
        Collections = 0,
    };
}
