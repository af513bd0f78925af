using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class OwnLoopTrialTests
{
    [Fact]
    public void A_compiled_loop_is_called_once_with_the_number_of_iterations()
    {
        var told = new List<int>();

        double nanoseconds = new CompiledLoopTrial("loop", told.Add).Run(7);

        Assert.Equal([7], told);
        Assert.True(nanoseconds > 0);
    }

    [Fact]
    public void A_rested_loop_is_called_for_each_time_after_a_pause_that_does_not_count()
    {
        var told = new List<int>();
        var pause = TimeSpan.FromMilliseconds(20);
        long start = Stopwatch.GetTimestamp();

        double nanoseconds = new RestedTrial("loop", told.Add, pause).Run(3);

        double all = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        Assert.Equal([1, 1, 1], told);
        Assert.True(nanoseconds > 0);
        Assert.True(all - nanoseconds >= 3 * pause.TotalNanoseconds, $"{all} in all, {nanoseconds} counted");
    }
}
