using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class WarmUpTests
{
    [Fact]
    public void Quick_work_is_called_often_and_with_more_iterations_each_time_up_to_64()
    {
        var trial = new NotedTrial(nanoseconds: 10);

        WarmUp.Run([trial], passes: 1);

        Assert.Equal(60, trial.Calls.Count);
        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 64], trial.Calls.Take(8));
        Assert.Equal(64, trial.Calls.Max());
    }

    [Fact]
    public void Slow_work_is_called_with_one_iteration_and_only_while_its_time_lasts()
    {
        var trial = new NotedTrial(nanoseconds: 25e6);

        WarmUp.Run([trial], passes: 3);

        Assert.Equal(Enumerable.Repeat(1, 6), trial.Calls);
    }

    /// <summary>Says how long it took instead of taking that long.</summary>
    private sealed class NotedTrial(double nanoseconds) : Trial("noted", 1)
    {
        public List<int> Calls { get; } = [];

        public override double Run(int iterations)
        {
            Calls.Add(iterations);
            return nanoseconds * iterations;
        }
    }
}
