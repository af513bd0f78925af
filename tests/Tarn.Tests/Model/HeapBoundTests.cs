using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>Bounded blow-up, for any program: as many random ones as there is time for.</summary>
public sealed class HeapBoundTests
{
    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    /// <summary>
    /// Each of them had a magazine without room loaded, which can take nothing over, and got a new slab for each block while others had
    /// free blocks.
    /// </summary>
    [Theory]
    [InlineData(166848991)]
    [InlineData(1798213782)]
    [InlineData(925907756)]
    [InlineData(1223804481)]
    public void New_slabs_are_added_only_when_nothing_is_free(int seed)
    {
        using HeapBoundProgram program = new(seed);
        program.Run(steps: 60);
    }

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void The_bytes_in_use_bound_the_bytes_kept(int seed)
    {
        Random seeds = new(seed);
        Stopwatch time = Stopwatch.StartNew();
        do
        {
            int one = seeds.Next();
            RandomProgram.Run(one, () =>
            {
                using HeapBoundProgram program = new(one);
                program.Run(steps: 60);
            });
        }
        while (time.Elapsed < StressLength.Duration);
    }
}
