using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class LatencyRoundsTests
{
    private static readonly double s_tick = 1e9 / Stopwatch.Frequency;

    [Fact]
    public void The_median_and_the_99th_percentile_are_of_the_last_run()
    {
        var trial = new Counting("counting");
        trial.Run(5);

        Assert.Equal(5_050 * s_tick, trial.Run(100), 3);

        Assert.Equal(50 * s_tick, trial.Percentile(0.5), 3);
        Assert.Equal(99 * s_tick, trial.Percentile(0.99), 3);
        Assert.Equal(100 * s_tick, trial.Percentile(1), 3);
    }

    [Fact]
    public void Each_contender_gets_a_value_for_each_round()
    {
        var rounds = LatencyRounds.Measure(
            [new Counting("a"), new Counting("b")], new RoundSettings(3, default), trial => trial.Name == "a" ? 100 : 200, new Random(1));

        Assert.Equal(["a", "b"], rounds.Medians.Contenders);
        Assert.Equal(3, rounds.Late.Rounds);
        Assert.Equal(50 * s_tick, rounds.Medians.Median(0), 3);
        Assert.Equal(100 * s_tick, rounds.Medians.Median(1), 3);
        Assert.Equal(198 * s_tick, rounds.Late.Median(1), 3);
        Assert.Equal(double.NaN, rounds.Latest.Median(1));
    }

    [Fact]
    public void Only_a_round_of_a_thousand_has_a_99_9th_percentile()
    {
        var rounds = LatencyRounds.Measure([new Counting("a")], new RoundSettings(1, default), _ => 2_000, new Random(1));

        Assert.Equal(1_998 * s_tick, rounds.Latest.Median(0), 3);
    }

    [Fact]
    public void A_sleeping_thread_gives_up_its_processor()
    {
        long before = ThreadSwitches.Read().Waits;
        Thread.Sleep(2);
        Thread.Sleep(2);

        Assert.Equal(ThreadSwitches.AreKnown, ThreadSwitches.Read().Waits >= before + 2);
    }

    [Fact]
    public void Work_on_another_processor_is_awaited_and_its_failure_is_reported()
    {
        int thread = Environment.CurrentManagedThreadId;

        ThreadPlacement.Run(0, () => thread = Environment.CurrentManagedThreadId);

        Assert.NotEqual(Environment.CurrentManagedThreadId, thread);
        Assert.Equal(
            "no", Assert.Throws<InvalidDataException>(() => ThreadPlacement.Run(1, () => throw new InvalidDataException("no"))).Message);
    }

    /// <summary>The last operation takes one tick, the one before it two, and so on.</summary>
    private sealed class Counting(string name) : LatencyTrial(name)
    {
        protected override void Measure(long[] ticks)
        {
            for (int i = 0; i < ticks.Length; i++)
            {
                ticks[i] = ticks.Length - i;
            }
        }
    }
}
