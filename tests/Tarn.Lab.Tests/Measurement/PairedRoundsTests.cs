using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class PairedRoundsTests
{
    [Fact]
    public void Every_round_runs_each_contender_once_and_reports_one_operation()
    {
        var calls = new List<string>();
        var samples = PairedRounds.Measure(
            [
                new CountedTrial("slow", nanoseconds: 80, operations: 8, calls),
                new CountedTrial("quick", nanoseconds: 5, operations: 1, calls),
            ],
            new RoundSettings(30, TimeSpan.FromMicroseconds(10)),
            new Random(1));

        Assert.Equal(["slow", "quick"], samples.Contenders);
        Assert.Equal(30, samples.Rounds);
        Assert.Equal(10, samples.Median(0));
        Assert.Equal(5, samples.Median(1));
        Assert.Equal(2, samples.Ratio(0, 1).Median);

        var rounds = calls.TakeLast(60).Chunk(2).ToArray();
        Assert.All(rounds, round => Assert.Equal(["quick", "slow"], round.Order()));
        Assert.Equal(["quick", "slow"], rounds.Select(round => round[0]).Distinct().Order());
    }

    [Theory]
    [InlineData(10, 100_000)]
    [InlineData(250_000, 4)]
    [InlineData(5_000_000, 1)]
    public void As_many_iterations_are_chosen_as_fill_the_wanted_time(double nanoseconds, int iterations)
    {
        var chosen = PairedRounds.Calibrate(new CountedTrial("one", nanoseconds, 1, []), TimeSpan.FromMilliseconds(1));

        Assert.InRange(chosen, iterations - 1, iterations);
        Assert.NotEqual(0, chosen);
    }

    /// <summary>Says how long it took instead of taking that long.</summary>
    private sealed class CountedTrial(string name, double nanoseconds, double operations, List<string> calls) : Trial(name, operations)
    {
        public override double Run(int iterations)
        {
            calls.Add(Name);
            return nanoseconds * iterations;
        }
    }
}
