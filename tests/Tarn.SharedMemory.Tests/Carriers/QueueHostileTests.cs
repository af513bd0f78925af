using System.Globalization;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Whatever the shared memory contains, no member reads or writes outside of it, and no call hangs: in a process of its own, between pages
/// whose touch would end it.
/// </summary>
public class QueueHostileTests
{
    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 1);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_header_and_slots_that_were_spoiled_before(int seed) => Run("before", seed);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_header_and_slots_that_are_spoiled_during_calls(int seed) => Run("during", seed);

    private static void Run(string when, int seed)
    {
        int milliseconds = (int)StressLength.Duration.TotalMilliseconds;
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["hostile queue", when, $"{seed}", $"{milliseconds}"], limits: null);

        Assert.True(exitCode == 0, $"The program of seed {seed} ended with {exitCode}: {output}{error}");
        string[] words = output.Split();
        Assert.Equal("survived", words[0]);
        Assert.InRange(long.Parse(words[2], CultureInfo.InvariantCulture), 1, long.Parse(words[1], CultureInfo.InvariantCulture));
    }
}
