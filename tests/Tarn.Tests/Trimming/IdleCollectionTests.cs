using System.Globalization;
using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

public sealed class IdleCollectionTests
{
    [SkippableFact]
    public void After_a_burst_the_process_has_its_memory_back_with_one_collection()
    {
        Skip.IfNot(StressLength.IsLong, "it takes a process of its own and much memory; the long form does it");
        long[] numbers = Run(isEnabled: true);
        (long start, long burst, long end, long collections) = (numbers[0], numbers[1], numbers[2], numbers[3]);
        Assert.True(burst > 3 * start);
        Assert.InRange(end, 1, start / 10 * 11);

        // More than one only if ticks are late.
        Assert.InRange(collections, 1, 2);
    }

    [Fact]
    public void It_is_off_unless_the_program_asks_for_it()
    {
        Assert.False(AppContext.TryGetSwitch(IdleGarbage.SwitchName, out _));
        Assert.Equal(0, IdleGarbage.Collections);
    }

    private static long[] Run(bool isEnabled)
    {
        string line = Assert.Single(ChildProcess.Run(["idle", isEnabled.ToString()]));
        return [.. line.Split(' ').Select(static number => long.Parse(number, CultureInfo.InvariantCulture))];
    }
}
