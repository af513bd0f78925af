using Tarn.Lab.Experiments;
using Tarn.Lab.Results;

namespace Tarn.Lab.Tests.Experiments;

public class ChildRoundsTests
{
    [Fact]
    public void Every_round_starts_one_child_a_contender_in_random_order_and_keeps_rounds_together()
    {
        var started = new List<string>();
        var progress = new List<double>();
        var machine = new Machine { Processor = "", LogicalCores = 1, OperatingSystem = "", Runtime = "", Sdk = "" };
        var context = new ExperimentContext(isFull: false, seed: 3, "", machine, progress.Add);

        ChildRounds rounds = ChildRounds.Run(context, 20, ["a", "b"], name =>
        {
            started.Add(name);
            int round = (started.Count - 1) / 2;
            return new Dictionary<string, double> { ["time"] = name == "a" ? round : 10 * round, ["other"] = -1 };
        });

        Assert.All(started.Chunk(2), round => Assert.Equal(["a", "b"], round.Order()));
        Assert.Equal(["a", "b"], started.Chunk(2).Select(round => round[0]).Distinct().Order());
        Assert.Equal(1, progress[^1]);
        Assert.Equal(20, rounds.Samples("time").Rounds);
        Assert.Equal(9.5, rounds.Samples("time").Median(0));
        Assert.Equal(95, rounds.Samples("time").Median(1));
        Assert.Equal(1, rounds.Samples("other").Ratio(0, 1).Median);
    }
}
