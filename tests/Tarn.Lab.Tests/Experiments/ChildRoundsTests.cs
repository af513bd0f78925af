using Tarn.Lab.Experiments;

namespace Tarn.Lab.Tests.Experiments;

public class ChildRoundsTests
{
    [Fact]
    public void Every_round_starts_one_child_a_contender_in_random_order_and_keeps_rounds_together()
    {
        var started = new List<string>();
        var progress = new List<double>();
        var rounds = new ChildRounds<(int Time, int Other)>(["a", "b"], 20);

        rounds.Run(
            new Random(3),
            name =>
            {
                started.Add(name);
                int round = (started.Count - 1) / 2;
                return (name == "a" ? round : 10 * round, -1);
            },
            progress.Add);

        Assert.All(started.Chunk(2), round => Assert.Equal(["a", "b"], round.Order()));
        Assert.Equal(["a", "b"], started.Chunk(2).Select(round => round[0]).Distinct().Order());
        Assert.Equal(Enumerable.Range(1, 40).Select(child => child / 40.0), progress);
        Assert.Equal(20, rounds.Samples(found => found.Time).Rounds);
        Assert.Equal(9.5, rounds.Samples(found => found.Time).Median(0));
        Assert.Equal(95, rounds.Samples(found => found.Time).Median(1));
        Assert.Equal(1, rounds.Samples(found => found.Other).Ratio(0, 1).Median);
        Assert.Equal(["b"], rounds.Samples(["b"], found => found.Time).Contenders);
        Assert.Equal(95, rounds.Samples(["b"], found => found.Time).Median(0));
    }
}
