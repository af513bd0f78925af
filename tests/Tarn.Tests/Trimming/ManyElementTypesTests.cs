using System.Globalization;
using Tarn.Tests.Support;

namespace Tarn.Tests.Trimming;

/// <summary>Pools of many element types, streams and heaps in a process with little memory.</summary>
public sealed class ManyElementTypesTests
{
    private const long Limit = 256 << 20;

    [Fact]
    public void Shared_pools_of_many_types_together_keep_a_quarter_of_the_memory_and_never_run_out_of_it()
    {
        (long most, long limit) = Run("shared", used: 0);
        Assert.Equal(Limit, limit);
        Assert.InRange(most, limit / 16, limit / 4);
    }

    [SkippableFact]
    public void Pools_whose_caps_allow_more_than_there_is_together_keep_half_of_it()
    {
        Skip.IfNot(StressLength.IsLong, "it takes a process of its own and much memory; the long form does it");
        (long most, long limit) = Run(Limit.ToString(CultureInfo.InvariantCulture), used: 0);
        Assert.InRange(most, limit / 4, limit / 16 * 9);
    }

    private static (long Most, long Limit) Run(string cap, long used)
    {
        string line = Assert.Single(ChildProcess.Run(
            ["many types", cap, used.ToString(CultureInfo.InvariantCulture)],
            ("DOTNET_GCHeapHardLimit", Limit.ToString("x", CultureInfo.InvariantCulture)),
            ("DOTNET_GCgen0size", "1000000"),
            (BufferChecksEnvironment.Variable, null)));
        string[] numbers = line.Split(' ');
        return (long.Parse(numbers[0], CultureInfo.InvariantCulture), long.Parse(numbers[1], CultureInfo.InvariantCulture));
    }
}
